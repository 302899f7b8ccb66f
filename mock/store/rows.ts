import { createHash } from 'node:crypto';
import { type ClockState, systemTime } from '../account/clock.ts';
import { dueKey } from '../account/scheduler.ts';
import { LAST_TIME } from '../domain/dates.ts';
import { MAX_ENTRIES } from '../outbound/bounded-log.ts';
import type { Persist, RowKind } from '../state/persist.ts';
import { type Ranked, Recency } from '../state/recency.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import type { AccountSnapshot } from './snapshot/capture.ts';

/** A row of an account, as read from the store. */
export interface StoreRow {
  /** Increases with every write. For an entry of a log, its number. */
  readonly order: number;
  readonly value: unknown;
}

/** The rows of an account or of the sandbox, by kind. The rows of a kind are in the order of their keys. */
export type Rows = ReadonlyMap<RowKind, readonly StoreRow[]>;

/** The kinds whose rows are entries of logs. Entries are numbered from 0. */
export const LOGS: ReadonlySet<RowKind> = new Set(['outbox', 'deliveries', 'pushes', 'suppressed', 'journal', 'responses']);

/** The number of rows of a log, which is part of the format. The row of a new entry replaces the row of the entry LOG_ROWS before it. */
export const LOG_ROWS = MAX_ENTRIES;

/** Rows that keep the order of their first write, because their order is visible. */
export const PLACED: ReadonlySet<RowKind> = new Set(['head', 'webhooks', 'automations', 'coupons']);

const NAME = /^([^!]*)!([^!]*)!/;

/** Returns the name of a row, which UTF-8 can express. Names of numbered rows are in the order of their numbers. */
export function rowName(accountId: string, kind: RowKind, key: string | number): string {
  if (typeof key === 'number') return `${accountId}!${kind}!${String(key).padStart(16, '0')}`;
  // PostgreSQL accepts names up to 2,700 bytes.
  const short = key.length > 500 ? createHash('sha256').update(key).digest('hex') : key;
  // JSON escapes the half characters that UTF-8 cannot express.
  return `${accountId}!${kind}!${JSON.stringify(short).slice(1, -1)}`;
}

export function readName(name: string): { readonly id: string; readonly kind: RowKind } {
  const [, id = '', kind] = NAME.exec(name) ?? [];
  return { id, kind: kind as RowKind };
}

/** Persists all records and log entries of an account. Persists the cards in the order of their last update. */
export function persistAll(snapshot: AccountSnapshot, persist: Persist): void {
  const { scheduler, effects, journal } = snapshot;
  const { cards, updated, listings, timeline, refusedValues, ...found } = snapshot.records;
  for (const number of updated) persist('cards', number, cards[number]);
  persistListings(cards, listings, persist);
  for (const line of timeline) persist('timeline', undefined, line);
  for (const refused of refusedValues) persist('refusedValues', `${refused.kind} ${refused.value}`, refused);
  for (const [table, some] of Object.entries(found)) for (const record of some) persist(table as RowKind, record.id, record);
  for (const due of scheduler.planned) persist('scheduler', dueKey(due), due);
  const { waiting: _, ...logs } = effects;
  for (const [kind, { kept, dropped }] of Object.entries(logs)) persistEntries(kind as RowKind, kept, dropped, persist);
  persistEntries('journal', journal.entries, journal.dropped, persist);
}

export function persistEntries(kind: RowKind, entries: readonly unknown[], dropped: number, persist: Persist): void {
  for (const [index, entry] of entries.entries()) persist(kind, dropped + index, entry);
}

function persistListings(cards: readonly CardRecord[], listings: readonly ListingRecord[], persist: Persist): void {
  const numbers = new Map(cards.map(({ id }, number) => [id, number]));
  const ofCard = new Map<string, ListingRecord[]>();
  for (const listing of listings) ofCard.set(listing.cardId, [...(ofCard.get(listing.cardId) ?? []), listing]);
  for (const [cardId, some] of ofCard) persist('listings', numbers.get(cardId), some);
}

/** The tables whose records are in the order of their rows. */
const OTHERS = ['adjustments', 'timeline', 'webhooks', 'automations', 'automationKeys', 'refusedValues', 'coupons'] as const;

type Progress = Readonly<Record<'waiting' | 'advice', unknown>> & { readonly clock: ClockState; readonly savedAt: number };

/**
 * Returns the snapshot of an account from its rows. A running clock runs on while the sandbox is stopped. The rows may have any content, so the caller
 * must check the snapshot.
 */
export function snapshotOf(rows: Rows): unknown {
  const head = valuesOf(rows, 'head')[0] as object;
  const { waiting, advice, clock, savedAt, ...progress } = valuesOf(rows, 'progress')[0] as Progress;
  const records = {
    ...cardsOf(rows.get('cards') ?? []),
    listings: valuesOf(rows, 'listings').flat(),
    ...Object.fromEntries(OTHERS.map((table) => [table, inOrder(rows, table)])),
  };
  return {
    ...head,
    ...progress,
    clock:
      clock.mode === 'running' ? { ...clock, now: Math.min(clock.now + Math.max(0, systemTime() - savedAt), LAST_TIME) } : clock,
    scheduler: { planned: (inOrder(rows, 'scheduler') as { readonly at: number }[]).sort((one, other) => one.at - other.at) },
    records,
    effects: {
      outbox: logOf(rows, 'outbox'),
      deliveries: logOf(rows, 'deliveries'),
      pushes: logOf(rows, 'pushes'),
      suppressed: logOf(rows, 'suppressed'),
      waiting,
    },
    journal: journalOf(rows, advice),
  };
}

export function journalOf(rows: Rows, advice: unknown): unknown {
  const { kept, dropped } = logOf(rows, 'journal');
  return { entries: kept, dropped, advice };
}

export function valuesOf(rows: Rows, kind: RowKind): unknown[] {
  return (rows.get(kind) ?? []).map(({ value }) => value);
}

function inOrder(rows: Rows, kind: RowKind): unknown[] {
  return [...(rows.get(kind) ?? [])].sort((one, other) => one.order - other.order).map(({ value }) => value);
}

/** The order of a log's row is the number of its entry. */
export function logOf(rows: Rows, kind: RowKind) {
  const dropped = (rows.get(kind) ?? []).reduce((least, { order }) => Math.min(least, order), Number.POSITIVE_INFINITY);
  return { kept: inOrder(rows, kind), dropped: Number.isFinite(dropped) ? dropped : 0 };
}

interface RankedCard extends Ranked {
  readonly place: number;
  readonly order: number;
  readonly isBackdated: boolean;
  readonly card: CardRecord;
}

/** Returns the cards in the order of creation, and their places in the order of the last update. */
function cardsOf(rows: readonly StoreRow[]) {
  const cards = rows.map(({ order, value }, place): RankedCard => {
    const isBackdated = Object.hasOwn(value as object, 'backdated');
    return {
      place,
      order,
      isBackdated,
      card: isBackdated ? (value as { backdated: CardRecord }).backdated : (value as CardRecord),
      block: undefined,
      slot: 0,
    };
  });
  const recency = new Recency<RankedCard>();
  for (const card of [...cards].sort((one, other) => one.order - other.order)) {
    recency.touch(card);
    if (card.isBackdated) recency.settle(card);
  }
  return { cards: cards.map(({ card }) => card), updated: Array.from(recency.all(), ({ place }) => place) };
}
