import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ShownLevel } from '../core/contract.ts';
import type { RunResult } from '../core/result.ts';

/** What a plan that was run on two targets showed of where they differ. Every form is a pure function of this. */
export interface Comparison {
  suite: string;
  /** The command that compares once more. */
  again: string;
  startedAt: string;
  finishedAt: string;
  a: Side;
  b: Side;
  /** Why it is not known what differs on A from one time to the next; absent where the plan was run there twice. */
  noiseUnknown?: string;
  /** Clauses that both were judged by, and how many of them came out alike. */
  compared: number;
  alike: number;
  /** The worst first. */
  differences: Difference[];
  /** Clauses that one side alone was judged by. */
  uncompared: Uncompared[];
  /** Clauses that were in the plan and that neither side was judged by. */
  unjudged: ClauseName[];
  /** Clauses that came out differently on A the second time. */
  unsteady: Unsteady[];
  /** Under clauses that came out alike. */
  unexplained: Unexplained[];
}

export interface Side {
  target: string;
  mode: RunResult['mode'];
  /** How often the plan was run there. */
  runs: number;
  /** What all of it cost, taking away what was made included. */
  spent: RunResult['spent'];
  /** Sentences about what could not be taken away. */
  leftBehind: string[];
  /** The exit code that each of its runs would have ended with. */
  exits: number[];
}

/** Whether the target violates the clause on one side alone, on both in different ways, or answers a question otherwise. */
export type Kind = 'violated' | 'otherwise' | 'fact';

export interface Difference {
  name: ClauseName;
  level: ShownLevel;
  from: string[];
  text: string;
  kind: Kind;
  a: Found;
  b: Found;
  /** Both were judged by it on B and once on A, so that it is not known whether it is steady. */
  seenOnce?: true;
  /** Where the two first part, if that shows in an exchange; `number` counts from 1. */
  step?: Step;
  /** The same difference under clauses that came out alike. */
  elsewhere?: Unexplained[];
}

/** What a run found of a clause. */
export interface Found {
  verdict: string;
  /** The answer to a question. */
  told?: string;
  expected?: string;
  got?: string;
  detail?: string;
}

export interface Step {
  number: number;
  /** Absent where the other side alone came to it. */
  a?: Shown;
  b?: Shown;
}

/** An exchange with symbols in the place of what is bound to its run: the same symbol on both sides where they stand for the same. */
export interface Shown {
  method: string;
  path: string;
  request?: string;
  status: number;
  contentType: string;
  body: string;
  /** Headers of the answer that the other side has not, or has otherwise. */
  headers?: string[];
}

export interface Uncompared {
  name: ClauseName;
  level: ShownLevel;
  a: Found;
  b: Found;
  /** It should have been possible, and did not work out. */
  needed: boolean;
}

export interface Unsteady {
  name: ClauseName;
  level: ShownLevel;
  first: Found;
  second: Found;
}

/** One thing that answers differ in, wherever it was seen. */
export interface Unexplained {
  /** As the contract names it; empty for what is the same of several operations. */
  operation: string;
  /** A JSON pointer into the answer with * for any item, or what else it is: "status", "header date", "body". */
  place: string;
  a: string;
  b: string;
  exchanges: number;
  /** One of the clauses under which it was seen, and the step. */
  seen: { clause: ClauseName; step: Step };
}

/** What somebody who merely wants to know whether B may take the place of A has to look at. */
export const isGrave = ({ level, kind }: Pick<Difference, 'level' | 'kind'>): boolean =>
  level === 'stated' || (kind === 'violated' && level !== 'robustness');

/**
 * 5 something is left on either target · 6 the suite broke · 130 broken off · 1 they differ in a statement, or one alone answers a question against every
 * reading · 4 something could not be judged on one side, or nothing was compared · 0.
 */
export function exitOf({ a, b, differences, uncompared, compared }: Comparison): number {
  const exits = [...a.exits, ...b.exits];
  for (const wins of [5, 6, 130]) if (exits.includes(wins)) return wins;
  if (differences.some(isGrave)) return 1;
  return compared === 0 || uncompared.some(({ needed }) => needed) ? 4 : 0;
}
