import type { ClauseName } from '../../openapi/generated/clauses.ts';

/** One deliberate break of the mock: the text to find, once, in one of its files, and what stands there instead. */
export interface Mutant {
  /** The clause that it violates, whose own test must notice. */
  clause: ClauseName;
  file: string;
  find: string;
  replace: string;
}

export const mutant = (clause: ClauseName, file: string, find: string, replace: string): Mutant => ({
  clause,
  file,
  find,
  replace,
});

/** Accounts that share their records. */
export const oneState: [find: string, replace: string] = [
  'readonly state = new State();',
  'static readonly all = new State(); readonly state = Account.all;',
];
