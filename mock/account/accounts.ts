import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { JournalRedactor } from '../journal/redaction.ts';
import { buildAccount } from '../world/build.ts';
import type { FilledAccount as AccountDescription } from '../world/description.ts';
import { Account, type AccountOrigin, type AccountServices, type AccountStart } from './account.ts';
import { RandomSource, startTimer, systemTime } from './clock.ts';
import type { ApiKey } from './settings.ts';

export interface Replacement extends Omit<AccountStart, 'origin'> {
  readonly seed: number;
  /** The description for a later reset. If undefined, a reset uses the description of the replaced account, or of the world. */
  readonly description: AccountDescription | undefined;
  fill(account: Account): void;
}

type DescribedOrigin = AccountOrigin & { readonly description: AccountDescription };

interface WorldAccounts {
  readonly descriptions: readonly AccountDescription[];
  readonly variant: ContractVariant;
}

/** Thrown if an account cannot be added or reset, or was replaced during the request. The account registry is unchanged then. */
export class AccountConflict extends Error {}

/** Throws AccountConflict if the account was replaced or removed during the request. A new account may have the same ID. */
export function mustExist({ id, effects }: Pick<Account, 'id' | 'effects'>): void {
  if (effects.stopped)
    throw new AccountConflict(`The account ${id} was reset, restored or removed during the request; send the request again.`);
}

export interface KeyHolder {
  readonly account: Account;
  readonly key: ApiKey;
}

/** The account of each key. Deleted keys are included, because the log distinguishes deleted keys from wrong keys. */
export class Keys extends Map<string, KeyHolder> {
  /** Masks all keys in logs. */
  readonly redactor = new JournalRedactor();

  override set(key: string, holder: KeyHolder): this {
    this.redactor.add(key);
    return super.set(key, holder);
  }

  override delete(key: string): boolean {
    this.redactor.remove(key);
    return super.delete(key);
  }
}

const MAX_ACCOUNTS = 10_000;

/** The account registry of a sandbox: accounts by ID, in the order of creation. A replaced account keeps its position. */
export class Accounts extends Map<string, Account> {
  readonly keyHolders = new Keys();
  readonly #world: WorldAccounts;
  readonly #services: AccountServices;
  /** The number in the newest generated ID. If the world has 3 accounts, the first generated ID is account-4. */
  numbered = 0;
  /** The seed of new accounts. */
  seed = 0;
  /** Counts how often all accounts were reset or replaced. If the number changes while a task runs, the task must stop. */
  resets = 0;
  /** The functions that cancel the removal of accounts with a limited lifetime, by account ID. */
  readonly #cancelRemoval = new Map<string, () => void>();

  constructor(world: WorldAccounts, services: AccountServices) {
    super();
    this.#world = world;
    this.#services = services;
  }

  populate(seed: number): void {
    const { descriptions, variant } = this.#world;
    this.seed = seed;
    this.resets++;
    for (const description of descriptions) this.#create({ description, seed, variant });
    this.numbered = this.size;
  }

  /** Returns a new ID for a description without an ID. Never returns an ID twice. */
  nextId(): string {
    do this.numbered++;
    while (this.has(`account-${this.numbered}`));
    return `account-${this.numbered}`;
  }

  /** Adds an account. After `lifetime` real milliseconds, the account is removed. Throws AccountConflict. */
  add(origin: DescribedOrigin, lifetime?: number): Account {
    const { id, keys } = origin.description;
    if (this.size >= MAX_ACCOUNTS)
      throw new AccountConflict(
        `There are ${this.size} accounts, which is the limit; remove accounts, or POST /__mock/reset to remove all added accounts.`,
      );
    if (this.has(id)) throw new AccountConflict(`The account ${id} already exists; choose another ID.`);
    const taken = keys.find(({ key }) => this.keyHolders.has(key));
    if (taken)
      throw new AccountConflict(`The key "${taken.description}" already belongs to another account; choose another key.`);
    return this.#create(origin, lifetime === undefined ? null : systemTime() + lifetime);
  }

  /** Creates an account again from its description. The account keeps its lifetime. Throws AccountConflict. */
  reset(account: Account): Account {
    const { id, origin, goneAt } = account;
    const { description } = origin;
    if (!description)
      throw new AccountConflict(
        `The account ${id} came with a snapshot from another world, so a reset cannot create it again. Restore the snapshot, or remove the account.`,
      );
    const taken = description.keys.find(({ key }) => (this.keyHolders.get(key)?.account ?? account) !== account);
    if (taken)
      throw new AccountConflict(`The key "${taken.description}" now belongs to another account; remove that account first.`);
    this.#end(account);
    return this.#create({ ...origin, description }, goneAt);
  }

  /** Removes an account: its keys become invalid, and its queued effects are dropped. */
  remove(account: Account): void {
    this.#end(account);
    this.delete(account.id);
    this.#services.rows.replaced(account.id);
  }

  /** Returns the description of an added account; undefined for an account of the world. */
  descriptionOf({ origin: { description } }: Pick<Account, 'origin'>): AccountDescription | undefined {
    return description && !this.#world.descriptions.includes(description) ? description : undefined;
  }

  /**
   * Replaces accounts. If an account cannot be built, replaces no account. With `whole`, removes all other accounts. The caller must ensure that no
   * key of the replacements belongs to another account.
   */
  replace(replacements: readonly Replacement[], whole?: { readonly seed: number; readonly numbered: number }): void {
    const accounts = replacements.map((replacement) => {
      const account = new Account({ ...replacement, origin: this.#originOf(replacement) }, this.#services);
      replacement.fill(account);
      return account;
    });
    const replaced = new Set(replacements.map(({ id }) => id));
    for (const account of [...this.values()]) {
      if (whole) this.remove(account);
      else if (replaced.has(account.id)) this.#end(account);
    }
    if (whole) {
      this.resets++;
      this.seed = whole.seed;
      this.numbered = whole.numbered;
    }
    for (const account of accounts) this.#register(account);
  }

  #originOf({ id, description: given, seed }: Replacement): AccountOrigin {
    const present = this.get(id)?.origin;
    const description = given ?? present?.description ?? this.#world.descriptions.find((account) => account.id === id);
    return { description, seed, variant: present?.variant ?? this.#world.variant };
  }

  /** Changes the keys of an account. The caller must ensure that no new key belongs to another account. */
  useKeys(account: Account, keys: readonly ApiKey[]): void {
    for (const { key } of account.keys) this.keyHolders.delete(key);
    account.keys = keys;
    for (const key of keys) this.keyHolders.set(key.key, { account, key });
    account.keepHead();
  }

  override clear(): void {
    for (const account of [...this.values()]) this.remove(account);
  }

  stop(): void {
    for (const account of this.values()) account.effects.stop();
    for (const cancel of this.#cancelRemoval.values()) cancel();
  }

  #create(origin: DescribedOrigin, goneAt: number | null = null): Account {
    const { description, seed, variant } = origin;
    const random = RandomSource.seeded(seed, `world ${description.id}`);
    const now = systemTime();
    const { changes, ...start } = buildAccount(description, { now, random });
    const account = new Account({ ...start, variant, origin, goneAt }, this.#services);
    account.load(changes);
    account.clock.scheduler.skip(now); // The description already has the results of past events, so these events must not run.
    this.#register(account);
    return account;
  }

  #register(account: Account): void {
    this.set(account.id, account);
    for (const key of account.keys) this.keyHolders.set(key.key, { account, key });
    this.#services.rows.replaced(account.id);
    account.clock.setTimer();
    this.#planRemoval(account);
  }

  #planRemoval(account: Account): void {
    const { id, goneAt } = account;
    if (goneAt === null) return;
    const removeIfDue = () => (systemTime() < goneAt ? this.#planRemoval(account) : this.remove(account));
    this.#cancelRemoval.set(id, startTimer(goneAt - systemTime(), removeIfDue));
  }

  /** Drops the effects of an account, and makes its keys invalid. The account stays in the map until a caller replaces or removes the account. */
  #end(account: Account): void {
    account.effects.stop();
    this.#cancelRemoval.get(account.id)?.();
    this.#cancelRemoval.delete(account.id);
    for (const { key } of account.keys) if (this.keyHolders.get(key)?.account === account) this.keyHolders.delete(key);
  }
}
