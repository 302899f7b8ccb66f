import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { type Behaviors, clauseValues, defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { Contract } from '../contract/contract.ts';
import { type ContractVariant, ContractVariants } from '../contract/effective/contract-variants.ts';
import { withFault } from '../faults/break-answer.ts';
import { Journal } from '../journal/journal.ts';
import type { Redactor } from '../journal/redaction.ts';
import type { Delivery } from '../outbound/delivery.ts';
import { HttpPoster } from '../outbound/post.ts';
import { runDueEvents } from '../pipeline/commit.ts';
import type { Service } from '../pipeline/context.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { handle } from '../pipeline/handle.ts';
import type { HandledRequest } from '../pipeline/handled-request.ts';
import type { Seams } from '../pipeline/seams.ts';
import type { Account as AccountDescription, World } from '../world/description.ts';
import type { Account } from './account.ts';
import { Accounts, type Replacement } from './accounts.ts';
import { Clock, elapsed } from './clock.ts';
import type { Keys } from './keys.ts';
import { Turns } from './serial-queue.ts';

/** Logs each request and delivery, without header values and secrets. */
export interface Log {
  request(request: ServiceRequest, handled: HandledRequest, milliseconds: number, redactor: Redactor): void;
  delivery(accountId: string, delivery: Delivery, redactor: Redactor): void;
  defect(sentence: string, stack: string | undefined): void;
}

export interface SandboxOptions {
  readonly world: World;
  readonly seed: number;
  /** Requests per minute and account, or null for no limit; without it, what the clause says. */
  readonly rateLimit?: number | null;
  /** Hosts besides those of this machine that webhooks may reach without TLS. */
  readonly plainHttpHosts?: readonly string[];
  readonly log: Log;
  /** What its accounts speak at first, and it itself where no account is known; without it, the contract as it is written. */
  readonly variant?: ContractVariant;
  readonly seams?: Seams;
}

/** Where the state of a sandbox is kept. */
interface SandboxStore {
  readonly path: string;
  /** Writes the present state and returns its size in bytes. */
  save(sandbox: Sandbox): number;
}

/** What one running mock is, whoever asks it: its accounts, the contracts that they speak, and what it tells of all requests. */
export class Sandbox implements Service {
  readonly variants: ContractVariants;
  variant: ContractVariant;
  readonly clock = new Clock();
  readonly accounts: Accounts;
  readonly keyHolders: Keys;
  readonly seams: Seams;
  /** Undefined if no state file was given. */
  stateFile: SandboxStore | undefined;
  /** Of the accounts to come. */
  seed: number;
  /** How often everything was put back: what was begun before belongs to accounts that are gone. */
  resets = 0;
  /** Who changes what it speaks: one after the other. */
  readonly variantQueue = new Turns();
  /** Sentences about what went wrong inside; a healthy sandbox has none. */
  readonly defects: string[] = [];
  /** Of requests that came with no key of any account. */
  journal = new Journal();
  readonly #options: SandboxOptions;
  readonly #poster: HttpPoster;
  readonly #firstVariant: ContractVariant;
  /** Of answers that a fault holds back, what breaks them off. */
  readonly #heldBack = new Set<() => void>();

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.seams = options.seams ?? {};
    this.#poster = new HttpPoster(options.plainHttpHosts);
    this.seed = options.seed;
    const { rateLimit = clauseValues['limits.rate-admits'] } = options;
    const contract = new Contract(standardDocument);
    this.variants = new ContractVariants(contract);
    this.#firstVariant = options.variant ?? { behaviors: defaultBehaviors, overrides: [], contract };
    this.variant = this.#firstVariant;
    this.accounts = new Accounts({
      descriptions: options.world.accounts,
      variant: this.#firstVariant,
      rateLimit,
      plainHttpHosts: this.plainHttpHosts,
      surroundingsOf: (id) => ({
        post: this.seams.post?.(this.#poster.post) ?? this.#poster.post,
        delivered: (delivery) => options.log.delivery(id, delivery, this.keyHolders.redactor),
        runDueEvents,
        defect: (error) => this.defect(error),
        seams: this.seams,
      }),
    });
    this.keyHolders = this.accounts.keyHolders;
    this.accounts.populate(this.seed);
  }

  get contract(): Contract {
    return this.variant.contract;
  }

  get behaviors(): Behaviors {
    return this.variant.behaviors;
  }

  get overrides(): ContractVariant['overrides'] {
    return this.variant.overrides;
  }

  /** To those whose account is not known, and by accounts that are made from now on. */
  useVariant(variant: ContractVariant): void {
    this.variant = variant;
  }

  /** Hosts besides those of this machine that webhooks may reach without TLS. */
  get plainHttpHosts(): readonly string[] {
    return this.#options.plainHttpHosts ?? [];
  }

  handle(request: ServiceRequest): HandledRequest {
    const started = elapsed();
    const next = (received: ServiceRequest) => handle(this, received);
    const handled = withFault(this.seams.exchange?.(request, next) ?? next(request), this.#heldBack);
    const milliseconds = elapsed() - started;
    this.#record(request, handled, milliseconds);
    this.#options.log.request(request, handled, milliseconds, this.keyHolders.redactor);
    return handled;
  }

  /** Whatever breaks here breaks no answer. */
  #record(request: ServiceRequest, handled: HandledRequest, milliseconds: number): void {
    try {
      const { at, accountId } = handled;
      const account = accountId === undefined ? undefined : this.accounts.get(accountId);
      if (!account) {
        this.journal.exchanged(request, handled, { id: this.journal.nextNumber(), at }, milliseconds);
        return;
      }
      const { journal, clock, state } = account;
      const cause = handled.cause ?? journal.changing ?? account.cause('request', 'refused', clock.now());
      journal.exchanged(request, handled, cause, milliseconds, state);
    } catch (error) {
      this.defect(error, request);
    }
  }

  defect(error: unknown, request?: ServiceRequest): void {
    const message = error instanceof Error ? error.message : String(error);
    const { redactor } = this.keyHolders;
    const where = request && `${request.method} ${request.target.split('?', 1)[0]}`;
    const sentence = redactor.values(where ? `${where}: ${message}` : message);
    if (this.defects.length < 100) this.defects.push(sentence);
    this.#options.log.defect(sentence, error instanceof Error && error.stack ? redactor.values(error.stack) : undefined);
  }

  /** Adds an account, for good or for so many real milliseconds; throws where there is an objection to it. */
  add(description: AccountDescription, lifetime?: number): Account {
    const { seed, variant } = this;
    return this.accounts.add({ description, seed, variant }, lifetime);
  }

  /** Replaces accounts as `accounts.replace` does; with `whole`, what was begun before belongs to accounts that are gone. */
  replace(replacements: readonly Replacement[], whole?: { readonly seed: number; readonly numbered: number }): void {
    this.accounts.replace(replacements, whole);
    if (!whole) return;
    this.resets++;
    this.seed = whole.seed;
  }

  /** Everything as it was at the start: accounts that were added are gone. */
  reset(): void {
    this.resets++;
    this.seed = this.#options.seed;
    this.accounts.clear();
    this.defects.length = 0;
    this.variant = this.#firstVariant;
    this.journal = new Journal();
    this.accounts.populate(this.seed);
  }

  /** Resolves once no account has anything left to send. */
  settled(): Promise<void> {
    return this.accounts.settled();
  }

  async close(): Promise<void> {
    this.accounts.stop();
    for (const breakOff of this.#heldBack) breakOff();
    await this.#poster.close();
  }
}
