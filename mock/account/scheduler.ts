import TinyQueue from 'tinyqueue';
import { type Due, reminderTime } from '../domain/due-events.ts';
import type { CardRecord } from '../state/records.ts';
import type { Timestamp } from '../state/value-types.ts';

/** An agenda as a value. */
export interface AgendaState {
  /** In the order in which it will be met. */
  readonly planned: readonly Due[];
  readonly reminders: readonly (readonly [cardId: string, planned: Timestamp, wanted: Timestamp])[];
}

interface Reminder {
  /** The moment of the card's entry in the queue. */
  planned: number;
  /** The moment since its last use, at or after which the reminder is really due. */
  wanted: number;
}

/**
 * What will fall due, earliest first; at the same moment, in the order in which it was planned. An entry is only a note to look: whether the
 * card still expires or the gift is still wanted is decided when the moment comes.
 */
export class Agenda {
  #queue = new TinyQueue<Note>([], sooner);
  #planned = 0;
  /** One for each card that waits for one: every use of a card puts its reminder off, and most cards are used often. */
  readonly #reminders = new Map<string, Reminder>();

  /** How much is noted down. */
  get size(): number {
    return this.#queue.length;
  }

  /** A reminder that was put off is moved to its new moment when its old one is the next. */
  next(): Due | undefined {
    for (let due = this.#queue.peek(); due; due = this.#queue.peek()) {
      if (due.kind !== 'reminder') return due;
      const reminder = this.#reminders.get(due.cardId);
      const isPlanned = reminder?.planned === due.at;
      if (isPlanned && reminder.wanted === due.at) return due;
      this.#queue.pop();
      if (isPlanned) this.#planReminder(due.cardId, reminder.wanted);
    }
    return undefined;
  }

  takeNext(): Due | undefined {
    const due = this.next();
    if (due?.kind === 'reminder') this.#reminders.delete(due.cardId);
    return this.#queue.pop();
  }

  /** Drops everything up to and including `until`, as if it had happened. */
  forget(until: number): void {
    for (let due = this.next(); due && due.at <= until; due = this.next()) this.takeNext();
  }

  /** Plans what follows from a card as it now stands; `before` is the card that it replaces, `expiry` when its expiry comes about. */
  follow(
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
    // Two changes in one moment are one use, and one reminder.
    if (reminderAfterDays === null) return;
    const moment = reminderTime(card, reminderAfterDays);
    if (moment !== null && moment !== (before && reminderTime(before, reminderAfterDays))) this.#remind(card.id, moment);
  }

  /** Plans the reminder of a card as it stands, unless its moment has passed by `now`. */
  remind(card: CardRecord, afterDays: number, now: number): void {
    const at = reminderTime(card, afterDays);
    if (at !== null && at > now) this.#remind(card.id, at);
  }

  state(): AgendaState {
    return {
      planned: this.#queue.data.toSorted(sooner).map(({ at, kind, cardId }) => ({ at, kind, cardId })),
      reminders: Array.from(this.#reminders, ([cardId, { planned, wanted }]) => [cardId, planned, wanted]),
    };
  }

  /** Puts back what `state` gave, in the place of everything that is noted down. */
  restore({ planned, reminders }: AgendaState): void {
    this.#queue.data = planned.map((due, order) => ({ ...due, order })); // In order, it is a heap already.
    this.#queue.length = planned.length;
    this.#planned = planned.length;
    this.#reminders.clear();
    for (const [cardId, at, wanted] of reminders) this.#reminders.set(cardId, { planned: at, wanted });
  }

  /** Plans these expiries, by card, in the place of all that are noted down. */
  replaceExpiries(expiries: Iterable<readonly [cardId: string, at: number | null]>): void {
    const others = this.#queue.data.filter(({ kind }) => kind !== 'expiry');
    this.#queue = new TinyQueue(others, sooner);
    for (const [cardId, at] of expiries) if (at !== null) this.#plan(at, 'expiry', cardId);
  }

  #remind(cardId: string, at: number): void {
    const reminder = this.#reminders.get(cardId);
    // Earlier than planned is only what was used after the clock was set back; the entry that it leaves behind is passed over.
    if (!reminder || at < reminder.planned) this.#planReminder(cardId, at);
    else reminder.wanted = at;
  }

  #planReminder(cardId: string, at: number): void {
    this.#reminders.set(cardId, { planned: at, wanted: at });
    this.#plan(at, 'reminder', cardId);
  }

  #plan(at: number, kind: Due['kind'], cardId: string): void {
    this.#queue.push({ at, kind, cardId, order: this.#planned++ });
  }
}

type Note = Due & { readonly order: number };

function sooner(a: Note, b: Note): number {
  return a.at - b.at || a.order - b.order;
}

/** Whether a card that could not expire is Active again after its expiry has passed. */
function isRevived(card: CardRecord, before: CardRecord | undefined): boolean {
  if (before === undefined || before.status === card.status || card.status !== 'Active') return false;
  return card.expiresAt !== null && card.expiresAt <= card.updatedAt;
}
