import { decimalsOf } from '../../../openapi/currency.ts';
import { differing } from '../../../openapi/effective/behaviors.ts';
import contractDocument from '../../../openapi/generated/contract.json' with { type: 'json' };
import type { Replacement } from '../../account/accounts.ts';
import { type ClockState, RandomSource, type RandomState, type Slices, systemTime, withoutPause } from '../../account/clock.ts';
import type { Sandbox } from '../../account/sandbox.ts';
import type { SchedulerState } from '../../account/scheduler.ts';
import type { ApiKey, Settings } from '../../account/settings.ts';
import type { ContractVariant } from '../../contract/effective/contract-variants.ts';
import { formatTime } from '../../domain/dates.ts';
import { Faults, type FaultsState } from '../../faults/faults.ts';
import type { JournalState } from '../../journal/journal.ts';
import type { EffectsState } from '../../outbound/effect-queue.ts';
import { lockAccount } from '../../pipeline/commit.ts';
import type { Records } from '../../state/change.ts';
import type { Count, DateTime, Timestamp } from '../../state/value-types.ts';

/** The version of the format of snapshots and of the state. */
export const VERSION = 1;

/** The contract variant of an account, or of requests without an account. */
export interface VariantSnapshot {
  /** The behaviors that differ from the defaults, by question. */
  readonly behaviors: Readonly<Record<string, string>>;
  readonly overrides: readonly unknown[];
}

/** An account as a plain JSON value. The JSON Schema of snapshots is generated from this type. */
export interface AccountSnapshot extends VariantSnapshot {
  readonly kind: 'giftcard-sandbox account';
  readonly version: typeof VERSION;
  readonly contract: string;
  readonly takenAtUtc: DateTime;
  readonly id: string;
  readonly seed: number;
  readonly settings: Settings;
  /** The number of decimals of the currency. All amounts are in minor units. */
  readonly decimals: Count;
  readonly keys: readonly ApiKey[];
  readonly goneAt: Timestamp | null;
  readonly isReplanning: boolean | null;
  /** The description that created the account. Null for an account of the world. */
  readonly description: unknown;
  readonly clock: ClockState;
  readonly random: RandomState;
  /** Times of the requests that count toward the rate limit. */
  readonly rate: readonly Timestamp[];
  readonly scheduler: SchedulerState;
  readonly records: Records;
  readonly effects: EffectsState;
  readonly faults: FaultsState | null;
  readonly journal: JournalState;
}

/** All accounts of a sandbox, and the seed and variant of new accounts, as a plain JSON value. */
export interface SandboxSnapshot extends VariantSnapshot {
  readonly kind: 'giftcard-sandbox';
  readonly version: typeof VERSION;
  readonly seed: number;
  /** The number of accounts with a generated ID. */
  readonly numbered: Count;
  /** Requests without a valid key. */
  readonly journal: JournalState;
  readonly accounts: readonly AccountSnapshot[];
}

type RestorableAccount = Parameters<Replacement['fill']>[0];

export async function captureAll(sandbox: Sandbox): Promise<SandboxSnapshot> {
  const whole = { ...headOfSandbox(sandbox), journal: sandbox.journal.state() };
  const accounts = Array.from(sandbox.accounts.values(), (account) => lockAccount(account, capture(sandbox, account)));
  return { ...whole, accounts: await Promise.all(accounts) };
}

export function headOfSandbox({ accounts: { seed, numbered }, variant }: Sandbox) {
  return { kind: 'giftcard-sandbox', version: VERSION, seed, numbered, ...variantOf(variant) } as const;
}

/** Captures an account. The caller must lock the account. Deliveries run on, so what they change is captured before the first pause. */
export function* capture(sandbox: Sandbox, account: RestorableAccount): Slices<AccountSnapshot> {
  const { waiting: _, ...progress } = progressOf(account);
  return {
    ...headOf(sandbox, account),
    ...progress,
    effects: account.effects.state(),
    journal: account.journal.state(),
    records: yield* account.state.capture(),
    scheduler: yield* account.clock.scheduler.capture(),
  };
}

/** Returns the values of an account that seldom change. */
export function headOf(sandbox: Sandbox, account: RestorableAccount) {
  const { id, origin, settings, keys, goneAt, isReplanning } = account;
  return {
    kind: 'giftcard-sandbox account',
    version: VERSION,
    contract: contractDocument.info.version,
    takenAtUtc: formatTime(systemTime()),
    id,
    seed: origin.seed,
    settings,
    decimals: decimalsOf(settings.currency),
    keys,
    ...variantOf(account.variant),
    goneAt,
    isReplanning,
    description: sandbox.accounts.descriptionOf(account) ?? null,
  } as const;
}

/** Returns the small values of an account that nearly every request changes. */
export function progressOf({ clock, random, rate, effects, faults }: RestorableAccount) {
  return {
    clock: clock.state(),
    random: random.state(),
    rate: rate.state(),
    waiting: effects.waiting,
    faults: faults?.state() ?? null,
  };
}

function variantOf({ behaviors, overrides }: Pick<ContractVariant, 'behaviors' | 'overrides'>): VariantSnapshot {
  return { behaviors: Object.fromEntries(differing(behaviors).map((rule) => [rule, behaviors[rule]])), overrides };
}

/** Fills an empty account from a snapshot, and sends queued effects. */
export function fill(account: RestorableAccount, snapshot: AccountSnapshot): void {
  account.clock.restore(snapshot.clock);
  account.random = RandomSource.from(snapshot.random);
  account.rate.restore(snapshot.rate);
  account.clock.scheduler.restore(snapshot.scheduler);
  account.state.restore(snapshot.records);
  account.faults = snapshot.faults === null ? undefined : Faults.from(snapshot.faults);
  account.journal.restore(snapshot.journal);
  if (snapshot.isReplanning) withoutPause(account.replan(true, true));
  account.effects.restore(snapshot.effects);
}
