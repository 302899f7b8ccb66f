import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { Contract } from '../contract/contract.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { type CardPages, CardRenderer } from '../contract/render/card.ts';
import { type JsonFormat, jsonFormatOf } from '../contract/render/json-format.ts';
import { expiryTime } from '../domain/due-events.ts';
import type { Context } from '../domain/outcome.ts';
import type { Faults } from '../faults/faults.ts';
import { type ChangeSummary, summarizeChanges } from '../journal/change-summary.ts';
import { Journal } from '../journal/journal.ts';
import { redactorOf } from '../journal/redaction.ts';
import type { Cause } from '../outbound/cause.ts';
import { Deliveries } from '../outbound/deliveries.ts';
import { EffectQueue } from '../outbound/effect-queue.ts';
import { Outbox } from '../outbound/outbox.ts';
import type { Post } from '../outbound/post.ts';
import { RateWindow } from '../pipeline/rate-limit.ts';
import type { Change } from '../state/change.ts';
import { invariantsOf } from '../state/invariants.ts';
import type { Persist } from '../state/persist.ts';
import type { CardRecord } from '../state/records.ts';
import { State } from '../state/state.ts';
import type { FilledAccount as AccountDescription } from '../world/description.ts';
import { Clock, RandomSource, type Slices } from './clock.ts';
import type { Log } from './log.ts';
import { Scheduler } from './scheduler.ts';
import { LongWork } from './serial-queue.ts';
import type { ApiKey, Settings } from './settings.ts';

/** The values with which an account starts. */
export interface AccountStart {
  readonly id: string;
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  /** The seed of the account's random IDs and codes. */
  readonly seed: number;
  readonly variant: ContractVariant;
}

/** Settings and functions that a sandbox shares with all of its accounts. */
export interface AccountServices {
  readonly cardPages: CardPages;
  /** Requests per minute and account; null for no limit. */
  readonly rateLimit: number | null;
  /** Hosts other than loopback that webhooks may reach without TLS, in lower case. */
  readonly plainHttpHosts: readonly string[];
  readonly post: Post;
  catchUp(account: Account): Promise<void> | undefined;
  readonly log: Log;
  readonly rows: {
    /** Persists a row of an account, if there is a store. */
    persist(account: Account, ...row: Parameters<Persist>): void;
    /** Replaces all rows of an account in the store, because the account was added, replaced or removed. */
    replaced(accountId: string): void;
    /** Resolves when all changes are in the store. Undefined without a store. */
    stored(): Promise<void> | undefined;
  };
  /** Logs a defect of the mock. */
  defect(error: unknown): void;
}

/** The values from which a reset creates the account again. */
export interface AccountOrigin {
  readonly description: AccountDescription;
  readonly seed: number;
  readonly variant: ContractVariant;
}

/** How an account writes its responses. */
interface Wire {
  readonly variant: ContractVariant;
  readonly renderer: CardRenderer;
  readonly jsonFormat: JsonFormat | undefined;
}

function wireOf(variant: ContractVariant, cardPages: CardPages): Wire {
  const { contract, behaviors } = variant;
  return { variant, renderer: new CardRenderer(contract, behaviors, cardPages), jsonFormat: jsonFormatOf(behaviors) };
}

/** An account of the service. No account sees or changes the data of another. */
export class Account {
  readonly id: string;
  readonly seed: number;
  /** Only `useSettings` changes the settings. */
  settings: Settings;
  /** All keys, including deleted keys. Only the account registry changes the keys. */
  keys: readonly ApiKey[];
  readonly state = new State();
  readonly clock = new Clock();
  readonly scheduler: Scheduler;
  readonly work = new LongWork();
  random: RandomSource;
  readonly rate: RateWindow;
  /** Undefined until a fault is set. */
  faults: Faults | undefined;
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  readonly effects: EffectQueue;
  readonly services: AccountServices;
  readonly persist: Persist;
  /** The time at which the registry removes the account, in real milliseconds since 1970; null for never. */
  goneAt: number | null = null;
  /** Undefined if the account came with a snapshot from another world. Such an account cannot be reset. */
  origin: AccountOrigin | undefined;
  /** True while expiries and reminders are planned again. */
  isReplanning = false;
  /** The number of the newest cause, counted from 1. */
  causes = 0;
  /** Only `useVariant` changes the variant. */
  #wire: Wire;

  constructor({ id, settings, keys, seed, variant }: AccountStart, services: AccountServices) {
    this.id = id;
    this.settings = settings;
    this.keys = keys;
    this.seed = seed;
    this.random = RandomSource.seeded(seed, id);
    this.services = services;
    this.#wire = wireOf(variant, services.cardPages);
    this.rate = new RateWindow(services.rateLimit);
    this.persist = (kind, key, value) => services.rows.persist(this, kind, key, value);
    this.scheduler = new Scheduler((key, due) => this.persist('scheduler', key, due));
    this.journal = new Journal(this.persist);
    this.outbox = new Outbox(this);
    this.deliveries = new Deliveries(this, services.post, (ended) => services.log.delivery(id, ended, redactorOf([this])));
    this.effects = new EffectQueue(this, () => services.catchUp(this));
  }

  get variant(): ContractVariant {
    return this.#wire.variant;
  }

  get contract(): Contract {
    return this.#wire.variant.contract;
  }

  get behaviors(): Behaviors {
    return this.#wire.variant.behaviors;
  }

  get renderer(): CardRenderer {
    return this.#wire.renderer;
  }

  get jsonFormat(): JsonFormat | undefined {
    return this.#wire.jsonFormat;
  }

  *useVariant(variant: ContractVariant): Slices<void> {
    const before = this.behaviors;
    this.#wire = wireOf(variant, this.services.cardPages);
    const expiriesChange = this.behaviors['gift-card.expiry.when-noticed'] !== before['gift-card.expiry.when-noticed'];
    yield* this.replan(expiriesChange, false);
  }

  *useSettings(settings: Settings): Slices<void> {
    const { reminderAfterDays, timeZone } = this.settings;
    this.settings = settings;
    const isDaily = this.behaviors['gift-card.expiry.when-noticed'] === 'daily';
    yield* this.replan(isDaily && settings.timeZone !== timeZone, settings.reminderAfterDays !== reminderAfterDays);
  }

  /** Persists settings, keys and variant. */
  keepHead(): void {
    this.persist('head', '', null);
  }

  /** Plans the expiries, the reminders or both again. If the process is killed meanwhile, the next start plans them. */
  *replan(expiries: boolean, reminders: boolean): Slices<void> {
    this.isReplanning = expiries || reminders;
    this.keepHead();
    const now = this.clock.now();
    if (expiries) yield* this.scheduler.replaceExpiries(this.state.cards(), (card) => this.#expiryOf(card));
    if (reminders)
      for (const card of this.state.cards()) yield this.scheduler.planReminder(card, this.settings.reminderAfterDays, now);
    if (this.isReplanning) this.effects.plan();
    this.isReplanning = false;
    this.keepHead();
  }

  #expiryOf(card: CardRecord): number | null {
    return expiryTime(card, this.settings, this.behaviors);
  }

  /**
   * Creates a cause with the next number. `giftCardId` is the card of a due event. The journal records every action of the control API, even an
   * action that changes nothing.
   */
  cause(kind: Cause['kind'], what: string, at: number, giftCardId?: string): Cause {
    const id = ++this.causes;
    const cause: Cause = { id, kind, what, at, giftCardId };
    if (kind === 'control') this.journal.acted(cause);
    return cause;
  }

  /** Returns the context of a decision. `actor` is the name that the card's timeline shows. */
  context(now: number, actor: string): Context {
    const { state, settings, behaviors, random, services } = this;
    const { plainHttpHosts, cardPages } = services;
    const newCodes: string[] = [];
    return {
      now,
      actor,
      state,
      settings,
      behaviors,
      plainHttpHosts,
      cardPages,
      render: (card) => this.renderer.render(card),
      newId: () => random.guid(),
      newCode: () => {
        // gift-card.create.generates-code, gift-card.create.code-follows-account-format
        const isTaken = (code: string) => state.cardByCode(code, 'any') !== undefined || newCodes.includes(code);
        const code = random.freeCode(settings.codeFormat, isTaken);
        newCodes.push(code);
        return code;
      },
    };
  }

  /** Applies changes, and returns them in short form for the journal. */
  apply(changes: readonly Change[]): readonly ChangeSummary[] {
    const touched = summarizeChanges(changes, this.state);
    this.load(changes);
    return touched;
  }

  /** Applies changes that have no cause. Example: the first cards of an account. */
  load(changes: readonly Change[]): void {
    const { state, settings, scheduler } = this;
    const violationOf = invariantsOf(changes, state, this.behaviors);
    for (const change of changes) {
      const violation = violationOf(change);
      if (violation !== undefined) this.services.defect(violation);
      if (change.table === 'cards') {
        const card = change.put;
        scheduler.update(card, state.card(card.id), settings.reminderAfterDays, this.#expiryOf(card));
      }
      state.apply(change);
      this.persist(...state.rowOf(change));
    }
  }
}
