import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { buildAccount } from '../world/build.ts';
import type { Account as AccountDescription } from '../world/description.ts';
import { Account, type Surroundings } from './account.ts';
import { alarm, Chance, Clock } from './clock.ts';
import { Keys } from './keys.ts';
import type { ApiKey, Settings } from './settings.ts';

/** An account that is put in the place of another, or beside the others. */
export interface Replacement {
  readonly id: string;
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  readonly seed: number;
  readonly variant: ContractVariant;
  readonly goneAt: number | null;
  /** What a reset puts it back to; undefined where the account that it takes the place of, or the world, says it. */
  readonly description: AccountDescription | undefined;
  /** Gives it what it holds. */
  fill(account: Account): void;
}

/** What an account is made from. */
export interface Making {
  readonly description: AccountDescription;
  readonly seed: number;
  readonly variant: ContractVariant;
}

/** What all accounts of a sandbox have in common. */
export interface Common {
  /** Those that the world describes. */
  readonly descriptions: readonly AccountDescription[];
  /** What these speak at first. */
  readonly variant: ContractVariant;
  readonly rateLimit: number | null;
  readonly plainHttpHosts: readonly string[];
  readonly surroundingsOf: (id: string) => Surroundings;
}

/** One process has memory for so many, and nobody tests with more. */
const MOST_ACCOUNTS = 10_000;

/** All accounts of a sandbox by their ids, in an order by which some is the first: how each comes, is put back or replaced, and ends. */
export class Accounts extends Map<string, Account> {
  readonly keyHolders = new Keys();
  readonly #common: Common;
  readonly #machine = new Clock();
  /** What each account was made from, to be put back to. */
  readonly #makings = new Map<string, Making>();
  /** Of the accounts that do not live for ever, what keeps them from ending. */
  readonly #callOff = new Map<string, () => void>();
  #numbered = 0;

  constructor(common: Common) {
    super();
    this.#common = common;
  }

  /** Adds those that the world describes, where there are none. */
  populate(seed: number): void {
    const { descriptions, variant } = this.#common;
    for (const description of descriptions) this.#place({ description, seed, variant });
    this.#numbered = this.size;
  }

  /** The id that a new account gets when its description names none; never the same twice, since accounts can be made side by side. */
  nextId(): string {
    do this.#numbered++;
    while (this.has(`account-${this.#numbered}`));
    return `account-${this.#numbered}`;
  }

  /** Why such an account cannot be added, in a sentence; undefined when it can. */
  objectionTo({ id, keys }: AccountDescription): string | undefined {
    if (this.size >= MOST_ACCOUNTS)
      return `There are ${this.size} accounts already, and ${MOST_ACCOUNTS} is the most; POST /__mock/reset takes away those that were added.`;
    if (this.has(id)) return `There is an account ${id} already; choose another id.`;
    const taken = keys.find(({ key }) => this.keyHolders.has(key));
    return taken && `The key "${taken.description}" belongs to another account already; choose another.`;
  }

  /** Adds an account, for good or for so many real milliseconds; throws where there is an objection to it. */
  add(making: Making, lifetime?: number): Account {
    const objection = this.objectionTo(making.description);
    if (objection !== undefined) throw new Error(objection);
    const account = this.#place(making);
    if (lifetime !== undefined) this.#endAt(account, this.#machine.now() + lifetime);
    return account;
  }

  /** Why an account cannot be put back to how it was made, in a sentence; undefined when it can. */
  objectionToReset(account: Account): string | undefined {
    const description = this.#makings.get(account.id)?.description;
    if (!description)
      return `Nothing here says how the account ${account.id} was made: it came with a snapshot, from another world. Restore the snapshot, or remove the account.`;
    const taken = description.keys.find(({ key }) => (this.keyHolders.get(key)?.account ?? account) !== account);
    return taken && `The key "${taken.description}" belongs to another account by now; remove that one first.`;
  }

  /** One account as it was when it was made; the others, and how long it lives, stay as they are. Throws where there is an objection to it. */
  reset(present: Account): Account {
    const objection = this.objectionToReset(present);
    if (objection !== undefined) throw new Error(objection);
    const making = this.#makings.get(present.id) as Making;
    const { goneAt } = present;
    this.#end(present);
    const account = this.#place(making);
    if (goneAt !== null) this.#endAt(account, goneAt);
    return account;
  }

  /** From here on there is no such account: its keys are unknown, nothing leaves it any more, and a new one may have its id. */
  remove(account: Account): void {
    this.#end(account);
    this.#makings.delete(account.id);
    this.delete(account.id);
  }

  /** The same for one that another takes the place of at once: the order of accounts, by which some is the first, stays. */
  #end(account: Account): void {
    account.effects.stop();
    this.#callOff.get(account.id)?.();
    this.#callOff.delete(account.id);
    for (const { key } of account.keys) if (this.keyHolders.get(key)?.account === account) this.keyHolders.delete(key);
  }

  /** How an account was made, where the world does not say it. */
  descriptionOf({ id }: Account): AccountDescription | undefined {
    const description = this.#makings.get(id)?.description;
    return description && this.#common.descriptions.includes(description) ? undefined : description;
  }

  /** How many accounts got their id from here; who goes on from a snapshot goes on counting. */
  get numbered(): number {
    return this.#numbered;
  }

  /** Why accounts cannot be replaced by these, as a sentence; undefined if they can. `isWhole` means that all others are removed. */
  objectionToReplace(replacements: readonly Replacement[], isWhole: boolean): string | undefined {
    const { size } = new Set([...(isWhole ? [] : this.keys()), ...replacements.map(({ id }) => id)]);
    return size <= MOST_ACCOUNTS ? undefined : `There would be ${size} accounts, and the limit is ${MOST_ACCOUNTS}; remove some.`;
  }

  /**
   * Puts accounts in the place of those with their ids, as a whole and all at once: what was under way in the old ones stops. With `whole` they
   * are all that there is from here on. Their keys must be free. Throws where there is an objection to it.
   */
  replace(replacements: readonly Replacement[], whole?: { readonly numbered: number }): void {
    const objection = this.objectionToReplace(replacements, whole !== undefined);
    if (objection !== undefined) throw new Error(objection);
    const made: Account[] = [];
    try {
      for (const replacement of replacements) {
        const account = this.#make(replacement);
        made.push(account);
        replacement.fill(account);
      }
    } catch (error) {
      for (const account of made) account.effects.stop();
      throw error;
    }
    const makings = new Map(replacements.map((replacement) => [replacement.id, this.#makingOf(replacement)]));
    for (const account of [...this.values()]) {
      if (whole) this.remove(account);
      else if (makings.has(account.id)) this.#end(account);
    }
    if (whole) this.#numbered = whole.numbered;
    for (const [index, account] of made.entries()) {
      this.#settle(account, makings.get(account.id));
      const { goneAt } = replacements[index] as Replacement;
      if (goneAt !== null) this.#endAt(account, goneAt);
    }
  }

  #makingOf({ id, description: given, seed }: Replacement): Making | undefined {
    const known = this.#makings.get(id);
    const description = given ?? known?.description ?? this.#common.descriptions.find((account) => account.id === id);
    return description && { description, seed, variant: known?.variant ?? this.#common.variant };
  }

  #endAt(account: Account, at: number): void {
    account.goneAt = at;
    this.#callOff.set(
      account.id,
      alarm(at - this.#machine.now(), () => this.remove(account)),
    );
  }

  /** From here on the account has these keys. A key that another account has must not be among them. */
  useKeys(account: Account, keys: readonly ApiKey[]): void {
    for (const { key } of account.keys) this.keyHolders.delete(key);
    account.keys = keys;
    for (const key of keys) this.keyHolders.set(key.key, { account, key });
  }

  /** From here on there is none, and no key is known. */
  override clear(): void {
    for (const account of [...this.values()]) this.remove(account);
    super.clear();
    this.keyHolders.clear();
  }

  /** Resolves once no account has anything left to send. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.values(), (account) => account.effects.settled()));
  }

  /** Nothing leaves any of them any more, and none ends by itself. */
  stop(): void {
    for (const account of this.values()) account.effects.stop();
    for (const callOff of this.#callOff.values()) callOff();
  }

  #place(making: Making): Account {
    const { description, seed, variant } = making;
    const chance = Chance.seeded(seed, `world ${description.id}`);
    const now = this.#machine.now();
    const { changes, ...built } = buildAccount(description, { now, chance });
    const account = this.#make({ ...built, seed, variant });
    account.hold(changes);
    account.agenda.forget(now); // what came before it, in an account that is described as it stands now
    this.#settle(account, making);
    return account;
  }

  /** An account that holds nothing yet and that nobody knows. */
  #make({ id, settings, keys, seed, variant }: Omit<Replacement, 'goneAt' | 'description' | 'fill'>): Account {
    const { rateLimit, plainHttpHosts, surroundingsOf } = this.#common;
    return new Account(id, settings, keys, { seed, rateLimit, plainHttpHosts, variant }, surroundingsOf(id));
  }

  /** From here on it is known by its id and its keys, and wakes by itself. */
  #settle(account: Account, making: Making | undefined): void {
    this.set(account.id, account);
    if (making) this.#makings.set(account.id, making);
    else this.#makings.delete(account.id);
    for (const key of account.keys) this.keyHolders.set(key.key, { account, key });
    account.effects.plan();
  }
}
