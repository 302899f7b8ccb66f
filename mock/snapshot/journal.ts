import type { Learned } from '../journal/advice.ts';
import type { AdviserState } from '../journal/adviser.ts';
import type { Before } from '../journal/before.ts';
import type { Entry, Exchange, Happening, Kept } from '../journal/entry.ts';
import type { JournalState, Pushed } from '../journal/journal.ts';
import { type LessonName, lessons, type Note } from '../journal/lessons.ts';
import type { Touched } from '../journal/touched.ts';
import { problems, type RefusalCode } from '../problems.ts';
import type { ListingRecord } from '../records.ts';
import { cause } from './cause.ts';
import {
  byName,
  list,
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

const lesson = oneOf<LessonName>(Object.fromEntries(Object.keys(lessons).map((name) => [name, true])) as never);
const refusal = oneOf<RefusalCode>(Object.fromEntries(Object.keys(problems).map((code) => [code, true])) as never);

const touched = withAtLeast<Touched>({ table: text, id: text, cardId: orNull(text), action: text });
const happening = withAtLeast<Happening>({ number: whole, at: whole, what: text, touched: list(touched) });
const exchange = withAtLeast<Exchange>({
  number: whole,
  at: whole,
  milliseconds: number,
  method: text,
  target: text,
  headers: byName(text),
  body: optional(orNull(object<Kept>({ text, bytes: whole, cut: truth }))),
  status: whole,
  mediaType: text,
  answer: text,
  answerBytes: whole,
  answerCut: truth,
  operation: optional(text),
  refusal: optional(refusal),
  fault: optional(text),
  touched: list(touched),
  notes: list(object<Note>({ name: lesson, seen: text })),
});
const entry: Shape<Entry> = (value) => {
  const { kind } = withAtLeast<Entry>({ kind: oneOf({ request: true, clock: true, control: true }) })(value);
  return kind === 'request' ? exchange(value) : happening(value);
};
const seen = object<Learned['first']>({ number: whole, at: whole });

const before = object<Before>({ at: whole, refusal: optional(refusal), digest: text });
const created = object<AdviserState['created'][number][1]>({ at: whole, isNamed: truth });
const walk: Shape<AdviserState['walks'][number][1]> = (value) =>
  typeof value === 'number' ? whole(value) : oneOf({ 'from 0': true })(value);
const adviser = object<AdviserState>({
  last: orNull(before),
  inARow: whole,
  limited: orNull(before),
  created: list(tuple(text, created)),
  adjusted: list(tuple(text, whole)),
  walks: list(tuple(text, walk)),
});

export const journal = object<JournalState>({
  entries: list(entry),
  dropped: whole,
  pushes: list(
    withAtLeast<Pushed>({
      cause,
      giftCardId: text,
      currency: text,
      listings: list(withAtLeast<ListingRecord>({ channelId: text, balance: whole, state: text, error: orNull(text) })),
    }),
  ),
  pushesDropped: whole,
  advice: list(object<Learned>({ name: lesson, count: whole, first: seen, last: seen, seen: text })),
  adviser,
  numbered: whole,
});
