import { parseDateTime } from '../../openapi/date-time.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { DAY } from '../domain/dates.ts';
import { statusByBalance } from '../domain/status.ts';
import type { CardStatus } from '../state/records.ts';
import type { Books } from './books.ts';
import type { Card } from './description.ts';

/** A card's history on the clock, and the status that follows from it. */
export interface Moments {
  readonly status: CardStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
  readonly giftScheduledFor: number | null;
  /** One for each entry of the card's books. */
  readonly entries: readonly { readonly actionedAt: number; readonly createdAt: number }[];
}

/** The moment that a description gives absolutely, or in days from now (negative for the past); undefined when it gives none. */
export function momentOf(text: string | null | undefined, days: number | undefined, now: number): number | null | undefined {
  if (typeof text === 'string') return parseDateTime(text);
  if (days !== undefined) return now + Math.round(days * DAY);
  return text;
}

/** The same for a moment that the description gives in days before now. */
function momentAgo(text: string | undefined, days: number | undefined, now: number): number | undefined {
  return momentOf(text, days === undefined ? undefined : -days, now) ?? undefined;
}

/** As of `now`, nothing is due: where a date of the description has passed, what follows from it has happened. */
export function momentsOf(card: Card, books: Books, now: number): Moments {
  const past = (moment: number | null | undefined): moment is number => typeof moment === 'number' && moment <= now;
  const expiry = momentOf(card.expiresAtUtc, card.expiresInDays, now);
  const gift = momentOf(card.giftScheduledForUtc, card.giftScheduledInDays, now);
  const expiresAt = expiry === undefined ? (card.status === 'Expired' ? now - DAY : null) : expiry;
  const giftScheduledFor = gift === undefined ? (card.status === 'Scheduled' ? now + 7 * DAY : null) : gift;
  const updated = momentAgo(card.updatedAtUtc, card.updatedDaysAgo, now);
  const actioned = books.entries.map(({ described }) => momentAgo(described?.actionedAtUtc, described?.actionedDaysAgo, now));

  const createdAt = Math.min(
    now,
    momentAgo(card.createdAtUtc, card.createdDaysAgo, now) ??
      dayBefore([expiresAt, giftScheduledFor, updated, ...actioned].filter(past), now),
  );
  let recorded = createdAt;
  const entries = actioned.map((moment) => {
    const actionedAt = moment ?? recorded;
    recorded = Math.max(recorded, Math.min(now, actionedAt));
    return { actionedAt, createdAt: recorded };
  });
  const status = statusOf(card, books, past(expiresAt), past(giftScheduledFor));
  const lastEvent = Math.max(recorded, status === 'Expired' && past(expiresAt) ? expiresAt : createdAt);
  const updatedAt = Math.max(lastEvent, Math.min(now, updated ?? lastEvent));
  return { status, createdAt, updatedAt, expiresAt, giftScheduledFor, entries };
}

function dayBefore(moments: readonly number[], now: number): number {
  return moments.length === 0 ? now : Math.min(...moments) - DAY;
}

function statusOf(card: Card, books: Books, expired: boolean, giftDue: boolean): CardStatus {
  if (card.status === 'Voided' || card.status === 'Expired') return card.status;
  if (expired) return 'Expired';
  if (card.status === 'Scheduled' && giftDue) return statusByBalance(books.balance, 'Scheduled', defaultBehaviors);
  // A card that was issued with nothing is no used one (gift-card.status.created-with-zero).
  return card.status ?? (books.entries.length > 0 ? statusByBalance(books.balance, 'Active', defaultBehaviors) : 'Active');
}
