import type { Json } from '../../openapi/document.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import type { AmbiguousRule, Behaviors, OpenQuestion, RuleName, StatedRule } from '../../openapi/generated/rules.ts';
import type { Need, Profile } from '../http/target.ts';
import type { Trial } from './trial.ts';

type Supplied<N extends Need> = Required<Pick<Profile, N>>;

interface Terms<N extends Need> {
  readonly needs?: readonly N[];
  readonly needsOneOf?: readonly Need[];
  /** True if the test uses up the account's rate limit. */
  readonly burst?: boolean;
  /** True if the test must come after all others, because the test may void cards that others use. */
  readonly isLast?: boolean;
  /** True if the test sends hundreds of malformed requests. */
  readonly inputs?: boolean;
}

/** The target's behavior for a question: one of its options, or a behavior that no option covers. */
export type Observed<C extends RuleName = RuleName> =
  | (C extends keyof Behaviors
      ? Behaviors[C] | { readonly option: Behaviors[C]; readonly overrides: readonly Override[] }
      : never)
  | Unlisted;

export interface Unlisted {
  readonly text: string;
  /** The observed values of the response. A variant file gets overrides with these values. */
  readonly response?: ObservedResponse;
  readonly overrides?: readonly Override[];
}

export interface ObservedResponse {
  readonly status?: number;
  /** The body in the format of an override, with the placeholders `{message}`, `{status}` and `{errors}`. Null means an empty body. */
  readonly body?: Json;
  readonly media?: string;
}

export const unlisted = (text: string, response?: ObservedResponse): Unlisted => (response ? { text, response } : { text });

export interface Check extends Omit<Terms<Need>, 'needs'> {
  readonly name: RuleName;
  readonly needs: readonly Need[];
  /** The probe of a question resolves with the observation. If a rule does not hold, throws an error of verdict.ts. */
  run(trial: Trial, supplied: Profile): Promise<Observed | undefined> | Promise<void>;
}

const declared = new Map<RuleName, Check>();

function declare(check: Check): void {
  if (declared.has(check.name)) throw new Error(`The rule "${check.name}" already has a test. Give each rule its own name.`);
  declared.set(check.name, check);
}

/** Declares the test of a stated rule. The rule holds if the test returns. A rule can have only one test. */
export function rule<N extends Need = never>(
  name: StatedRule,
  { needs = [], ...terms }: Terms<N>,
  run: (trial: Trial, supplied: Supplied<N>) => Promise<void>,
): void {
  declare({ ...terms, name, needs, run: run as Check['run'] });
}

export const ruleTest = (name: RuleName, needs: readonly Need[], run: Check['run']): Check => ({ name, needs, run });

/** Declares the probe of a question. If no option of an ambiguous question allows the behavior, the probe throws a Violation. */
export function probe<C extends OpenQuestion | AmbiguousRule, N extends Need = never>(
  name: C,
  { needs = [], ...terms }: Omit<Terms<N>, 'inputs'>,
  run: (trial: Trial, supplied: Supplied<N>) => Promise<Observed<C>>,
): void {
  declare({ ...terms, name, needs, run: run as Check['run'] });
}

export const checks = (): readonly Check[] => [...declared.values()];
