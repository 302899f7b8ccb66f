import type { Json } from '../../openapi/document.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import type { AmbiguousClause, Behaviors, ClauseName, OpenClause, StatedClause } from '../../openapi/generated/clauses.ts';
import type { Need, Profile } from './target.ts';
import type { Trial } from './trial.ts';

/** The entries of the profile that a check declares as needed. */
type Supplied<N extends Need> = Required<Pick<Profile, N>>;

interface Terms<N extends Need> {
  /** The check needs all of these entries of the profile. */
  readonly needs?: readonly N[];
  /** The check needs at least one of these entries. */
  readonly needsOneOf?: readonly Need[];
  /** Uses up the account's rate limit, if the target has one. */
  readonly burst?: boolean;
  /** Sends hundreds of malformed requests. */
  readonly inputs?: boolean;
}

/** How a target answers an open question: with an option of the clause, or in a way that no option covers. */
export type Observed<C extends ClauseName = ClauseName> =
  | (C extends keyof Behaviors
      ? Behaviors[C] | { readonly option: Behaviors[C]; readonly overrides: readonly Override[] }
      : never)
  | Unlisted;

/** A behavior that no option covers. */
export interface Unlisted {
  readonly text: string;
  /** Makes the mock respond in the same way, if the clause has options that override the same thing. */
  readonly response?: ObservedResponse;
  readonly overrides?: readonly Override[];
}

export interface ObservedResponse {
  readonly status?: number;
  /** As in an override: may contain `{message}`, `{status}`, `{errors}`; null is an empty body. */
  readonly body?: Json;
  /** The media type of the body. */
  readonly media?: string;
}

export const unlisted = (text: string, response?: ObservedResponse): Unlisted => (response ? { text, response } : { text });

export interface Check extends Omit<Terms<Need>, 'needs'> {
  readonly name: ClauseName;
  readonly needs: readonly Need[];
  /** Resolves with the observation if the clause is a question. Throws an error of verdict.ts unless the clause holds. */
  run(trial: Trial, supplied: Profile): Promise<Observed | undefined>;
}

const declared = new Map<ClauseName, Check>();

function declare(check: Check): void {
  if (declared.has(check.name))
    throw new Error(`The clause "${check.name}" already has a test. Give each statement its own name.`);
  declared.set(check.name, check);
}

/** Declares the one test of a stated clause. The test returns if the clause holds. An unknown name does not compile; a repeated one throws. */
export function clause<N extends Need = never>(
  name: StatedClause,
  { needs = [], ...terms }: Terms<N>,
  run: (trial: Trial, supplied: Supplied<N>) => Promise<void>,
): void {
  declare({ ...terms, ...statement(name, needs, (trial, supplied) => run(trial, supplied as Supplied<N>)) });
}

/** A check that observes nothing: it passes if it returns. */
export function statement(
  name: ClauseName,
  needs: readonly Need[],
  run: (trial: Trial, supplied: Profile) => Promise<void>,
): Check {
  return { name, needs, run: (trial, supplied) => run(trial, supplied).then(() => undefined) };
}

/**
 * Declares the one probe of an open or ambiguous clause: it returns which option the target shows. The probe of an ambiguous clause throws a
 * Violation for what the text excludes under every option.
 */
export function probe<C extends OpenClause | AmbiguousClause, N extends Need = never>(
  name: C,
  { needs = [], ...terms }: Omit<Terms<N>, 'inputs'>,
  run: (trial: Trial, supplied: Supplied<N>) => Promise<Observed<C>>,
): void {
  declare({ ...terms, name, needs, run: (trial, supplied) => run(trial, supplied as Supplied<N>) as Promise<Observed> });
}

/** The declared checks, in the order of their declaration. */
export function checks(): readonly Check[] {
  return [...declared.values()];
}
