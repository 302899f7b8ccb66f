import TinyQueue from 'tinyqueue';
import { type Due, reminderTime } from '../domain/due-events.ts';
import type { Persist } from '../state/persist.ts';
import type { CardRecord } from '../state/records.ts';
import { Clock, type Slices, startTimer } from './clock.ts';

/** The state of a scheduler in a snapshot. */
export interface SchedulerState {
  /** The events, earliest first. */
  readonly planned: readonly Due[];
}

type Note = Due & { readonly order: number };

/** Persists a planned event. Removes the event if `due` is undefined. */
type PersistEvent = (key: string, due: Due | undefined) => void;

/** The planned events of an account, earliest first. Events with the same time are in the order of planning. */
export class Scheduler {
  #queue = new TinyQueue<Note>([], byTime);
  #planned = 0;
  /** The valid reminder time of each card. Each use of a card plans a new reminder. The old reminder stays in the queue, and is skipped. */
  readonly #reminders = new Map<string, number>();
  readonly #persist: PersistEvent;

  constructor(persist: PersistEvent = () => {}) {
    this.#persist = persist;
  }

  /** Returns the next event, if it is due at `until` or earlier. */
  next(until = Number.POSITIVE_INFINITY): Due | undefined {
    for (let due = this.#queue.peek(); due; due = this.#queue.peek()) {
      if (this.#isCurrent(due)) return due.at <= until ? due : undefined;
      this.#queue.pop();
    }
    return undefined;
  }

  takeNext(until?: number): Due | undefined {
    const due = this.next(until);
    if (!due) return undefined;
    if (due.kind === 'reminder') this.#reminders.delete(due.cardId);
    this.#persist(dueKey(due), undefined);
    return this.#queue.pop();
  }

  /** Removes all events that are due at `until` or earlier. */
  skip(until: number): void {
    while (this.takeNext(until));
  }

  /** Plans the events of a changed card. `before` is the card before the change. `expiry` is the time when the service expires the card. */
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
    if (card.updatedAt !== before?.updatedAt) this.planReminder(card, reminderAfterDays);
  }

  /** Plans the reminder of a card, which replaces an earlier reminder. If the reminder's time has passed at `now`, plans nothing. */
  planReminder(card: CardRecord, afterDays: number | null, now = Number.NEGATIVE_INFINITY): void {
    const at = reminderTime(card, afterDays);
    const former = this.#reminders.get(card.id);
    if (at === null || at <= now || at === former) return;
    if (former !== undefined) this.#persist(dueKey({ kind: 'reminder', cardId: card.id, at: former }), undefined);
    this.#reminders.set(card.id, at);
    this.#plan(at, 'reminder', card.id);
  }

  *replaceExpiries(cards: Iterable<CardRecord>, expiryOf: (card: CardRecord) => number | null): Slices<void> {
    const others = new TinyQueue<Note>([], byTime);
    for (const due of this.#queue.data) {
      if (due.kind === 'expiry') this.#persist(dueKey(due), undefined);
      else others.push(due);
      yield;
    }
    this.#queue = others;
    for (const card of cards) {
      const at = expiryOf(card);
      if (at !== null) this.#plan(at, 'expiry', card.id);
      yield;
    }
  }

  *capture(): Slices<SchedulerState> {
    const planned: Due[] = [];
    for (const due of this.inOrder()) {
      if (due) planned.push(due);
      yield;
    }
    return { planned };
  }

  /** Returns the events that are planned now, earliest first; undefined in place of a superseded event. */
  *inOrder(): Generator<Due | undefined> {
    const queue = new TinyQueue<Note>([], byTime);
    queue.data = [...this.#queue.data];
    queue.length = queue.data.length;
    for (let due = queue.pop(); due; due = queue.pop()) {
      const { at, kind, cardId } = due;
      yield this.#isCurrent(due) ? { at, kind, cardId } : undefined;
    }
  }

  /** Restores the result of `capture()` into an empty scheduler. */
  restore({ planned }: SchedulerState): void {
    for (const { at, kind, cardId } of planned) {
      if (kind === 'reminder') this.#reminders.set(cardId, at);
      this.#plan(at, kind, cardId);
    }
  }

  #isCurrent({ kind, cardId, at }: Due): boolean {
    return kind !== 'reminder' || this.#reminders.get(cardId) === at;
  }

  #plan(at: number, kind: Due['kind'], cardId: string): void {
    this.#queue.push({ at, kind, cardId, order: this.#planned++ });
    this.#persist(dueKey({ at, kind, cardId }), { at, kind, cardId });
  }
}

/** The clock of an account, its planned events, and the timer that runs the next event. */
export class AccountClock extends Clock {
  readonly scheduler: Scheduler;
  /** Runs the due events of the account. Returns undefined if no event is left. */
  readonly catchUp: () => Promise<void> | undefined;
  readonly #persist: Persist;
  #cancelTimer: () => void = () => {};
  #timerAt: number | undefined;
  #hasEnded = false;

  constructor(persist: Persist, catchUp: () => Promise<void> | undefined) {
    super();
    this.#persist = persist;
    this.catchUp = catchUp;
    this.scheduler = new Scheduler((key, due) => persist('scheduler', key, due));
  }

  /** Sets the timer for the next due event. Every change of the clock needs a new timer. */
  setTimer(): void {
    this.#cancelTimer();
    if (this.#hasEnded) return;
    this.#persist('progress', '', null);
    const next = this.scheduler.next()?.at;
    this.#timerAt = next;
    const wait = next === undefined ? undefined : this.until(next);
    if (wait === undefined) return;
    this.#cancelTimer = startTimer(wait, () => {
      this.#timerAt = undefined;
      const running = this.catchUp();
      if (running) running.then(() => this.setTimer());
      else this.setTimer();
    });
  }

  /** Sets the timer if another event is the next one now. */
  updateTimer(): void {
    if (this.scheduler.next()?.at !== this.#timerAt) this.setTimer();
  }

  /** From now on, no timer runs. */
  endTimer(): void {
    this.#hasEnded = true;
    this.#cancelTimer();
  }
}

/** Returns a key that distinguishes the planned events of an account. */
export function dueKey({ kind, cardId, at }: Due): string {
  return `${kind} ${cardId} ${at}`;
}

function byTime(one: Note, other: Note): number {
  return one.at - other.at || one.order - other.order;
}

/** Reports whether a card is Active again after its expiry has passed. */
function isRevived(card: CardRecord, before: CardRecord | undefined): boolean {
  if (before === undefined || before.status === card.status || card.status !== 'Active') return false;
  return card.expiresAt !== null && card.expiresAt <= card.updatedAt;
}
