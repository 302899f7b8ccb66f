import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { buildAccount } from '../world/build.ts';
import type { Account as AccountDescription } from '../world/description.ts';
import { Account, type AccountOrigin, type AccountServices, type AccountStart } from './account.ts';
import { alarm, Chance, Clock } from './clock.ts';
import { Keys } from './keys.ts';
import type { ApiKey } from './settings.ts';

/** An account that replaces the account with its ID, or is added. */
export interface Replacement extends AccountStart {
  readonly goneAt: number | null;
  /** What a reset restores; undefined if the replaced account or the world has it. */
  readonly description: AccountDescription | undefined;
  /** Fills the new account with its content. */
  fill(account: Account): void;
}

/** The accounts of the world. */
interface WorldAccounts {
  readonly descriptions: readonly AccountDescription[];
  readonly variant: ContractVariant;
}

const MAX_ACCOUNTS = 10_000;

/** The account registry of a sandbox: accounts by ID, in the order of creation. A replaced account keeps its position. */
export class Accounts extends Map<string, Account> {
  readonly keyHolders = new Keys();
  readonly #world: WorldAccounts;
  readonly #services: AccountServices;
  readonly #systemClock = new Clock();
  /** By account ID, for accounts with a limited lifetime: cancels their removal. */
  readonly #cancelRemoval = new Map<string, () => void>();
  #numbered = 0;

  constructor(world: WorldAccounts, services: AccountServices) {
    super();
    this.#world = world;
    this.#services = services;
  }

  /** Adds the accounts of the world to an empty registry. */
  populate(seed: number): void {
    const { descriptions, variant } = this.#world;
    for (const description of descriptions) this.#create({ description, seed, variant });
    this.#numbered = this.size;
  }

  /** How many accounts were numbered. */
  get numbered(): number {
    return this.#numbered;
  }

  /** A new ID for a description without one. No ID is returned twice. */
  nextId(): string {
    do this.#numbered++;
    while (this.has(`account-${this.#numbered}`));
    return `account-${this.#numbered}`;
  }

  /** Why an account cannot be added, in a sentence; undefined if it can. */
  objectionTo({ id, keys }: AccountDescription): string | undefined {
    if (this.size >= MAX_ACCOUNTS)
      return `There are ${this.size} accounts, which is the limit; remove some, or POST /__mock/reset to remove all that were added.`;
    if (this.has(id)) return `There is an account ${id} already; choose another ID.`;
    const taken = keys.find(({ key }) => this.keyHolders.has(key));
    return taken && `The key "${taken.description}" belongs to another account already; choose another one.`;
  }

  /** Adds an account, which is removed after its lifetime, in real milliseconds. Throws if there is an objection. */
  add(origin: AccountOrigin, lifetime?: number): Account {
    throwObjection(this.objectionTo(origin.description));
    const account = this.#create(origin);
    if (lifetime !== undefined) this.#removeAt(account, this.#systemClock.now() + lifetime);
    return account;
  }

  /** Why an account cannot be reset, in a sentence; undefined if it can. */
  objectionToReset(account: Account): string | undefined {
    if (!account.origin)
      return `The account ${account.id} came with a snapshot from another world, so there is no description to reset it to. Restore the snapshot, or remove the account.`;
    const taken = account.origin.description.keys.find(({ key }) => (this.keyHolders.get(key)?.account ?? account) !== account);
    return taken && `The key "${taken.description}" now belongs to another account; remove that account first.`;
  }

  /** Makes an account again from its description; it keeps its lifetime. Throws if there is an objection. */
  reset(account: Account): Account {
    throwObjection(this.objectionToReset(account));
    this.#end(account);
    const next = this.#create(account.origin as AccountOrigin);
    if (account.goneAt !== null) this.#removeAt(next, account.goneAt);
    return next;
  }

  /** Removes an account: its keys become invalid, and its queued effects are dropped. */
  remove(account: Account): void {
    this.#end(account);
    this.delete(account.id);
  }

  /** The description of an account; undefined if the world has it. */
  descriptionOf({ origin }: Pick<Account, 'origin'>): AccountDescription | undefined {
    return origin && !this.#world.descriptions.includes(origin.description) ? origin.description : undefined;
  }

  /** Replaces accounts, all or none; `whole` also removes all others. Their keys must not belong to others. */
  replace(replacements: readonly Replacement[], whole?: { readonly numbered: number }): void {
    const accounts: Account[] = [];
    try {
      for (const replacement of replacements) {
        const account = new Account(replacement, this.#services);
        accounts.push(account);
        account.origin = this.#originOf(replacement);
        replacement.fill(account);
      }
    } catch (error) {
      for (const account of accounts) account.effects.stop();
      throw error;
    }
    const replaced = new Set(replacements.map(({ id }) => id));
    for (const account of [...this.values()]) {
      if (whole) this.remove(account);
      else if (replaced.has(account.id)) this.#end(account);
    }
    if (whole) this.#numbered = whole.numbered;
    for (const [index, account] of accounts.entries()) {
      this.#register(account);
      const { goneAt } = replacements[index] as Replacement;
      if (goneAt !== null) this.#removeAt(account, goneAt);
    }
  }

  #originOf({ id, description: given, seed }: Replacement): AccountOrigin | undefined {
    const present = this.get(id)?.origin;
    const description = given ?? present?.description ?? this.#world.descriptions.find((account) => account.id === id);
    return description && { description, seed, variant: present?.variant ?? this.#world.variant };
  }

  /** Changes the keys of an account. None of them may belong to another account. */
  useKeys(account: Account, keys: readonly ApiKey[]): void {
    for (const { key } of account.keys) this.keyHolders.delete(key);
    account.keys = keys;
    for (const key of keys) this.keyHolders.set(key.key, { account, key });
  }

  override clear(): void {
    for (const account of [...this.values()]) this.remove(account);
  }

  /** Resolves once all accounts have sent all their effects. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.values(), (account) => account.effects.settled()));
  }

  /** Drops all queued effects, and cancels all removals. */
  stop(): void {
    for (const account of this.values()) account.effects.stop();
    for (const cancel of this.#cancelRemoval.values()) cancel();
  }

  #create(origin: AccountOrigin): Account {
    const { description, seed, variant } = origin;
    const chance = Chance.seeded(seed, `world ${description.id}`);
    const now = this.#systemClock.now();
    const { changes, ...start } = buildAccount(description, { now, chance });
    const account = new Account({ ...start, seed, variant }, this.#services);
    account.origin = origin;
    account.load(changes);
    account.agenda.skip(now); // The description includes what was due before.
    this.#register(account);
    return account;
  }

  #register(account: Account): void {
    this.set(account.id, account);
    for (const key of account.keys) this.keyHolders.set(key.key, { account, key });
    account.effects.plan();
  }

  #removeAt(account: Account, at: number): void {
    account.goneAt = at;
    const cancel = alarm(at - this.#systemClock.now(), () => this.remove(account));
    this.#cancelRemoval.set(account.id, cancel);
  }

  /** Ends an account, which stays in the map until it is replaced or removed. */
  #end(account: Account): void {
    account.effects.stop();
    this.#cancelRemoval.get(account.id)?.();
    this.#cancelRemoval.delete(account.id);
    for (const { key } of account.keys) if (this.keyHolders.get(key)?.account === account) this.keyHolders.delete(key);
  }
}

function throwObjection(objection: string | undefined): void {
  if (objection !== undefined) throw new Error(objection);
}
