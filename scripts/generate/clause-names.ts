import type { Override } from '../../openapi/effective/overrides.ts';
import { generatedFrom } from './compile.ts';

export interface Clause {
  level: 'stated' | 'ambiguous' | 'open';
  from: string | string[];
  text?: string;
  question?: string;
  default?: string;
  behaviors?: Record<string, { says?: string; wire?: Override[] } | null>;
  operations: string[];
  value?: number;
  seen: string;
  reason?: string;
  robustness?: true;
  enforced?: 'schema';
}

export type Clauses = Record<string, Clause>;

/** Returns the text of generated/clauses.ts: names, behaviors, defaults and numbers of the clauses, as types and constants. */
export function clauseNames(clauses: Clauses, answers: readonly string[]): string {
  const entries = Object.entries(clauses);
  const namesOf = (level: string) => entries.flatMap(([name, clause]) => (clause.level === level ? [name] : []));
  const asked = entries.filter(([, clause]) => clause.behaviors);
  const options = asked.map(([name, { behaviors = {} }]) => `  ${text(name)}: ${union(Object.keys(behaviors))};\n`);
  const defaults = asked.map(([name, clause]) => [name, clause.default]);
  const values = entries.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]));
  return `${generatedFrom('openapi/clauses')}
/** The names of all clauses by level, in the order of the files. */
export const clauseNames = ${text({ stated: namesOf('stated'), ambiguous: namesOf('ambiguous'), open: namesOf('open') })} as const;

export type StatedClause = (typeof clauseNames.stated)[number];
export type AmbiguousClause = (typeof clauseNames.ambiguous)[number];
export type OpenClause = (typeof clauseNames.open)[number];
export type ClauseName = StatedClause | AmbiguousClause | OpenClause;

/** Open questions for which the mock has one fixed answer (openapi/answers.yaml). */
export type AnsweredQuestion = ${union(answers)};

/** The rules that the mock can give as the reason for a decision. */
export type RuleName = ClauseName | AnsweredQuestion;

/** The possible options of each clause. A value of this type has the chosen option of each clause. */
export interface Behaviors {
${options.join('')}}

/** The default options. */
export const defaultBehaviors: Behaviors = ${text(Object.fromEntries(defaults))};

/** The numbers of clauses, for the mock and the suite. */
export const clauseValues = ${text(Object.fromEntries(values))} as const;
`;
}

/** Returns the text of generated/names.ts, from openapi/names.yaml. */
export function nameQuestions(table: Readonly<Record<string, readonly object[]>>): string {
  const rows = Object.entries(table).flatMap(([clause, questions]) => questions.map((each) => ({ clause, ...each })));
  return `${generatedFrom('openapi/names.yaml')}import type { ClauseName } from './clauses.ts';

/** A name of the contract, and the names that a deployment may use instead. */
export interface NameQuestion {
  readonly clause: ClauseName;
  /** Schema.property, operationId.parameter, or an operationId whose answer may be inside an object. */
  readonly targets: readonly string[];
  readonly alternatives: readonly string[];
}

export const names: readonly NameQuestion[] = ${text(rows)};
`;
}

const text = (value: unknown): string => JSON.stringify(value, null, 2);
const union = (names: readonly string[]): string => names.map(text).join(' | ');
