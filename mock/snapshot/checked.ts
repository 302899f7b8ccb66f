import type { ApiKey, FormerPlan } from '../account.ts';
import type { Records } from '../change.ts';
import type { AgendaState, Due } from '../due.ts';
import type { DeliveriesState, DeliveryReference } from '../effects/deliveries.ts';
import type { Attempt } from '../effects/delivery.ts';
import type { EffectsState, Suppressed } from '../effects/effects.ts';
import type { Email } from '../effects/outbox.ts';
import type { DrillRule } from '../faults/drill.ts';
import type { DrillsState, Exercise } from '../faults/drills.ts';
import type { FaultsState } from '../faults/faults.ts';
import type { FaultRule } from '../faults/rule.ts';
import type { Verdict } from '../faults/trial.ts';
import type { WebhookRecord } from '../records.ts';
import type { Channel, Settings } from '../settings.ts';
import type { ClockState } from '../world.ts';
import { type AccountSnapshot, VERSION } from './account.ts';
import { cause } from './cause.ts';
import { spoken } from './dialect.ts';
import { journal } from './journal.ts';
import { Misfit } from './misfit.ts';
import { card, readRecords, type WrittenRecords } from './records.ts';
import { byName, list, number, object, oneOf, orNull, type Shape, text, truth, tuple, whole, withAtLeast } from './shape.ts';

/** A snapshot of an account that has been looked through, with its records read. */
export interface Checked {
  readonly snapshot: AccountSnapshot;
  readonly records: Records;
}

/** Answers a value as the snapshot of an account; throws a Misfit for anything else. */
export const checked: Shape<Checked> = (value) => {
  const { kind, version } = withAtLeast<AccountSnapshot>({})(value);
  if (kind !== 'giftcard-sandbox account') throw new Misfit('this is no snapshot of an account of the sandbox.');
  if (version !== VERSION)
    throw new Misfit(
      `it has form ${JSON.stringify(version)}, and this version of the sandbox reads form ${VERSION}; take it anew.`,
    );
  const snapshot = everything(value);
  try {
    return { snapshot, records: readRecords(snapshot.records) };
  } catch (error) {
    throw Misfit.at('records', error);
  }
};

const channel = object<Channel>({ id: text, name: text, acceptsCodes: text });
const settings = object<Settings>({
  name: text,
  plan: oneOf({ Basic: true, Pro: true, Plus: true, Enterprise: true }),
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
const chanceState: Shape<readonly number[]> = (value) => tuple(whole, whole, whole, whole)(value);
const due = object<Due>({ at: whole, kind: oneOf({ expiry: true, gift: true, reminder: true, start: true }), cardId: text });
const suppressed = object<Suppressed>({
  what: text,
  giftCardId: text,
  clause: text as Shape<Suppressed['clause']>,
  why: text,
  cause,
});
const delivery = withAtLeast<DeliveriesState['kept'][number]>({
  requestId: text,
  webhookId: text,
  url: text,
  topic: text,
  giftCardId: text,
  body: text,
  cause,
  state: text,
  attempts: list(
    withAtLeast<Attempt>({ kind: text, sentAtUtc: text, headers: byName(text), body: text, milliseconds: whole, cause }),
  ),
});
const reference: Shape<DeliveryReference> = (value) => (typeof value === 'number' ? whole(value) : delivery(value));
const faultRule = withAtLeast<FaultRule>({
  fault: oneOf<FaultRule['fault']>({ status: true, 'rate-limit': true, delay: true, reset: true, truncate: true }),
  operation: orNull(text),
  when: oneOf<FaultRule['when']>({ before: true, after: true }),
  status: orNull(whole),
  body: orNull(text),
  milliseconds: whole,
  first: orNull(whole),
  nth: orNull(whole),
  probability: orNull(number),
});
const drillRule = withAtLeast<DrillRule>({
  drill: oneOf<DrillRule['drill']>({
    duplicate: true,
    reorder: true,
    delay: true,
    'unusual-bytes': true,
    'wrong-signature': true,
    unsigned: true,
    'signed-after-parsing': true,
  }),
  topic: orNull(text),
  webhookId: orNull(text),
  next: whole,
  milliseconds: whole,
});
const verdict = oneOf<Verdict['verdict']>({ waiting: true, passed: true, failed: true });
const exercise = withAtLeast<Exercise>({ id: text, rule: drillRule });
type Waiting = EffectsState['waiting'][number];
const waitingBy: Readonly<Record<Waiting['kind'], Shape<Waiting>>> = {
  push: withAtLeast<Waiting>({ card, cause } as never),
  email: withAtLeast<Waiting>({ effect: withAtLeast<{ card: unknown; email: unknown }>({ card, email: text }), cause } as never),
  trial: withAtLeast<Waiting>({ webhook: withAtLeast<WebhookRecord>({ id: text }), cause } as never),
  dispatch: withAtLeast<Waiting>({ delivery: reference } as never),
};
const waiting: Shape<Waiting> = (value) => {
  const { kind } = withAtLeast<Waiting>({ kind: oneOf({ push: true, email: true, trial: true, dispatch: true }) })(value);
  return waitingBy[kind](value);
};

const everything = object<AccountSnapshot>({
  kind: oneOf({ 'giftcard-sandbox account': true }),
  version: (value) => value as typeof VERSION,
  contract: text,
  takenAtUtc: text,
  id: text,
  seed: whole,
  settings,
  keys: list(object<ApiKey>({ key: text, description: text, deleted: truth, deletedAt: orNull(whole) })),
  formerPlan: orNull(object<FormerPlan>({ plan: oneOf({ Basic: true, Pro: true, Plus: true, Enterprise: true }), until: whole })),
  ...spoken,
  goneAt: orNull(whole),
  description: (value) => value,
  clock: object<ClockState>({ mode: oneOf({ real: true, running: true, frozen: true }), now: whole }),
  causes: whole,
  chance: chanceState,
  rates: byName(list(whole)),
  agenda: object<AgendaState>({ planned: list(due), reminders: list(tuple(text, whole, whole)) }),
  records: (value) => value as WrittenRecords, // read on its own, below
  outbox: object<AccountSnapshot['outbox']>({
    emails: list(
      withAtLeast<Email>({ to: text, kind: text, subject: text, text, html: text, giftCardId: text, sentAtUtc: text, cause }),
    ),
    dropped: whole,
  }),
  deliveries: withAtLeast<DeliveriesState>({
    kept: list(delivery),
    dropped: whole,
    waiting: list(reference),
    origins: list(
      tuple(
        reference,
        withAtLeast<{ card: unknown; webhook: unknown }>({ card, webhook: withAtLeast<WebhookRecord>({ id: text }) }),
      ),
    ),
    heldBack: list(withAtLeast<DeliveriesState['heldBack'][number]>({ delivery: reference, exercise })),
    overtaking: list(
      withAtLeast<DeliveriesState['overtaking'][number]>({
        delivery: reference,
        overtaken: reference,
        exercise,
        answer: orNull(withAtLeast<object>({})),
      }),
    ),
  }),
  effects: withAtLeast<EffectsState>({
    suppressed: list(suppressed),
    suppressedDropped: whole,
    waiting: list(waiting),
    missed: list(reference),
  }),
  faults: orNull(
    withAtLeast<FaultsState>({
      made: whole,
      chance: chanceState,
      standing: list(
        withAtLeast<FaultsState['standing'][number]>({
          id: text,
          rule: faultRule,
          calls: whole,
          hits: whole,
          trials: list(
            withAtLeast<FaultsState['standing'][number]['trials'][number]>({
              operation: text,
              content: text,
              rule: faultRule,
              at: whole,
              age: number,
              done: truth,
              again: orNull(number),
            }),
          ),
        }),
      ),
    }),
  ),
  journal,
  drills: orNull(
    withAtLeast<DrillsState>({
      made: whole,
      standing: list(
        withAtLeast<DrillsState['standing'][number]>({
          id: text,
          rule: drillRule,
          left: whole,
          drilled: list(withAtLeast<DrillsState['standing'][number]['drilled'][number]>({ requestId: text, verdict })),
        }),
      ),
    }),
  ),
});
