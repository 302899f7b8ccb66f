import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { Contract } from '../contract/contract.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { type CardPages, CardRenderer } from '../contract/render/card.ts';
import { expiryTime } from '../domain/due-events.ts';
import type { Context } from '../domain/outcome.ts';
import type { Faults } from '../faults/faults.ts';
import { type ChangeSummary, summarizeChanges } from '../journal/change-summary.ts';
import { Journal } from '../journal/journal.ts';
import { EffectQueue } from '../outbound/effect-queue.ts';
import type { Post } from '../outbound/post.ts';
import { RateWindow } from '../pipeline/rate-limit.ts';
import type { Change } from '../state/change.ts';
import { invariantsOf } from '../state/invariants.ts';
import type { Persist } from '../state/persist.ts';
import type { CardRecord } from '../state/records.ts';
import { State } from '../state/state.ts';
import type { FilledAccount as AccountDescription } from '../world/description.ts';
import { RandomSource, type Slices } from './clock.ts';
import type { Log } from './log.ts';
import { AccountClock } from './scheduler.ts';
import { LongWork } from './serial-queue.ts';
import type { ApiKey, Settings } from './settings.ts';

/** The values with which an account starts. */
export interface AccountStart {
  readonly id: string;
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  readonly variant: ContractVariant;
  readonly origin: AccountOrigin;
  /** The time at which the registry removes the account, in real milliseconds since 1970; null for never. */
  readonly goneAt: number | null;
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
  /** Undefined if the account came with a snapshot from another world. Such an account cannot be reset. */
  readonly description: AccountDescription | undefined;
  /** The seed of the account's random IDs and codes. */
  readonly seed: number;
  readonly variant: ContractVariant;
}

/** An account of the service. No account sees or changes the data of another. */
export class Account {
  readonly id: string;
  readonly origin: AccountOrigin;
  readonly goneAt: number | null;
  /** Only `useSettings` changes the settings. */
  settings: Settings;
  /** All keys, including deleted keys. Only the account registry changes the keys. */
  keys: readonly ApiKey[];
  readonly state = new State();
  readonly clock: AccountClock;
  readonly work = new LongWork();
  random: RandomSource;
  readonly rate: RateWindow;
  /** Undefined until a fault is set. */
  faults: Faults | undefined;
  readonly journal: Journal;
  readonly effects: EffectQueue;
  readonly services: AccountServices;
  readonly persist: Persist;
  /** True while expiries and reminders are planned again. */
  isReplanning = false;
  /** Only `useVariant` changes the variant and its renderer. */
  variant: ContractVariant;
  renderer: CardRenderer;

  constructor({ id, settings, keys, variant, origin, goneAt }: AccountStart, services: AccountServices) {
    this.id = id;
    this.settings = settings;
    this.keys = keys;
    this.origin = origin;
    this.goneAt = goneAt;
    this.random = RandomSource.seeded(origin.seed, id);
    this.services = services;
    this.variant = variant;
    this.renderer = new CardRenderer(variant, services.cardPages);
    this.rate = new RateWindow(services.rateLimit);
    this.persist = (kind, key, value) => services.rows.persist(this, kind, key, value);
    this.clock = new AccountClock(this.persist, () => services.catchUp(this));
    this.journal = new Journal(this.persist);
    this.effects = new EffectQueue(this);
  }

  get contract(): Contract {
    return this.variant.contract;
  }

  get behaviors(): Behaviors {
    return this.variant.behaviors;
  }

  *useVariant(variant: ContractVariant): Slices<void> {
    const before = this.behaviors;
    this.variant = variant;
    this.renderer = new CardRenderer(variant, this.services.cardPages);
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
    const { scheduler } = this.clock;
    const now = this.clock.now();
    if (expiries) yield* scheduler.replaceExpiries(this.state.cards(), (card) => this.#expiryOf(card));
    if (reminders)
      for (const card of this.state.cards()) yield scheduler.planReminder(card, this.settings.reminderAfterDays, now);
    if (this.isReplanning) this.clock.setTimer();
    this.isReplanning = false;
    this.keepHead();
  }

  #expiryOf(card: CardRecord): number | null {
    return expiryTime(card, this.settings, this.behaviors);
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

  /** Applies changes. Changes without a cause, such as the first cards of an account, need no short form. */
  load(changes: readonly Change[]): void {
    const { state, settings } = this;
    const violationOf = invariantsOf(changes, state, this.behaviors);
    for (const change of changes) {
      const violation = violationOf(change);
      if (violation !== undefined) this.services.defect(violation);
      if (change.table === 'cards') {
        const card = change.put;
        this.clock.scheduler.update(card, state.card(card.id), settings.reminderAfterDays, this.#expiryOf(card));
      }
      state.apply(change);
      this.persist(...state.rowOf(change));
    }
  }
}
