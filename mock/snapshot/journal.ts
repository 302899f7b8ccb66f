import type { Learned } from '../journal/advice.ts';
import type { AdviserState } from '../journal/adviser.ts';
import type { Before } from '../journal/before.ts';
import type { Entry, Exchange, Happening, Kept } from '../journal/entry.ts';
import type { JournalState, Pushed } from '../journal/journal.ts';
import { type LessonName, lessons, type Note } from '../journal/lessons.ts';
import { problems, type RefusalCode } from '../pipeline/problems.ts';
import type { Touched } from '../state/change-summary.ts';
import { cause } from './cause.ts';
import { operation } from './faults.ts';
import { currency, listing } from './records.ts';
import {
  byName,
  count,
  list,
  moment,
  nameIn,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Shape,
  text,
  truth,
  tuple,
  whole,
  withAtLeast,
} from './shape.ts';

/** What a journal's value must be like for it to be read and shown again. */

const lesson = nameIn<LessonName>(lessons);
const refusal = nameIn<RefusalCode>(problems);

const touched = object<Touched>({
  table: oneOf<Touched['table']>({
    cards: true,
    adjustments: true,
    webhooks: true,
    automations: true,
    automationKeys: true,
    refusedValues: true,
    coupons: true,
    listings: true,
    timeline: true,
  }),
  id: text,
  cardId: orNull(text),
  action: oneOf<Touched['action']>({ added: true, changed: true, removed: true, deleted: true, disabled: true }),
  card: optional(
    object<NonNullable<Touched['card']>>({
      currency,
      balanceBefore: orNull(whole),
      balance: whole,
      statusBefore: orNull(text),
      status: text,
    }),
  ),
  amount: optional(whole),
});
const happening = object<Happening>({
  kind: oneOf<Happening['kind']>({ clock: true, control: true }),
  number: count,
  at: moment,
  what: text,
  touched: list(touched),
});
const exchange = object<Exchange>({
  kind: oneOf({ request: true }),
  number: count,
  at: moment,
  milliseconds: number,
  method: text,
  target: text,
  headers: byName(text),
  body: optional(orNull(object<Kept>({ text, bytes: count, cut: truth }))),
  status: whole,
  mediaType: text,
  answer: text,
  answerBytes: count,
  answerCut: truth,
  operation: optional(operation),
  refusal: optional(refusal),
  fault: optional(text),
  touched: list(touched),
  notes: list(object<Note>({ name: lesson, seen: text })),
});
const entry: Shape<Entry> = (value) => {
  const { kind } = withAtLeast<Entry>({ kind: oneOf({ request: true, clock: true, control: true }) })(value);
  return kind === 'request' ? exchange(value) : happening(value);
};
const seen = object<Learned['first']>({ number: count, at: moment });

const before = object<Before>({ at: moment, refusal: optional(refusal), digest: text });
const created = object<AdviserState['created'][number][1]>({ at: moment, isNamed: truth });
const walk: Shape<AdviserState['walks'][number][1]> = (value) =>
  typeof value === 'number' ? whole(value) : oneOf({ 'from 0': true })(value);
const adviser = object<AdviserState>({
  last: orNull(before),
  inARow: count,
  limited: orNull(before),
  created: list(tuple(text, created)),
  adjusted: list(tuple(text, moment)),
  walks: list(tuple(text, walk)),
});

export const journal = object<JournalState>({
  entries: list(entry),
  dropped: count,
  pushes: list(object<Pushed>({ cause, giftCardId: text, currency, listings: list(listing) })),
  pushesDropped: count,
  advice: list(object<Learned>({ name: lesson, count, first: seen, last: seen, seen: text })),
  adviser,
  numbered: count,
});
