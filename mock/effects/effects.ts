import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account.ts';
import { Bounded } from '../bounded.ts';
import type { Effect } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import { settle } from '../settle.ts';
import type { Cause } from './cause.ts';
import { push } from './channels.ts';
import type { Delivery } from './deliveries.ts';

/** Something that did not happen, and the clause that says so. */
export interface Suppressed {
  readonly what: string;
  readonly giftCardId: string;
  readonly clause: ClauseName;
  readonly why: string;
  readonly cause: Cause;
}

const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * What an account's decisions cause, in their order, after the answer has left (gift-card.create.added-to-channels-after-answer): first the
 * channels, then emails (emails.sent-after-channels), then deliveries. It also wakes the account when its clock reaches the next moment.
 */
export class Effects {
  readonly #account: Account;
  #waiting: (() => void)[] = [];
  #running: NodeJS.Immediate | undefined;
  #idle: (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #alarmFor: number | undefined;
  readonly #suppressed = new Bounded<Suppressed>(10_000, ({ why }) => why.length);

  readonly #defect: (error: unknown) => void;

  constructor(account: Account, defect: (error: unknown) => void) {
    this.#account = account;
    this.#defect = defect;
  }

  /** How many of them are not kept any more. */
  get suppressedDropped(): number {
    return this.#suppressed.dropped;
  }

  /** Oldest first. */
  suppressed(): readonly Suppressed[] {
    return this.#suppressed.all();
  }

  /** Never throws: what caused the effects has happened, so the caller's answer stands even where one of them breaks. */
  queue(effects: readonly Effect[], cause: Cause): void {
    for (const effect of effects) this.guarded(() => this.#take(effect, cause));
    if (this.#waiting.length > 0) this.#running ??= setImmediate(() => this.#run());
    if (this.#account.agenda.next()?.at !== this.#alarmFor) this.plan();
  }

  /** Sets the alarm for the next moment of the agenda; to be called whenever the clock was moved. */
  plan(): void {
    const next = this.#account.agenda.next()?.at;
    clearTimeout(this.#alarm);
    this.#alarmFor = next;
    const wait = next === undefined ? undefined : this.#account.clock.until(next);
    if (wait === undefined) return;
    this.#alarm = setTimeout(
      () => {
        this.#alarmFor = undefined;
        settle(this.#account, this.#account.clock.now());
        this.plan();
      },
      Math.min(wait, LONGEST_TIMER),
    );
    this.#alarm.unref();
  }

  /** Resolves once everything has happened that is due by now, all that it caused has left, and every delivery has its answer. */
  async settled(): Promise<void> {
    settle(this.#account, this.#account.clock.now());
    if (this.#running) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await this.#account.deliveries.settled();
  }

  /** Nothing more happens by itself or leaves; who waits until all is settled waits no longer. */
  stop(): void {
    clearTimeout(this.#alarm);
    clearImmediate(this.#running);
    this.#running = undefined;
    this.#waiting = [];
    this.#account.deliveries.stop();
    this.#rest();
  }

  #take(effect: Effect, cause: Cause): void {
    const { outbox, deliveries, settings } = this.#account;
    switch (effect.kind) {
      case 'push':
        this.#waiting.push(() => push(effect.card, this.#account));
        return;
      case 'email':
        this.#waiting.push(() => outbox.add(effect, cause));
        return;
      case 'suppressed':
        this.#note(effect.what, effect.card, effect.clause, effect.why, cause);
        return;
      case 'delivery': {
        // delivery.only-while-subscribed, delivery.missed-while-unsubscribed
        if (!settings.subscriptionActive) {
          const why = "the account's subscription is not active";
          const clause = 'delivery.only-while-subscribed';
          this.#note(effect.topic, effect.card, clause, why, cause);
          return;
        }
        const formed: Delivery[] = deliveries.form(effect.topic, effect.card, cause);
        if (formed.length > 0) this.#waiting.push(() => formed.forEach((delivery) => void deliveries.dispatch(delivery)));
      }
    }
  }

  #note(what: string, card: CardRecord, clause: ClauseName, why: string, cause: Cause): void {
    this.#suppressed.add({ what, giftCardId: card.id, clause, why, cause });
  }

  #run(): void {
    const work = this.#waiting;
    this.#waiting = [];
    this.#running = undefined;
    for (const step of work) this.guarded(step);
    if (!this.#running) this.#rest();
  }

  #rest(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Runs a step whose breaking is a defect of ours that stops nothing else. */
  guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#defect(error);
    }
  }
}
