import type { ApiKey } from '../account/account.ts';
import type { ClockState } from '../account/clock.ts';
import type { AgendaState, Due } from '../account/scheduler.ts';
import type { Channel, Settings } from '../account/settings.ts';
import type { Records } from '../state/change.ts';
import type { AccountSnapshot } from './account.ts';
import { deliveries } from './deliveries.ts';
import { spoken } from './dialect.ts';
import { effects, outbox } from './effects.ts';
import { chance, faults } from './faults.ts';
import { mustBeOfThisForm, type VERSION } from './form.ts';
import { journal } from './journal.ts';
import { Misfit } from './misfit.ts';
import { outboundFromVersion1 } from './outbound-of-version-1.ts';
import { readRecords, type WrittenRecords } from './records.ts';
import { mustBeThere } from './references.ts';
import {
  byName,
  count,
  list,
  moment,
  momentText,
  object,
  oneOf,
  orNull,
  type Shape,
  such,
  text,
  truth,
  tuple,
  whole,
  withAtLeast,
} from './shape.ts';

/** A snapshot of an account that has been looked through, with its records read. */
export interface Checked {
  readonly snapshot: AccountSnapshot;
  readonly records: Records;
}

/**
 * Answers a value as the snapshot of an account; throws a Misfit for anything else. Of settings and keys it sees only what they are made of; whether
 * the runtime knows such a currency or time zone is asked by who puts the account back.
 */
export const checked: Shape<Checked> = (value) => {
  const { kind, version } = withAtLeast<AccountSnapshot>({})(value);
  if (kind !== 'giftcard-sandbox account') throw new Misfit('this is no snapshot of an account of the sandbox.');
  mustBeOfThisForm(version);
  const snapshot = everything(outboundFromVersion1(value as Readonly<Record<string, unknown>>));
  const records = recordsOf(snapshot);
  mustBeThere(snapshot, records);
  return { snapshot, records };
};

function recordsOf({ records }: AccountSnapshot): Records {
  try {
    return readRecords(records);
  } catch (error) {
    throw Misfit.at('records', error);
  }
}

const plan = oneOf({ Basic: true, Pro: true, Plus: true, Enterprise: true });
const channel = object<Channel>({ id: text, name: text, acceptsCodes: text });
const settings = object<Settings>({
  name: text,
  plan,
  subscriptionActive: truth,
  currency: text,
  timeZone: text,
  locale: text,
  country: text,
  email: text,
  website: text,
  defaultExpiryDays: orNull(whole),
  codeFormat: text,
  reminderAfterDays: orNull(whole),
  monthlyAllowance: orNull(whole),
  channels: list(channel),
});
/** Moments of requests, by whom they are counted for. */
export const rates = byName(list(moment));
const due = object<Due>({ at: moment, kind: oneOf({ expiry: true, gift: true, reminder: true, start: true }), cardId: text });

const everything = object<AccountSnapshot>({
  kind: oneOf({ 'giftcard-sandbox account': true }),
  version: (value) => value as typeof VERSION,
  contract: such(text, (version) => (/^\d+\.\d+\.\d+/.test(version) ? undefined : "a contract's version such as 1.0.0")),
  takenAtUtc: momentText,
  id: text,
  seed: whole,
  settings,
  keys: list(object<ApiKey>({ key: text, description: text, deleted: truth, deletedAt: orNull(moment) })),
  formerPlan: (value) => value,
  ...spoken,
  goneAt: orNull(moment),
  description: (value) => value,
  clock: object<ClockState>({ mode: oneOf({ real: true, running: true, frozen: true }), now: moment }),
  causes: count,
  chance,
  rates,
  agenda: object<AgendaState>({ planned: list(due), reminders: list(tuple(text, moment, moment)) }),
  records: (value) => value as WrittenRecords, // read on its own, above
  outbox,
  deliveries,
  effects,
  faults: orNull(faults),
  journal,
});
