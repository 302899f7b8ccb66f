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
import { breaksIn } from '../state/invariants.ts';
import { State } from '../state/state.ts';
import { Chance, Clock } from './clock.ts';
import { freeCode } from './free-code.ts';
import { Agenda } from './scheduler.ts';
import { Turns } from './serial-queue.ts';
import type { ApiKey, Settings } from './settings.ts';

/** What an account knows of the sandbox around it. */
export interface Surroundings {
  readonly post: Post;
  /** Told of each delivery that has come to its end. */
  readonly delivered: (delivery: Delivery) => void;
  /** Carries out what is due on the account's clock by `now`. */
  readonly runDueEvents: (account: Account, now: number) => void;
  readonly defect: (error: unknown) => void;
  readonly seams: Seams;
}

/** An account of the service and all that belongs to it; nothing here is shared with another account. */
export class Account {
  readonly state = new State();
  readonly clock = new Clock();
  readonly agenda = new Agenda();
  /** Who moves the clock: one after the other. */
  readonly clockwork = new Turns();
  /** Who changes what it speaks: likewise. */
  readonly variantQueue = new Turns();
  /** The contract as this account speaks it, the behaviors behind it, and what prints its cards. */
  contract: Contract;
  behaviors: Behaviors;
  /** What changes its contract beside its behaviors. */
  overrides: readonly Override[];
  renderer: CardRenderer;
  jsonFormat: JsonFormat | undefined;
  chance: Chance;
  readonly rate: RateWindow;
  /** Undefined until a fault is set. */
  faults: Faults | undefined;
  /** What happened, and what the callers do that will hurt in production. */
  readonly journal = new Journal();
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  readonly effects: EffectQueue;
  /** Told of a defect of ours. */
  readonly defect: (error: unknown) => void;
  readonly seams: Seams;

  /** When it ends by itself, in real time (milliseconds since 1970); null when it does not. */
  goneAt: number | null = null;
  #causes = 0;
  readonly id: string;
  /** Replaced as a whole by `useSettings`. */
  settings: Settings;
  /** Deleted ones too. Replaced as a whole by the sandbox, which knows whose key each is. */
  keys: readonly ApiKey[];
  /** From which all its randomness comes. */
  readonly seed: number;
  /** Hosts besides those of this machine that its webhooks may reach without TLS, in lower case. */
  readonly plainHttpHosts: readonly string[];

  constructor(
    id: string,
    settings: Settings,
    keys: readonly ApiKey[],
    options: {
      readonly seed: number;
      readonly rateLimit: number | null;
      readonly variant: ContractVariant;
      readonly plainHttpHosts: readonly string[];
    },
    { post, delivered, runDueEvents, defect, seams }: Surroundings,
  ) {
    this.id = id;
    this.settings = settings;
    this.keys = keys;
    this.seed = options.seed;
    this.plainHttpHosts = options.plainHttpHosts;
    this.chance = Chance.seeded(options.seed, id);
    this.rate = new RateWindow(options.rateLimit);
    const { contract, behaviors, overrides } = options.variant;
    this.contract = contract;
    this.behaviors = behaviors;
    this.overrides = overrides;
    this.renderer = new CardRenderer(contract, behaviors);
    this.jsonFormat = jsonFormatOf(behaviors);
    this.defect = defect;
    this.seams = seams;
    this.outbox = new Outbox(this);
    this.deliveries = new Deliveries(this, post, delivered, defect);
    this.effects = new EffectQueue(this, (now) => runDueEvents(this, now), defect);
    this.effects.watch((event) => this.journal.happened(event));
  }

  /** From here on the account speaks this contract, which comes of these behaviors and rows. */
  useVariant({ contract, behaviors, overrides }: ContractVariant): void {
    const clause = 'gift-card.expiry.when-noticed';
    const expiryMoves = behaviors[clause] !== this.behaviors[clause];
    this.contract = contract;
    this.behaviors = behaviors;
    this.overrides = overrides;
    this.renderer = new CardRenderer(contract, behaviors);
    this.jsonFormat = jsonFormatOf(behaviors);
    if (expiryMoves && this.state.count(true) > 0) this.#expectExpiries();
  }

  #expectExpiries(): void {
    const { state, settings, behaviors } = this;
    this.agenda.replaceExpiries(Array.from(state.cards(), (card) => [card.id, expiryTime(card, settings, behaviors)]));
    this.effects.plan();
  }

  /** From `now` on the account has these settings. Of reminders, those to come are planned anew when their days have changed. */
  useSettings(settings: Settings, now: number): void {
    const { reminderAfterDays, timeZone } = this.settings;
    this.settings = settings;
    if (settings.timeZone !== timeZone && this.behaviors['gift-card.expiry.when-noticed'] === 'daily') this.#expectExpiries();
    if (settings.reminderAfterDays !== reminderAfterDays) this.#planReminders(now);
  }

  #planReminders(now: number): void {
    const { reminderAfterDays: days } = this.settings;
    if (days !== null) for (const card of this.state.cards()) this.agenda.remind(card, days, now);
  }

  /** The number of the last cause; set only where an account is put back. */
  get causes(): number {
    return this.#causes;
  }
  set causes(last: number) {
    this.#causes = last;
  }

  /** A new cause, with the next number of this account. */
  cause(kind: Cause['kind'], what: string, at: number): Cause {
    const cause = { id: ++this.#causes, kind, what, at };
    if (kind === 'control') this.journal.acted(cause);
    return cause;
  }

  /** The context of a decision taken at `now` on behalf of `actor`. */
  context(now: number, actor: string): Context {
    const { state, settings, behaviors, chance, plainHttpHosts } = this;
    const handedOut: string[] = [];
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
        const taken = (code: string) => state.cardByCode(code, 'any') !== undefined || handedOut.includes(code);
        const code = freeCode(settings.codeFormat, chance, taken);
        handedOut.push(code);
        return code;
      },
    };
  }

  /** Everything that changes on the account goes through here: the journal is told just before. */
  apply(decided: readonly Change[], cause: Cause): void {
    const changes = this.seams.apply?.(decided, cause, this.state) ?? decided;
    this.journal.decided(changes, cause, this.state);
    this.hold(changes);
  }

  /** The same without anybody being told: what the account holds from the start, or what another was told of whose copy it is. */
  hold(changes: readonly Change[]): void {
    for (const sentence of breaksIn(changes, this.state, this.behaviors)) this.defect(sentence);
    for (const change of changes) {
      if (change.table !== 'cards') continue;
      const expiry = expiryTime(change.put, this.settings, this.behaviors);
      this.agenda.follow(change.put, this.state.card(change.put.id), this.settings.reminderAfterDays, expiry);
    }
    this.state.apply(changes);
  }
}
