import TinyQueue from 'tinyqueue';
import type { CardRecord } from './records.ts';

/** Something that happens by itself when an account's clock reaches its moment. */
export interface Due {
  readonly at: number;
  readonly kind: 'expiry' | 'gift' | 'reminder' | 'start';
  readonly cardId: string;
}

/**
 * What will fall due, earliest first; at the same moment, in the order in which it was planned. An entry is only a note to look: whether the
 * card still expires or the gift is still wanted is decided when the moment comes.
 */
export class Agenda {
  #queue = new TinyQueue<Due & { order: number }>([], (a, b) => a.at - b.at || a.order - b.order);
  #planned = 0;

  next(): Due | undefined {
    return this.#queue.peek();
  }

  takeNext(): Due | undefined {
    return this.#queue.pop();
  }

  /** Drops everything up to and including `until`, as if it had happened. */
  forget(until: number): void {
    while ((this.next()?.at ?? Number.POSITIVE_INFINITY) <= until) this.takeNext();
  }

  /** Plans what follows from a card as it now stands; `before` is the card that it replaces. */
  follow(card: CardRecord, before: CardRecord | undefined, reminderAfterDays: number | null): void {
    if (card.expiresAt !== null && card.expiresAt !== before?.expiresAt) this.#plan(card.expiresAt, 'expiry', card.id);
    if (card.giftScheduledFor !== null && card.giftScheduledFor !== before?.giftScheduledFor) {
      this.#plan(card.giftScheduledFor, card.status === 'Scheduled' ? 'start' : 'gift', card.id);
    }
    // Two changes in one moment are one use, and one reminder.
    if (reminderAfterDays !== null && card.updatedAt !== before?.updatedAt)
      this.#plan(reminderMoment(card, reminderAfterDays), 'reminder', card.id);
  }

  /** Leaves out what came before `now`, in an account that is described as it stands then. */
  begin(now: number): void {
    for (let due = this.#queue.peek(); due && due.at <= now; due = this.#queue.peek()) this.#queue.pop();
  }

  #plan(at: number, kind: Due['kind'], cardId: string): void {
    this.#queue.push({ at, kind, cardId, order: this.#planned++ });
  }
}

/** When a card that is not used any more gets its balance reminder (emails.reminder-when). */
export function reminderMoment(card: CardRecord, days: number): number {
  return card.updatedAt + days * 86_400_000;
}
