import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { defaultBehaviors, ruleValues } from '../../openapi/generated/rules.ts';
import { Contract } from '../contract/contract.ts';
import { type ContractVariant, ContractVariants } from '../contract/effective/contract-variants.ts';
import { noPages } from '../contract/render/card.ts';
import { Journal } from '../journal/journal.ts';
import { HttpPoster } from '../outbound/post.ts';
import { catchUp } from '../pipeline/commit.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { FilledAccount as AccountDescription, World } from '../world/description.ts';
import type { Account } from './account.ts';
import { Accounts } from './accounts.ts';
import { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { RowFeed } from './row-feed.ts';
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
}

/** One running mock: its accounts, its contract variants, and the log of its requests. */
export class Sandbox {
  readonly variants: ContractVariants;
  /** The variant of new accounts, and of requests without a valid key. */
  variant: ContractVariant;
  readonly work = { /** Runs changes of the variant one after another. */ onVariant: new SerialQueue() };
  readonly clock = new Clock();
  readonly accounts: Accounts;
  readonly plainHttpHosts: readonly string[];
  readonly rows = new RowFeed();
  readonly cardPages = noPages();
  readonly log: Log;
  readonly defects: string[] = [];
  /** The journal of requests without a valid key. */
  journal: Journal;
  readonly #options: SandboxOptions;
  readonly #poster: HttpPoster;
  readonly #firstVariant: ContractVariant;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.log = options.log;
    this.plainHttpHosts = options.plainHttpHosts ?? [];
    const contract = new Contract(standardDocument);
    this.variants = new ContractVariants(contract);
    this.#firstVariant = options.variant ?? { behaviors: defaultBehaviors, overrides: [], contract };
    this.variant = this.#firstVariant;
    const { world, rateLimit = ruleValues['limits.rate-admits'] } = options;
    this.#poster = new HttpPoster(this.plainHttpHosts);
    this.accounts = new Accounts(
      { descriptions: world.accounts, variant: this.#firstVariant },
      {
        rateLimit,
        plainHttpHosts: this.plainHttpHosts,
        cardPages: this.cardPages,
        post: this.#poster.post,
        catchUp,
        rows: this.rows,
        log: this.log,
        defect: (error) => this.defect(error),
      },
    );
    this.journal = this.newJournal();
    this.accounts.populate(options.seed);
  }

  useVariant(variant: ContractVariant): void {
    this.variant = variant;
    this.rows.persist(undefined, 'head', '', null);
  }

  /** Replaces the journal of requests without a valid key by an empty journal. */
  newJournal(): Journal {
    // A journal that was replaced may still get the response of a slow request.
    const journal = new Journal((...row) => journal === this.journal && this.rows.persist(undefined, ...row));
    this.journal = journal;
    this.rows.replaced('');
    return journal;
  }

  defect(error: unknown, request?: ServiceRequest): void {
    const message = error instanceof Error ? error.message : String(error);
    const { redactor } = this.accounts.keyHolders;
    const where = request && `${request.method} ${request.target.split('?', 1)[0]}`;
    const sentence = redactor.values(where ? `${where}: ${message}` : message);
    if (this.defects.length < 100) this.defects.push(sentence);
    this.log.defect(sentence, error instanceof Error && error.stack ? redactor.values(error.stack) : undefined);
  }

  add(description: AccountDescription, lifetime?: number): Account {
    return this.accounts.add({ description, seed: this.accounts.seed, variant: this.variant }, lifetime);
  }

  /** Restores the sandbox as it was at the start. Removes added accounts. */
  reset(): void {
    this.variant = this.#firstVariant;
    this.newJournal();
    this.defects.length = 0;
    this.accounts.clear();
    this.accounts.populate(this.#options.seed);
  }

  /** Resolves after every account has sent its effects. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.accounts.values(), ({ effects }) => effects.settled()));
  }

  async close(): Promise<void> {
    this.rows.endWatchers();
    this.accounts.stop();
    this.#poster.close();
  }
}
