import { sliceOfTime } from '../account/clock.ts';
import type { AccountClock } from '../account/scheduler.ts';
import type { Effect } from '../domain/outcome.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import { BoundedLog, type LogState } from './bounded-log.ts';
import type { Cause } from './cause.ts';
import { push } from './channels.ts';
import { Deliveries, type SuppressedRecord } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import type { OutboundAccount } from './outbound-account.ts';
import { type Email, Outbox } from './outbox.ts';

/** An effect that is not sent yet. */
export interface WaitingEffect {
  readonly effect: Extract<Effect, { kind: 'push' | 'email' }>;
  readonly cause: Cause;
}

/** The estimated length of a listing, in characters. */
const LISTING_LENGTH = 100;

export interface Pushed {
  readonly cause: Cause;
  readonly giftCardId: string;
  readonly currency: string;
  readonly listings: readonly ListingRecord[];
}

/** The queue and the logs of effects in a snapshot. */
export interface EffectsState {
  readonly outbox: LogState<Email>;
  readonly deliveries: LogState<Delivery>;
  readonly pushes: LogState<Pushed>;
  readonly suppressed: LogState<SuppressedRecord>;
  readonly waiting: readonly WaitingEffect[];
}

interface EffectSource extends OutboundAccount {
  readonly clock: Pick<AccountClock, 'now' | 'catchUp' | 'updateTimer' | 'endTimer'>;
}

/**
 * Sends the effects of an account's decisions in their order, in a later turn of the event loop, after the response
 * (gift-card.create.added-to-channels-after-response). With a store, pushes and emails may be ready before the response, but nothing leaves before it.
 * Deliveries are sent after pushes and emails (emails.sent-after-channels). The logs keep what was sent, and what was not.
 */
export class EffectQueue {
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  readonly pushes: BoundedLog<Pushed>;
  readonly suppressed: BoundedLog<SuppressedRecord>;
  /** True once the account was reset, replaced or removed, or the sandbox was closed. */
  stopped = false;
  readonly #account: EffectSource;
  #queue: WaitingEffect[] = [];
  /** Deliveries that are not in the queue of their webhook yet. */
  #created: Delivery[] = [];
  /** The next run of the queue. */
  #run: Promise<void> | undefined;

  constructor(account: EffectSource) {
    this.#account = account;
    this.outbox = new Outbox(account);
    this.deliveries = new Deliveries(account);
    this.pushes = new BoundedLog(
      ({ listings }) => listings.length * LISTING_LENGTH,
      (number, entry) => account.persist('pushes', number, entry),
    );
    this.suppressed = new BoundedLog(
      ({ why }) => why.length,
      (number, entry) => account.persist('suppressed', number, entry),
    );
  }

  /** Queues effects. If the queuing throws, the request still succeeds, because its changes are already made. */
  queue(effects: readonly Effect[], cause: Cause): void {
    for (const effect of effects) this.guarded(() => this.#enqueue(effect, cause));
    this.#start();
    this.#account.clock.updateTimer();
  }

  /** Runs the due events. Resolves after all effects are sent and every delivery has ended. */
  async settled(): Promise<void> {
    await this.#account.clock.catchUp();
    await this.left();
    await this.deliveries.settled();
  }

  /** Resolves after every queued effect is sent. A delivery counts as sent when it is in the queue of its webhook. */
  async left(): Promise<void> {
    while (this.#run) await this.#run;
  }

  /** From now on, nothing is sent. The queued effects stay in the store. */
  stop(): void {
    this.stopped = true;
    this.#account.clock.endTimer();
    this.deliveries.stop();
    this.outbox.stop();
    this.suppressed.stop();
  }

  get waiting(): EffectsState['waiting'] {
    return this.#queue;
  }

  state(): EffectsState {
    return {
      outbox: this.outbox.state(),
      deliveries: this.deliveries.state(),
      pushes: this.pushes.state(),
      suppressed: this.suppressed.state(),
      waiting: [...this.#queue],
    };
  }

  /** Restores the result of `state()` into a new account, and sends the queued effects and deliveries. */
  restore({ outbox, deliveries, pushes, suppressed, waiting }: EffectsState): void {
    this.outbox.restore(outbox);
    this.deliveries.restore(deliveries);
    this.pushes.restore(pushes);
    this.suppressed.restore(suppressed);
    this.#queue = [...waiting];
    this.#created = this.deliveries.all().filter((each) => each.state === 'queued');
    this.#start();
  }

  /** Runs a step, and logs its error as a defect of the mock. */
  guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#account.services.defect(error);
    }
  }

  #enqueue(effect: Effect, cause: Cause): void {
    switch (effect.kind) {
      case 'suppressed':
        this.#suppress(effect.what, effect.card, effect, cause);
        return;
      case 'delivery': {
        const reason = this.deliveries.whyNone();
        if (reason) this.#suppress(effect.topic, effect.card, reason, cause);
        else this.#created.push(...this.deliveries.create(effect.topic, effect.card, cause));
        return;
      }
      default:
        this.#queue.push({ effect, cause });
    }
  }

  #suppress(
    what: string,
    { id: giftCardId }: CardRecord,
    { rule, why }: Pick<SuppressedRecord, 'rule' | 'why'>,
    cause: Cause,
  ): void {
    this.suppressed.add({ what, giftCardId, rule, why, cause });
  }

  #carryOut({ effect, cause }: WaitingEffect): void {
    if (effect.kind === 'email') {
      this.outbox.send(effect, cause);
      return;
    }
    const { id: giftCardId, currency } = effect.card;
    const listings = push(effect.card, this.#account);
    if (listings.length > 0) this.pushes.add({ cause, giftCardId, currency, listings });
  }

  #start(): void {
    if (this.stopped || this.#queue.length + this.#created.length === 0) return;
    // With the promise of node:timers/promises, creating a card takes 5 % longer.
    this.#run ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#run = undefined;
        if (!this.stopped) this.#carryOutSlice();
        resolve();
      }),
    );
  }

  /** Sends effects for a slice of time. The next turn of the event loop sends the others. Deliveries wait for all pushes and emails. */
  #carryOutSlice(): void {
    const isOver = sliceOfTime();
    let [sent, dispatched] = [0, 0];
    do {
      const waiting = this.#queue[sent];
      const delivery = this.#created[dispatched];
      if (waiting) {
        sent++;
        this.guarded(() => this.#carryOut(waiting));
      } else if (delivery) {
        dispatched++;
        this.deliveries.dispatch(delivery);
      } else break;
    } while (!isOver());
    this.#queue = this.#queue.slice(sent);
    this.#created = this.#created.slice(dispatched);
    this.#start();
  }
}
