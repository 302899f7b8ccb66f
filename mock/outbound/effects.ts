import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account/account.ts';
import { alarm } from '../account/clock.ts';
import type { Due } from '../account/scheduler.ts';
import type { Effect } from '../domain/outcome.ts';
import { settle } from '../pipeline/commit.ts';
import type { CardRecord } from '../state/records.ts';
import type { Cause } from './cause.ts';
import { isHeldBack, push } from './channels.ts';
import type { Delivery } from './delivery.ts';
import { MOST_WAITING } from './delivery-queues.ts';
import type { Happened } from './happened.ts';
import type { DeliveryReference, Find } from './references.ts';
import { type Suppressed, Suppressions } from './suppressed.ts';
import { whyUnheard } from './unheard.ts';

/** What waits to leave: a value, so that a snapshot can hold it. */
type Waiting =
  | { readonly kind: 'push'; readonly card: CardRecord; readonly cause: Cause }
  | { readonly kind: 'email'; readonly effect: Extract<Effect, { kind: 'email' }>; readonly cause: Cause }
  | (Extract<Effect, { kind: 'trial' }> & { readonly cause: Cause })
  | { readonly kind: 'dispatch'; readonly delivery: Delivery };

/** The effects of an account as a value. */
export interface EffectsState {
  readonly suppressed: readonly Suppressed[];
  readonly suppressedDropped: number;
  readonly waiting: readonly (
    | Exclude<Waiting, { kind: 'dispatch' }>
    | { readonly kind: 'dispatch'; readonly delivery: DeliveryReference }
  )[];
  readonly missed: readonly DeliveryReference[];
}

/**
 * What an account's decisions cause, in their order, after the answer has left (gift-card.create.added-to-channels-after-answer): first the
 * channels, then emails (emails.sent-after-channels), then deliveries. It also wakes the account when its clock reaches the next moment.
 */
export class Effects {
  readonly #account: Account;
  #waiting: Waiting[] = [];
  #running: NodeJS.Immediate | undefined;
  #idle: (() => void)[] = [];
  #callOff: () => void = () => {};
  #alarmFor: number | undefined;
  #stopped = false;
  readonly #watchers = new Set<(happened: Happened) => void>();
  /** What was missed without a subscription and goes out with the next one (delivery.missed-while-unsubscribed); what is more is dropped, and says so. */
  #missed: Delivery[] = [];
  /** What did not happen, and why. */
  readonly suppressed = new Suppressions();
  readonly #defect: (error: unknown) => void;

  constructor(account: Account, defect: (error: unknown) => void) {
    this.#account = account;
    this.#defect = defect;
  }

  /** Whether the account is gone: reset, replaced or removed. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Tells of everything that happens from now on, until the returned function is called. */
  watch(watcher: (happened: Happened) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Tells the watchers that something fell due and was carried out; what it causes comes after. */
  fell(due: Due, cause: Cause): void {
    const card = this.#account.state.card(due.cardId);
    if (card) this.#tell({ kind: 'moment', cause, due, card });
  }

  /** Never throws: what caused the effects has happened, so the caller's answer stands even where one of them breaks. */
  queue(effects: readonly Effect[], cause: Cause): void {
    this.#sendMissed();
    for (const effect of effects) this.guarded(() => this.#take(effect, cause));
    this.#start();
    if (this.#account.agenda.next()?.at !== this.#alarmFor) this.plan();
  }

  /** Sets the alarm for the next moment of the agenda; to be called whenever the clock was moved. */
  plan(): void {
    this.#callOff();
    if (this.#stopped) return;
    const next = this.#account.agenda.next()?.at;
    this.#alarmFor = next;
    const wait = next === undefined ? undefined : this.#account.clock.until(next);
    if (wait === undefined) return;
    this.#callOff = alarm(wait, () => {
      this.#alarmFor = undefined;
      settle(this.#account, this.#account.clock.now());
      this.plan();
    });
  }

  /** Resolves once everything has happened that is due by now, all that it caused has left, and every delivery has its answer. */
  async settled(): Promise<void> {
    settle(this.#account, this.#account.clock.now());
    this.#sendMissed();
    await this.left();
    await this.#account.deliveries.settled();
  }

  /** Resolves once all that was caused so far has left: pushes are made, emails sent, deliveries on their way. */
  async left(): Promise<void> {
    if (this.#running) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Nothing more happens by itself or leaves; who waits until all is settled waits no longer. */
  stop(): void {
    this.#stopped = true;
    this.#callOff();
    clearImmediate(this.#running);
    this.#running = undefined;
    this.#waiting = [];
    this.#missed = [];
    this.#account.deliveries.stop();
    this.#account.outbox.stop();
    this.suppressed.stop();
    this.#rest();
  }

  state(): EffectsState {
    const refer = this.#account.deliveries.references();
    return {
      suppressed: this.suppressed.all(),
      suppressedDropped: this.suppressed.dropped,
      waiting: this.#waiting.map((each) => (each.kind === 'dispatch' ? { ...each, delivery: refer(each.delivery) } : each)),
      missed: this.#missed.map(refer),
    };
  }

  /** Puts back what `state` gave, in an account that has none yet, and goes on with what waits. */
  restore(state: EffectsState, find: Find): void {
    this.suppressed.restore(state.suppressed, state.suppressedDropped);
    this.#waiting = state.waiting.map((each) => (each.kind === 'dispatch' ? { ...each, delivery: find(each.delivery) } : each));
    this.#missed = state.missed.map(find);
    this.#start();
  }

  #start(): void {
    if (this.#waiting.length > 0) this.#running ??= setImmediate(() => this.#run());
  }

  #take(effect: Effect, cause: Cause): void {
    const { deliveries, settings, behaviors, state } = this.#account;
    switch (effect.kind) {
      case 'push':
        this.#waiting.push({ kind: 'push', card: effect.card, cause });
        return;
      case 'email':
        this.#waiting.push({ kind: 'email', effect, cause });
        return;
      case 'suppressed':
        this.#note(effect.what, effect.card, effect.clause, effect.why, cause);
        return;
      case 'trial':
        this.#waiting.push({ ...effect, cause });
        return;
      case 'delivery': {
        // delivery.only-while-subscribed
        if (!settings.subscriptionActive && behaviors['delivery.missed-while-unsubscribed'] === 'lost') {
          const why = "the account's subscription is not active";
          const clause = 'delivery.only-while-subscribed';
          this.#note(effect.topic, effect.card, clause, why, cause);
          return;
        }
        const formed = deliveries.form(effect.topic, effect.card, cause);
        if (formed.length === 0) {
          const unheard = whyUnheard(state);
          if (unheard) this.#note(effect.topic, effect.card, unheard.clause, unheard.why, cause);
        }
        for (const delivery of formed) {
          this.#tell({ kind: 'delivery', cause, delivery });
          if (settings.subscriptionActive) this.#waiting.push({ kind: 'dispatch', delivery });
          else if (this.#missed.length < MOST_WAITING) this.#missed.push(delivery);
          else deliveries.giveUp(delivery, 'wait for a subscription');
        }
      }
    }
  }

  #carryOut(waiting: Waiting): void {
    switch (waiting.kind) {
      case 'push': {
        const { card, cause } = waiting;
        this.#tell({ kind: 'push', cause, card, listings: push(card, this.#account, cause) });
        this.#update(card.id, cause);
        return;
      }
      case 'email': {
        const { effect, cause } = waiting;
        if (isHeldBack(effect, this.#account)) {
          this.#note('email', effect.card, 'emails.channels-failing', 'a channel does not take the code', cause);
          return;
        }
        this.#tell({ kind: 'email', cause, email: this.#account.outbox.add(effect, cause) });
        this.#update(effect.card.id, cause);
        return;
      }
      case 'trial':
        this.#account.deliveries.tryOut(waiting.webhook, waiting.cause);
        return;
      case 'dispatch':
        this.#account.deliveries.dispatch(waiting.delivery);
        this.#update(waiting.delivery.giftCardId, waiting.delivery.cause);
    }
  }

  #sendMissed(): void {
    if (this.#missed.length === 0 || !this.#account.settings.subscriptionActive) return;
    for (const delivery of this.#missed.splice(0)) this.#waiting.push({ kind: 'dispatch', delivery });
    this.#start();
  }

  /** list.update-by-background-work */
  #update(cardId: string, cause: Cause): void {
    const { behaviors, state, clock } = this.#account;
    const card = behaviors['list.update-by-background-work'] === 'yes' ? state.card(cardId) : undefined;
    if (card) this.#account.apply([{ table: 'cards', put: { ...card, updatedAt: clock.now() } }], cause);
  }

  #note(what: string, card: CardRecord, clause: ClauseName, why: string, cause: Cause): void {
    const suppressed = { what, giftCardId: card.id, clause, why, cause };
    this.suppressed.add(suppressed);
    this.#tell({ kind: 'suppressed', cause, suppressed });
  }

  #tell(happened: Happened): void {
    for (const watcher of this.#watchers) watcher(happened);
  }

  #run(): void {
    const work = this.#waiting;
    this.#waiting = [];
    this.#running = undefined;
    for (const each of work) this.guarded(() => this.#carryOut(each));
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
