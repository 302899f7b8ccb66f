import type { Json } from '../../openapi/document.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import type { AmbiguousClause, Behaviors, ClauseName, OpenClause, StatedClause } from '../../openapi/generated/clauses.ts';
import type { Need, Profile } from './target.ts';
import type { Trial } from './trial.ts';

/** What a check's declared needs become: entries of the profile that are surely there. */
type Supplied<N extends Need> = Required<Pick<Profile, N>>;

/** On what terms a check can be made. */
interface Terms<N extends Need> {
  /** Entries of the profile without which it cannot be made. */
  readonly needs?: readonly N[];
  /** Entries of the profile of which it needs one, whichever. */
  readonly needsOneOf?: readonly Need[];
  /** It uses the rate of the account up, where the target limits one. */
  readonly burst?: boolean;
  /** It sends odd input by the hundred. */
  readonly inputs?: boolean;
  /** Some of its requests leave at once, so that chance says which of them is answered how. */
  readonly atOnce?: boolean;
}

/** How a target answers a question that the specification leaves open: one of the clause's behaviors, or something else, in words. */
export type Seen<C extends keyof Behaviors = keyof Behaviors> = Behaviors[C] | SomethingElse | Beside<Behaviors[C]>;

export interface SomethingElse {
  readonly told: string;
  readonly shown?: Shown;
}

/** A reading, with something beside it that it does not say. */
interface Beside<R extends string> {
  readonly reading: R;
  readonly shown: Shown;
}

/**
 * What was seen in the place of what the behaviors say, as far as a contract can have it: the rows of the clause's own behaviors are made anew with it
 * (facts/rows.ts), so that a mock answers so, too.
 */
export interface Shown {
  /** What a property or a parameter is called; its steps from the record on, joined by dots, where it stands deeper. */
  readonly name?: string;
  readonly status?: number;
  /** What an answer is wrapped in, joined by dots. */
  readonly wrap?: string;
  /** Of an answer, in the manner of a row's body; null is an empty one. */
  readonly body?: Json;
  /** Beside the body. */
  readonly media?: string;
  /** What the behaviors of the clause have no row like. */
  readonly rows?: readonly Row[];
}

/** What none of the behaviors foresaw: "answers 418". */
export const somethingElse = (told: string, shown?: Shown): SomethingElse => (shown === undefined ? { told } : { told, shown });

export interface Check {
  name: ClauseName;
  needs: readonly Need[];
  needsOneOf?: readonly Need[];
  burst?: boolean;
  inputs?: boolean;
  atOnce?: boolean;
  /** Resolves with what was seen where the clause is a question; throws one of verdict.ts where there is no verdict, or a bad one. */
  run(trial: Trial, supplied: Profile): Promise<Seen | undefined>;
}

const written = new Map<ClauseName, Check>();

function write(check: Check): void {
  if (written.has(check.name))
    throw new Error(`The clause "${check.name}" already has a test. Give the two statements names of their own.`);
  written.set(check.name, check);
}

/**
 * Declares the one test of a stated clause: it returns when the clause holds. A name that the contract does not know does not
 * compile, and a repeated one throws, so that a clause is judged in one place only.
 */
export function clause<N extends Need = never>(
  name: StatedClause,
  { needs = [], needsOneOf = [], burst = false, inputs = false, atOnce = false }: Terms<N>,
  run: (trial: Trial, supplied: Supplied<N>) => Promise<void>,
): void {
  write({
    ...statement(name, needs, (trial, supplied) => run(trial, supplied as Supplied<N>)),
    needsOneOf,
    burst,
    inputs,
    atOnce,
  });
}

/** A check that sees nothing but that its clause holds. */
export function statement(
  name: ClauseName,
  needs: readonly Need[],
  run: (trial: Trial, supplied: Profile) => Promise<void>,
): Check {
  return { name, needs, run: (trial, supplied) => run(trial, supplied).then(() => undefined) };
}

/**
 * Declares the one probe of an open or ambiguous clause: it says which reading the target shows, and judges nothing. That of an ambiguous clause may
 * throw a Violation for what the text excludes under every reading.
 */
export function probe<C extends (OpenClause | AmbiguousClause) & keyof Behaviors, N extends Need = never>(
  name: C,
  { needs = [], needsOneOf = [], burst = false }: Omit<Terms<N>, 'inputs' | 'atOnce'>,
  run: (trial: Trial, supplied: Supplied<N>) => Promise<Seen<C>>,
): void {
  write({ name, needs, needsOneOf, burst, run: (trial, supplied) => run(trial, supplied as Supplied<N>) });
}

/** The declared checks, in the order of their declaration. */
export function checks(): readonly Check[] {
  return [...written.values()];
}
