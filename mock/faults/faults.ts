import type { OperationId } from '../../openapi/generated/validators.js';
import { Chance, elapsed } from '../account/clock.ts';
import type { Input } from '../contract/contract.ts';
import { time } from '../domain/calendar.ts';
import { deedOf } from './deed.ts';
import { type FaultRule, inWords, strikes } from './rule.ts';
import { type One, Standing, type StandingState } from './standing.ts';
import { type Trial, type Verdict, verdictOn, watch } from './trial.ts';

/** So many strikes of one rule are judged; of more, the last ones. */
const MOST_TRIALS = 100;

interface StandingFault extends One<FaultRule> {
  /** Calls that it was asked about, and those that it struck. */
  calls: number;
  hits: number;
  readonly trials: Trial[];
}

export interface FaultView extends FaultRule {
  readonly id: string;
  readonly inWords: string;
  readonly calls: number;
  readonly hits: number;
  /** Of all strikes together: `unused` without one, `failed` when the caller did wrong after any, `waiting` while any is open. */
  readonly verdict: Verdict['verdict'] | 'unused';
  readonly strikes: readonly (Verdict & {
    readonly operation: OperationId;
    readonly struckAtUtc: string;
    readonly about: string | null;
  })[];
}

/** A fault as it struck one call: at the edge, the answer is spoilt accordingly. */
export interface Strike extends One<FaultRule> {
  readonly trial: Trial;
  /** Of the sandbox: what breaks off each answer that is held back and that no connection will. */
  readonly heldBack?: Set<() => void>;
}

/** Of a trial, how long ago it was instead of when, in real time. */
type KeptTrial = Omit<Trial, 'real' | 'other'> & { readonly age: number; readonly other: string | null | false };
type KeptFault = Omit<StandingFault, 'trials'> & { readonly trials: readonly KeptTrial[] };

export interface FaultsState extends StandingState<KeptFault> {
  readonly chance: readonly number[];
}

/** The faults that are set for an account, what they did, and how the caller took it. Their randomness is their own, so that no other shifts. */
export class Faults extends Standing<FaultRule, StandingFault, FaultView> {
  #chance: Chance;

  constructor(seed: number, accountId: string) {
    super('fault', viewOf);
    this.#chance = Chance.seeded(seed, `faults of ${accountId}`);
  }

  /**
   * What strikes this call, if anything: the first rule in the order in which they were set. A call that a rule strikes is none of those after
   * it, so that one can take over where another ends. Every call is also looked at for what it says about strikes before it.
   */
  strike(operation: OperationId, input: Input, now: number): Strike | undefined {
    const struck = this.standing.flatMap(({ trials }) => trials);
    const concerns = ({ rule }: StandingFault) => rule.operation === null || rule.operation === operation;
    if (struck.length === 0 && !this.standing.some(concerns)) return undefined;
    const deed = deedOf(operation, input);
    const isRepeat = deed.unique !== null && struck.some((one) => one.operation === operation && one.unique === deed.unique);
    for (const trial of struck) watch(trial, deed, now, isRepeat);
    for (const standing of this.standing) {
      const { id, rule } = standing;
      if (!concerns(standing)) continue;
      if (!strikes(rule, ++standing.calls, this.#chance)) continue;
      standing.hits++;
      const since = { done: false, again: null, other: undefined, looked: false, left: false };
      const trial: Trial = { ...deed, rule, at: now, real: elapsed(), ...since };
      standing.trials.push(trial);
      if (standing.trials.length > MOST_TRIALS) standing.trials.shift();
      return { id, rule, trial };
    }
    return undefined;
  }

  state(): FaultsState {
    return { ...this.captured(kept), chance: this.#chance.state() };
  }

  static from(state: FaultsState): Faults {
    const faults = new Faults(0, '');
    faults.#chance = Chance.from(state.chance);
    faults.putBack(state, putBack);
    return faults;
  }

  protected begun(one: One<FaultRule>): StandingFault {
    return { ...one, calls: 0, hits: 0, trials: [] };
  }
}

function kept({ trials, ...rest }: StandingFault): KeptFault {
  const keptTrials = trials.map(({ real, other, ...trial }) => ({
    ...trial,
    age: elapsed() - real,
    other: other === undefined ? (false as const) : other,
  }));
  return { ...rest, trials: keptTrials };
}

function putBack({ trials, ...rest }: KeptFault): StandingFault {
  const asBefore = trials.map(({ age, other, ...trial }) => ({
    ...trial,
    real: elapsed() - age,
    other: other === false ? undefined : other,
  }));
  return { ...rest, trials: asBefore };
}

function viewOf({ id, rule, calls, hits, trials }: StandingFault): FaultView {
  const judged = trials.map((trial) => ({
    operation: trial.operation,
    struckAtUtc: time(trial.at),
    about: trial.unique,
    ...verdictOn(trial),
  }));
  const has = (verdict: Verdict['verdict']) => judged.some((each) => each.verdict === verdict);
  const verdict = hits === 0 ? 'unused' : has('failed') ? 'failed' : has('waiting') ? 'waiting' : 'passed';
  return { id, inWords: inWords(rule), ...rule, calls, hits, verdict, strikes: judged };
}
