import TinyQueue from 'tinyqueue';
import { type Due, reminderTime } from '../domain/due-events.ts';
import type { CardRecord } from '../state/records.ts';
import type { Timestamp } from '../state/value-types.ts';

/** The agenda in a snapshot. */
export interface AgendaState {
  /** In the order in which they are due. */
  readonly planned: readonly Due[];
  readonly reminders: readonly (readonly [cardId: string, planned: Timestamp, wanted: Timestamp])[];
}

interface Reminder {
  /** The time of the card's event in the queue. */
  planned: number;
  /** The time at which the reminder is really due, after the card was used again. */
  wanted: number;
}

type Note = Due & { readonly order: number };

/**
 * The due events of an account: the earliest first, events of the same time in the order of planning. An event only says when to decide. Whether the
 * card still expires, or the gift is still wanted, is decided at its time.
 */
export class Agenda {
  #queue = new TinyQueue<Note>([], byTime);
  #planned = 0;
  /** One reminder per card. Each use of a card delays its reminder, so the queue keeps one event, which is moved when it comes first. */
  readonly #reminders = new Map<string, Reminder>();

  /** How many events the queue has. */
  get size(): number {
    return this.#queue.length;
  }

  /** The next event. */
  next(): Due | undefined {
    for (let due = this.#queue.peek(); due; due = this.#queue.peek()) {
      if (due.kind !== 'reminder') return due;
      const reminder = this.#reminders.get(due.cardId);
      if (reminder?.planned === due.at && reminder.wanted === due.at) return due;
      this.#queue.pop();
      if (reminder?.planned === due.at) this.#queueReminder(due.cardId, reminder.wanted);
    }
    return undefined;
  }

  /** Removes the next event and returns it. */
  takeNext(): Due | undefined {
    const due = this.next();
    if (due?.kind === 'reminder') this.#reminders.delete(due.cardId);
    return this.#queue.pop();
  }

  /** Removes all events up to and including `until`. */
  skip(until: number): void {
    for (let due = this.next(); due && due.at <= until; due = this.next()) this.takeNext();
  }

  /** Plans the events of a changed card; `before` is the card that it replaces, `expiry` the time at which the service expires it. */
  update(
    card: CardRecord,
    before: CardRecord | undefined,
    reminderAfterDays: number | null,
    expiry: number | null = card.expiresAt,
  ): void {
    if (expiry !== null && (card.expiresAt !== before?.expiresAt || isRevived(card, before)))
      this.#plan(expiry, 'expiry', card.id);
    if (card.giftScheduledFor !== null && card.giftScheduledFor !== before?.giftScheduledFor) {
      this.#plan(card.giftScheduledFor, card.status === 'Scheduled' ? 'start' : 'gift', card.id);
    }
    if (reminderAfterDays === null) return;
    const at = reminderTime(card, reminderAfterDays);
    if (at !== null && at !== (before && reminderTime(before, reminderAfterDays))) this.#setReminder(card.id, at);
  }

  /** Plans the reminder of a card, unless its time has passed. */
  planReminder(card: CardRecord, afterDays: number, now: number): void {
    const at = reminderTime(card, afterDays);
    if (at !== null && at > now) this.#setReminder(card.id, at);
  }

  /** Replaces all expiries. */
  replaceExpiries(expiries: Iterable<readonly [cardId: string, at: number | null]>): void {
    const others = this.#queue.data.filter(({ kind }) => kind !== 'expiry');
    this.#queue = new TinyQueue(others, byTime);
    for (const [cardId, at] of expiries) if (at !== null) this.#plan(at, 'expiry', cardId);
  }

  state(): AgendaState {
    return {
      planned: this.#queue.data.toSorted(byTime).map(({ at, kind, cardId }) => ({ at, kind, cardId })),
      reminders: Array.from(this.#reminders, ([cardId, { planned, wanted }]) => [cardId, planned, wanted]),
    };
  }

  /** Restores the result of `state()`, and drops all other events. */
  restore({ planned, reminders }: AgendaState): void {
    this.#queue.data = planned.map((due, order) => ({ ...due, order })); // A sorted array is a heap.
    this.#queue.length = planned.length;
    this.#planned = planned.length;
    this.#reminders.clear();
    for (const [cardId, at, wanted] of reminders) this.#reminders.set(cardId, { planned: at, wanted });
  }

  #setReminder(cardId: string, at: number): void {
    const reminder = this.#reminders.get(cardId);
    // An earlier time only follows a clock that was set back. `next` ignores the event that it replaces.
    if (!reminder || at < reminder.planned) this.#queueReminder(cardId, at);
    else reminder.wanted = at;
  }

  #queueReminder(cardId: string, at: number): void {
    this.#reminders.set(cardId, { planned: at, wanted: at });
    this.#plan(at, 'reminder', cardId);
  }

  #plan(at: number, kind: Due['kind'], cardId: string): void {
    this.#queue.push({ at, kind, cardId, order: this.#planned++ });
  }
}

function byTime(one: Note, other: Note): number {
  return one.at - other.at || one.order - other.order;
}

/** Whether a card is Active again after its expiry has passed. */
function isRevived(card: CardRecord, before: CardRecord | undefined): boolean {
  if (before === undefined || before.status === card.status || card.status !== 'Active') return false;
  return card.expiresAt !== null && card.expiresAt <= card.updatedAt;
}
