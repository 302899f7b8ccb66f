import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { type Behaviors, clauseValues, defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { Contract } from '../contract/contract.ts';
import { type ContractVariant, ContractVariants } from '../contract/effective/contract-variants.ts';
import { noPages } from '../contract/render/card.ts';
import { withFault } from '../faults/break-answer.ts';
import { Journal } from '../journal/journal.ts';
import { HttpPoster } from '../outbound/post.ts';
import { identify } from '../pipeline/authenticate.ts';
import { catchUp, hold } from '../pipeline/commit.ts';
import type { Service } from '../pipeline/context.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { handle } from '../pipeline/handle.ts';
import type { HandledRequest } from '../pipeline/handled-request.ts';
import { type Refusal, refused } from '../pipeline/refusal.ts';
import type { Seams } from '../pipeline/seams.ts';
import type { Keep, RowKind } from '../state/keep.ts';
import type { Account as AccountDescription, World } from '../world/description.ts';
import type { Account } from './account.ts';
import { Accounts, type Replacement } from './accounts.ts';
import { Clock, elapsed } from './clock.ts';
import type { KeyHolder, Keys } from './keys.ts';
import type { Log } from './log.ts';
import { SerialQueue } from './serial-queue.ts';

interface SandboxOptions {
  readonly world: World;
  readonly seed: number;
  /** Requests per minute and account, or null for no limit. Default: the limit in the specification. */
  readonly rateLimit?: number | null;
  readonly plainHttpHosts?: readonly string[];
  readonly log: Log;
  /** The variant of the world's accounts, and of requests without a valid key. Default: the contract as written. */
  readonly variant?: ContractVariant;
  readonly seams?: Seams;
}

/** Keeps the state of a sandbox outside of the process. */
interface SandboxPersistence {
  readonly path: string;
  readonly wasThere: boolean;
  /** The reason why the last write failed. Undefined if it succeeded. */
  readonly failure: string | undefined;
  /** Keeps a row of an account. Without an account, the row belongs to the sandbox. */
  keep(account: Account | undefined, ...row: Parameters<Keep>): void;
  /** Replaces all rows of an account. An empty ID means the sandbox itself. */
  replaced(accountId: string): void;
  /** Resolves when all changes so far are in the store. */
  stored(): Promise<void>;
  /** Handles a request here or in another replica, and holds the answer until its changes are in the store. Rejects with StoreUnavailable. */
  answer<T>(call: unknown, handle: () => T | Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Watches changes. Most changes are rows for the store; the store need not exist. */
export interface Watcher {
  /** A row of an account has changed. Without an account, the row belongs to the sandbox. */
  changed(row: RowKind, account: Account | undefined): void;
  /** An account was added, replaced or removed. An empty ID means the sandbox itself. */
  replaced(accountId: string): void;
  /** The sandbox ends, or another replica leads. */
  end(): void;
}

/** One running mock: its accounts, its contract variants, and the log of its requests. */
export class Sandbox implements Service {
  readonly variants: ContractVariants;
  /** The variant of new accounts, and of requests without a valid key. */
  variant: ContractVariant;
  /** Runs changes of the variant one after another. */
  readonly variantQueue = new SerialQueue();
  readonly clock = new Clock();
  readonly accounts: Accounts;
  readonly keyHolders: Keys;
  readonly plainHttpHosts: readonly string[];
  readonly seams: Seams;
  /** Undefined if the state is kept in memory only. */
  persistence: SandboxPersistence | undefined;
  readonly cardPages = noPages();
  readonly watchers = new Set<Watcher>();
  /** The seed of new accounts. */
  seed: number;
  /** Counts how often all accounts were reset or replaced. If the number changes while a task runs, the task must stop. */
  resets = 0;
  readonly defects: string[] = [];
  /** The journal of requests without a valid key. */
  journal: Journal;
  readonly #options: SandboxOptions;
  readonly #poster: HttpPoster;
  readonly #firstVariant: ContractVariant;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.seams = options.seams ?? {};
    this.plainHttpHosts = options.plainHttpHosts ?? [];
    this.seed = options.seed;
    const contract = new Contract(standardDocument);
    this.variants = new ContractVariants(contract);
    this.#firstVariant = options.variant ?? { behaviors: defaultBehaviors, overrides: [], contract };
    this.variant = this.#firstVariant;
    const { world, rateLimit = clauseValues['limits.rate-admits'] } = options;
    this.#poster = new HttpPoster(this.plainHttpHosts);
    this.accounts = new Accounts(
      { descriptions: world.accounts, variant: this.#firstVariant },
      {
        rateLimit,
        plainHttpHosts: this.plainHttpHosts,
        cardPages: this.cardPages,
        seams: this.seams,
        post: this.seams.post?.(this.#poster.post) ?? this.#poster.post,
        catchUp,
        keep: (account, ...row) => this.#keep(account, ...row),
        replaced: (accountId) => this.#replaced(accountId),
        // If the write fails, the account is stopped and restored from the store.
        stored: () => this.persistence?.stored().catch(() => {}),
        log: options.log,
        defect: (error) => this.defect(error),
      },
    );
    this.keyHolders = this.accounts.keyHolders;
    this.journal = this.newJournal();
    this.accounts.populate(this.seed);
  }

  get contract(): Contract {
    return this.variant.contract;
  }

  get behaviors(): Behaviors {
    return this.variant.behaviors;
  }

  useVariant(variant: ContractVariant): void {
    this.variant = variant;
    this.#keep(undefined, 'head', '', null);
  }

  #keep(account: Account | undefined, ...row: Parameters<Keep>): void {
    this.persistence?.keep(account, ...row);
    for (const watcher of this.watchers) watcher.changed(row[0], account);
  }

  #replaced(accountId: string): void {
    this.persistence?.replaced(accountId);
    for (const watcher of this.watchers) watcher.replaced(accountId);
  }

  /** Replaces the journal of requests without a valid key by an empty journal. */
  newJournal(): Journal {
    this.journal = new Journal((...row) => this.#keep(undefined, ...row));
    this.#replaced('');
    return this.journal;
  }

  /** Handles a request. If many events of its account are due, the request waits until they have run, as do later requests of the account. */
  serve(request: ServiceRequest): HandledRequest | Promise<HandledRequest> {
    const owner = identify(this.keyHolders, request);
    const waiting = refused(owner) ? undefined : (catchUp(owner.account) ?? sourcesOf(owner.account, request));
    return waiting ? waiting.then(() => this.serve(request)) : this.handle(request, owner);
  }

  handle(request: ServiceRequest, owner?: KeyHolder | Refusal): HandledRequest {
    const started = elapsed();
    const next = (received: ServiceRequest) => handle(this, received, received === request ? owner : undefined);
    const handled = withFault(this.seams.exchange?.(request, next) ?? next(request));
    const milliseconds = elapsed() - started;
    this.#record(request, handled, milliseconds);
    this.#options.log.request(request, handled, milliseconds, this.keyHolders.redactor);
    return handled;
  }

  /** Records the request in a journal. If the recording fails, the client still gets its answer. */
  #record(request: ServiceRequest, handled: HandledRequest, milliseconds: number): void {
    try {
      const account = this.accounts.get(handled.accountId ?? '');
      const { journal, state } = account ?? { journal: this.journal, state: undefined };
      const { at } = handled;
      const cause = handled.cause ?? account?.cause('request', 'refused', at) ?? { id: journal.nextNumber(), at };
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

  notice(sentence: string): void {
    this.#options.log.notice(sentence);
  }

  add(description: AccountDescription, lifetime?: number): Account {
    const { seed, variant } = this;
    return this.accounts.add({ description, seed, variant }, lifetime);
  }

  replace(replacements: readonly Replacement[], whole?: { readonly seed: number; readonly numbered: number }): void {
    this.accounts.replace(replacements, whole);
    if (!whole) return;
    this.resets++;
    this.seed = whole.seed;
  }

  /** Restores the sandbox as it was at the start. Removes added accounts. */
  reset(): void {
    this.resets++;
    this.seed = this.#options.seed;
    this.variant = this.#firstVariant;
    this.newJournal();
    this.defects.length = 0;
    this.accounts.clear();
    this.accounts.populate(this.seed);
  }

  /** Resolves after every account has sent its effects. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.accounts.values(), ({ effects }) => effects.settled()));
  }

  async close(): Promise<void> {
    for (const watcher of this.watchers) watcher.end();
    this.accounts.stop();
    this.#poster.close();
  }
}

/** Builds the index for a search by source ID. For a small account, the search itself builds the index. */
function sourcesOf(account: Account, { target }: ServiceRequest): Promise<void> | undefined {
  const { state, effects } = account;
  const isSearch = !effects.stopped && !state.hasSources && target.includes('SourceId') && state.count(true) > 10_000;
  if (!isSearch) return undefined;
  return hold(account, state.indexSources()).catch((error) => {
    if (!effects.stopped) throw error; // The account was replaced. Then the request is for the new account.
  });
}
