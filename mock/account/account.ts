import type { Override } from '../../openapi/effective/overrides.ts';
import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Contract } from '../contract/contract.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { CardRenderer } from '../contract/render/card.ts';
import { type JsonFormat, jsonFormatOf } from '../contract/render/json-format.ts';
import { expiryTime } from '../domain/due-events.ts';
import type { Context } from '../domain/outcome.ts';
import type { Faults } from '../faults/faults.ts';
import { Journal } from '../journal/journal.ts';
import type { Cause } from '../outbound/cause.ts';
import { Deliveries } from '../outbound/deliveries.ts';
import type { Delivery } from '../outbound/delivery.ts';
import { EffectQueue } from '../outbound/effect-queue.ts';
import { Outbox } from '../outbound/outbox.ts';
import type { Post } from '../outbound/post.ts';
import { RateWindow } from '../pipeline/rate-limit.ts';
import type { Seams } from '../pipeline/seams.ts';
import type { Change } from '../state/change.ts';
import { Invariants } from '../state/invariants.ts';
import type { CardRecord } from '../state/records.ts';
import { State } from '../state/state.ts';
import type { Account as AccountDescription } from '../world/description.ts';
import { Chance, Clock } from './clock.ts';
import { Agenda } from './scheduler.ts';
import { SerialQueue } from './serial-queue.ts';
import type { ApiKey, Settings } from './settings.ts';

/** What an account starts with. */
export interface AccountStart {
  readonly id: string;
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  /** Of the account's randomness. */
  readonly seed: number;
  readonly variant: ContractVariant;
}

/** What the sandbox provides to its accounts. */
export interface AccountServices {
  /** Requests per minute and account; null for no limit. */
  readonly rateLimit: number | null;
  /** Hosts other than loopback that webhooks may reach without TLS, in lower case. */
  readonly plainHttpHosts: readonly string[];
  readonly seams: Seams;
  readonly post: Post;
  runDueEvents(account: Account, now: number): void;
  /** Logs a delivery that has ended. */
  delivered(accountId: string, delivery: Delivery): void;
  /** Logs a defect of the mock. */
  defect(error: unknown): void;
}

/** What a reset restores an account to. */
export interface AccountOrigin {
  readonly description: AccountDescription;
  readonly seed: number;
  readonly variant: ContractVariant;
}

/** An account of the service. It shares nothing with other accounts. */
export class Account {
  readonly id: string;
  readonly seed: number;
  /** Changed by `useSettings`. */
  settings: Settings;
  /** With deleted ones. Changed by the account registry. */
  keys: readonly ApiKey[];
  readonly state = new State();
  readonly clock = new Clock();
  readonly agenda = new Agenda();
  /** Changes of the clock wait here for earlier ones. */
  readonly clockQueue = new SerialQueue();
  /** The same for changes of the contract variant. */
  readonly variantQueue = new SerialQueue();
  chance: Chance;
  readonly rate: RateWindow;
  /** Undefined until a fault is set. */
  faults: Faults | undefined;
  readonly journal = new Journal();
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  readonly effects: EffectQueue;
  readonly seams: Seams;
  readonly plainHttpHosts: readonly string[];
  readonly defect: (error: unknown) => void;
  /** When the registry removes the account, in real milliseconds since 1970; null for never. */
  goneAt: number | null = null;
  /** Undefined for an account that came with a snapshot from another world. */
  origin: AccountOrigin | undefined;
  /** How many causes were numbered. */
  causes = 0;
  renderer: CardRenderer;
  jsonFormat: JsonFormat | undefined;
  #variant: ContractVariant;

  constructor({ id, settings, keys, seed, variant }: AccountStart, services: AccountServices) {
    this.id = id;
    this.settings = settings;
    this.keys = keys;
    this.seed = seed;
    this.chance = Chance.seeded(seed, id);
    this.#variant = variant;
    this.renderer = new CardRenderer(variant.contract, variant.behaviors);
    this.jsonFormat = jsonFormatOf(variant.behaviors);
    this.rate = new RateWindow(services.rateLimit);
    this.plainHttpHosts = services.plainHttpHosts;
    this.seams = services.seams;
    this.defect = services.defect;
    this.outbox = new Outbox(this);
    this.deliveries = new Deliveries(this, services.post, (delivery) => services.delivered(id, delivery));
    this.effects = new EffectQueue(this, (now) => services.runDueEvents(this, now));
  }

  get contract(): Contract {
    return this.#variant.contract;
  }

  get behaviors(): Behaviors {
    return this.#variant.behaviors;
  }

  get overrides(): readonly Override[] {
    return this.#variant.overrides;
  }

  useVariant(variant: ContractVariant): void {
    const { contract, behaviors } = variant;
    const expiriesChange = behaviors['gift-card.expiry.when-noticed'] !== this.behaviors['gift-card.expiry.when-noticed'];
    this.#variant = variant;
    this.renderer = new CardRenderer(contract, behaviors);
    this.jsonFormat = jsonFormatOf(behaviors);
    if (expiriesChange) this.#replanExpiries();
  }

  useSettings(settings: Settings, now: number): void {
    const { reminderAfterDays, timeZone } = this.settings;
    this.settings = settings;
    if (settings.timeZone !== timeZone && this.behaviors['gift-card.expiry.when-noticed'] === 'daily') this.#replanExpiries();
    const days = settings.reminderAfterDays;
    if (days !== reminderAfterDays && days !== null)
      for (const card of this.state.cards()) this.agenda.planReminder(card, days, now);
  }

  #replanExpiries(): void {
    this.agenda.replaceExpiries(Array.from(this.state.cards(), (card) => [card.id, this.#expiryOf(card)]));
    this.effects.plan();
  }

  #expiryOf(card: CardRecord): number | null {
    return expiryTime(card, this.settings, this.behaviors);
  }

  /** Numbers a new cause; `giftCardId` is the card of a due event. The journal records an action of the control API even if it changes nothing. */
  cause(kind: Cause['kind'], what: string, at: number, giftCardId?: string): Cause {
    const id = ++this.causes;
    const cause: Cause = giftCardId === undefined ? { id, kind, what, at } : { id, kind, what, at, giftCardId };
    if (kind === 'control') this.journal.acted(cause);
    return cause;
  }

  /** The context of a decision; `actor` is named in the card's timeline. */
  context(now: number, actor: string): Context {
    const { state, settings, behaviors, chance, plainHttpHosts } = this;
    const newCodes: string[] = [];
    return {
      now,
      actor,
      state,
      settings,
      behaviors,
      plainHttpHosts,
      render: (card) => this.renderer.render(card),
      newId: () => chance.guid(),
      newCode: () => {
        // gift-card.create.generates-code, gift-card.create.code-follows-account-format
        const isTaken = (code: string) => state.cardByCode(code, 'any') !== undefined || newCodes.includes(code);
        const code = chance.freeCode(settings.codeFormat, isTaken);
        newCodes.push(code);
        return code;
      },
    };
  }

  /** Records changes in the journal and applies them. */
  apply(decided: readonly Change[], cause: Cause): void {
    const changes = this.seams.apply?.(decided, cause, this.state) ?? decided;
    this.journal.decided(changes, cause, this.state);
    this.load(changes);
  }

  /** Applies changes without recording them, as when the account is made. */
  load(changes: readonly Change[]): void {
    const { state, settings, agenda } = this;
    const invariants = new Invariants(changes, state, this.behaviors);
    for (const change of changes) {
      const violation = invariants.violationOf(change);
      if (violation !== undefined) this.defect(violation);
      if (change.table === 'cards') {
        const card = change.put;
        agenda.update(card, state.card(card.id), settings.reminderAfterDays, this.#expiryOf(card));
      }
      state.apply(change);
    }
  }
}
