import contractDocument from '../../openapi/generated/contract.json' with { type: 'json' };
import type { Account, ApiKey } from '../account/account.ts';
import { Chance, Clock, type ClockState } from '../account/clock.ts';
import type { AgendaState } from '../account/scheduler.ts';
import type { Settings } from '../account/settings.ts';
import { time } from '../domain/calendar.ts';
import { Faults, type FaultsState } from '../faults/faults.ts';
import type { JournalState } from '../journal/journal.ts';
import type { DeliveriesState } from '../outbound/deliveries.ts';
import type { EffectsState } from '../outbound/effect-queue.ts';
import type { Email } from '../outbound/outbox.ts';
import type { Records } from '../state/change.ts';
import { type Spoken, spokenBy } from './dialect.ts';
import { VERSION } from './form.ts';
import { type WrittenRecords, writeRecords } from './records.ts';

/** Everything of an account but the texts of its cards, which follow from the rest: a plain JSON value. */
export interface AccountSnapshot extends Spoken {
  readonly kind: 'giftcard-sandbox account';
  readonly version: typeof VERSION;
  /** Of the contract that it was taken under. */
  readonly contract: string;
  /** Real time. */
  readonly takenAtUtc: string;
  readonly id: string;
  readonly seed: number;
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  /** Always null; 0.1 kept a plan here. */
  readonly formerPlan: unknown;
  readonly goneAt: number | null;
  /** How the account was made, where the world does not say it. */
  readonly description: unknown;
  readonly clock: ClockState;
  readonly causes: number;
  readonly chance: readonly number[];
  /** Moments of the requests that count toward the rate, by whom they are counted for. */
  readonly rates: Readonly<Record<string, readonly number[]>>;
  readonly agenda: AgendaState;
  readonly records: WrittenRecords;
  readonly outbox: { readonly emails: readonly Email[]; readonly dropped: number };
  readonly deliveries: DeliveriesState;
  readonly effects: EffectsState;
  readonly faults: FaultsState | null;
  readonly journal: JournalState;
}

/** Takes an account as it is at this moment. What is under way stays under way. */
export function capture(account: Account, description: unknown): AccountSnapshot {
  const { id, seed, settings, keys, goneAt, clock, causes, chance, rate, agenda, state } = account;
  return {
    kind: 'giftcard-sandbox account',
    version: VERSION,
    contract: contractDocument.info.version,
    takenAtUtc: time(new Clock().now()),
    id,
    seed,
    settings,
    keys,
    formerPlan: null,
    ...spokenBy(account),
    goneAt,
    description: description ?? null,
    clock: clock.state(),
    causes,
    chance: chance.state(),
    rates: { '': rate.state() },
    agenda: agenda.state(),
    records: writeRecords(state.records()),
    outbox: { emails: account.outbox.emails(), dropped: account.outbox.dropped },
    deliveries: account.deliveries.state(),
    effects: account.effects.state(),
    faults: account.faults?.state() ?? null,
    journal: account.journal.state(),
  };
}

/** Gives an account that holds nothing yet what a snapshot holds, and goes on with what waits. */
export function fill(account: Account, snapshot: AccountSnapshot, records: Records): void {
  account.clock.restore(snapshot.clock);
  account.causes = snapshot.causes;
  account.chance = Chance.from(snapshot.chance);
  account.rate.restore(snapshot.rates[''] ?? []);
  account.agenda.restore(snapshot.agenda);
  account.state.restore(records);
  account.outbox.restore(snapshot.outbox.emails, snapshot.outbox.dropped);
  account.faults = snapshot.faults === null ? undefined : Faults.from(snapshot.faults);
  account.journal.restore(snapshot.journal);
  const find = account.deliveries.restore(snapshot.deliveries);
  account.effects.restore(snapshot.effects, find);
}
