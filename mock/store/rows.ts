import { keyOf } from '../account/scheduler.ts';
import type { AccountSnapshot } from '../snapshot/capture.ts';
import type { Keep, RowKind } from '../state/keep.ts';
import { type Ranked, Recency } from '../state/recency.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';

/** A row of an account, as read from the store. */
export interface Row {
  readonly key: string;
  /** Increases with every write. */
  readonly order: number;
  readonly value: unknown;
}

/** The rows of an account or of the sandbox, by kind. The rows of a kind are in the order of their keys. */
export type Rows = ReadonlyMap<RowKind, readonly Row[]>;

/** Rows that keep the order of their first write, because their order is visible. */
export const PLACED: ReadonlySet<RowKind> = new Set(['head', 'webhooks', 'automations', 'coupons']);

const NAME = /^([^!]*)!([^!]*)!(.*)$/s;

/** Returns the name of a row, which UTF-8 can express. Names of numbered rows are in the order of their numbers. */
export function rowName(accountId: string, kind: RowKind, key: string | number): string {
  // JSON escapes the half characters that UTF-8 cannot express.
  return `${accountId}!${kind}!${typeof key === 'number' ? String(key).padStart(16, '0') : JSON.stringify(key).slice(1, -1)}`;
}

export function readName(name: string): { readonly id: string; readonly kind: RowKind; readonly key: string } {
  const [, id = '', kind, key = ''] = NAME.exec(name) ?? [];
  return { id, kind: kind as RowKind, key };
}

/** Keeps all records and log entries of an account. Keeps the cards in the order of their last update. */
export function keepAll({ agenda, records, outbox, deliveries, effects, journal }: AccountSnapshot, keep: Keep): void {
  const { cards, updated, listings, timeline, refusedValues, ...found } = records;
  for (const number of updated) keep('cards', number, cards[number]);
  keepListings(cards, listings, keep);
  for (const line of timeline) keep('timeline', undefined, line);
  for (const refused of refusedValues) keep('refusedValues', `${refused.kind} ${refused.value}`, refused);
  for (const [table, some] of Object.entries(found)) for (const record of some) keep(table as RowKind, record.id, record);
  for (const due of agenda.planned) keep('agenda', keyOf(due), due);
  const logs = { outbox, deliveries, pushes: effects.pushes, suppressed: effects.suppressed };
  for (const [kind, { kept, dropped }] of Object.entries(logs)) keepEntries(kind as RowKind, kept, dropped, keep);
  keepJournal(journal, keep);
}

export function keepJournal({ entries, dropped, advice }: AccountSnapshot['journal'], keep: Keep): void {
  keepEntries('journal', entries, dropped, keep);
  keep('advice', '', advice);
}

function keepEntries(kind: RowKind, entries: readonly unknown[], dropped: number, keep: Keep): void {
  for (const [index, entry] of entries.entries()) keep(kind, dropped + index, entry);
}

function keepListings(cards: readonly CardRecord[], listings: readonly ListingRecord[], keep: Keep): void {
  const numbers = new Map(cards.map(({ id }, number) => [id, number]));
  const ofCard = new Map<string, ListingRecord[]>();
  for (const listing of listings) ofCard.set(listing.cardId, [...(ofCard.get(listing.cardId) ?? []), listing]);
  for (const [cardId, some] of ofCard) keep('listings', numbers.get(cardId), some);
}

/** Returns the snapshot of an account from its rows. The rows may have any content, so the caller must check the snapshot. */
export function snapshotOf(rows: Rows): unknown {
  const head = valuesOf(rows, 'head')[0] as object;
  const { waiting, ...progress } = valuesOf(rows, 'progress')[0] as { readonly waiting: unknown };
  const records = {
    ...cardsOf(rows.get('cards') ?? []),
    adjustments: inOrder(rows, 'adjustments'),
    timeline: inOrder(rows, 'timeline'),
    listings: valuesOf(rows, 'listings').flat(),
    webhooks: inOrder(rows, 'webhooks'),
    automations: inOrder(rows, 'automations'),
    automationKeys: inOrder(rows, 'automationKeys'),
    refusedValues: inOrder(rows, 'refusedValues'),
    coupons: inOrder(rows, 'coupons'),
  };
  return {
    ...head,
    ...progress,
    agenda: { planned: (inOrder(rows, 'agenda') as { readonly at: number }[]).sort((one, other) => one.at - other.at) },
    records,
    outbox: logOf(rows, 'outbox'),
    deliveries: logOf(rows, 'deliveries'),
    effects: { pushes: logOf(rows, 'pushes'), suppressed: logOf(rows, 'suppressed'), waiting },
    journal: journalOf(rows),
  };
}

export function journalOf(rows: Rows): unknown {
  const { kept, dropped } = logOf(rows, 'journal');
  return { entries: kept, dropped, advice: valuesOf(rows, 'advice')[0] ?? [] };
}

export function valuesOf(rows: Rows, kind: RowKind): unknown[] {
  return (rows.get(kind) ?? []).map(({ value }) => value);
}

function inOrder(rows: Rows, kind: RowKind): unknown[] {
  return [...(rows.get(kind) ?? [])].sort((one, other) => one.order - other.order).map(({ value }) => value);
}

/** The key of an entry is its number, counted from 0. */
function logOf(rows: Rows, kind: RowKind) {
  return { kept: valuesOf(rows, kind), dropped: Number(rows.get(kind)?.[0]?.key ?? 0) };
}

interface RankedCard extends Ranked {
  readonly place: number;
  readonly order: number;
  readonly isBackdated: boolean;
  readonly card: CardRecord;
}

/** Returns the cards in the order of creation, and their places in the order of the last update. */
function cardsOf(rows: readonly Row[]) {
  const cards = rows.map(({ order, value }, place): RankedCard => {
    const isBackdated = Object.hasOwn(value as object, 'backdated');
    return {
      place,
      order,
      isBackdated,
      card: isBackdated ? (value as { backdated: CardRecord }).backdated : (value as CardRecord),
      slot: -1,
    };
  });
  const recency = new Recency<RankedCard>();
  for (const card of [...cards].sort((one, other) => one.order - other.order)) {
    recency.touch(card);
    if (card.isBackdated) recency.settle(card, ({ card: { updatedAt } }) => updatedAt);
  }
  const updated = recency.page(0, cards.length, true).reverse();
  return { cards: cards.map(({ card }) => card), updated: updated.map(({ place }) => place) };
}
