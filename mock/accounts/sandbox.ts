import { clauseValues, defaultReadings, type Readings } from '../../openapi/generated/clauses.ts';
import contractDocument from '../../openapi/generated/contract.json' with { type: 'json' };
import type { Handled, Service } from '../asked.ts';
import { Contract } from '../contract/contract.ts';
import type { ContractDocument } from '../contract/document.ts';
import { HttpPoster } from '../effects/post.ts';
import type { ServiceRequest } from '../exchange.ts';
import { spoilt } from '../faults/spoil.ts';
import { handle } from '../handle.ts';
import { Journal } from '../journal/journal.ts';
import { RateWindows } from '../limits.ts';
import type { Log } from '../running/log.ts';
import { hiddenInAddress } from '../secrets/hide-in-address.ts';
import { SnapshotError } from '../snapshot/misfit.ts';
import { Shelf } from '../snapshot/shelf.ts';
import type { StateFile } from '../snapshot/state-file.ts';
import { type Dialect, Dialects } from '../wire/dialects.ts';
import { alarm, Chance, Clock, elapsed } from '../world.ts';
import { buildAccount } from '../world-file/build.ts';
import type { Account as AccountDescription, World } from '../world-file/description.ts';
import { Account, type ApiKey } from './account.ts';
import { Keys } from './keys.ts';
import type { Settings } from './settings.ts';
import { Turns } from './turns.ts';

export interface SandboxOptions {
  readonly world: World;
  readonly seed: number;
  /** Requests per minute and account, or null for no limit; without it, what the clause says. */
  readonly rateLimit?: number | null;
  /** Hosts besides those of this machine that webhooks may reach without TLS. */
  readonly plainHttpHosts?: readonly string[];
  readonly log: Log;
  /** What its accounts speak at first, and it itself where no account is known; without it, the contract as it is written. */
  readonly dialect?: Dialect;
}

/** An account that is put in the place of another, or beside the others. */
export interface Replacement {
  readonly id: string;
  readonly settings: Settings;
  readonly keys: readonly ApiKey[];
  readonly seed: number;
  readonly dialect: Dialect;
  readonly goneAt: number | null;
  /** What a reset puts it back to; undefined where the account that it takes the place of, or the world, says it. */
  readonly description: AccountDescription | undefined;
  /** Gives it what it holds. */
  fill(account: Account): void;
}

/** What an account is made from. */
interface Making {
  readonly description: AccountDescription;
  readonly seed: number;
  readonly dialect: Dialect;
}

/** One process has memory for so many, and nobody tests with more. */
const MOST_ACCOUNTS = 10_000;

/** All accounts of one running mock, and the contracts that they speak. */
export class Sandbox implements Service {
  readonly dialects: Dialects;
  dialect: Dialect;
  readonly clock = new Clock();
  readonly rates: RateWindows;
  readonly keyHolders = new Keys();
  readonly accounts = new Map<string, Account>();
  /** Snapshots that are kept under a name. */
  readonly shelf = new Shelf();
  /** What it is written to at the end, if anything. */
  stateFile: StateFile | undefined;
  /** Of the accounts to come. */
  seed: number;
  /** How often everything was put back: what was begun before belongs to accounts that are gone. */
  resets = 0;
  /** Who changes what it speaks: one after the other. */
  readonly speaking = new Turns();
  /** Sentences about what went wrong inside; a healthy sandbox has none. */
  readonly defects: string[] = [];
  /** Of requests that came with no key of any account. */
  journal = new Journal();
  readonly #options: SandboxOptions;
  readonly #poster: HttpPoster;
  readonly #machine = new Clock();
  /** What each account was made from, to be put back to. */
  readonly #makings = new Map<string, Making>();
  /** Of the accounts that do not live for ever, what keeps them from ending. */
  readonly #callOff = new Map<string, () => void>();
  readonly #firstDialect: Dialect;
  /** Of answers that a fault holds back, what breaks them off. */
  readonly #heldBack = new Set<() => void>();
  #numbered = 0;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#poster = new HttpPoster(options.plainHttpHosts);
    this.seed = options.seed;
    this.rates = new RateWindows(this.#rateLimit);
    const contract = new Contract(contractDocument as unknown as ContractDocument);
    this.dialects = new Dialects(contract);
    this.#firstDialect = options.dialect ?? { readings: defaultReadings, ownRows: [], contract };
    this.dialect = this.#firstDialect;
    this.#populate();
  }

  get contract(): Contract {
    return this.dialect.contract;
  }

  get readings(): Readings {
    return this.dialect.readings;
  }

  get ownRows(): Dialect['ownRows'] {
    return this.dialect.ownRows;
  }

  /** To those whose account is not known, and by accounts that are made from now on. */
  speak(dialect: Dialect): void {
    this.dialect = dialect;
  }

  /** Hosts besides those of this machine that webhooks may reach without TLS. */
  get plainHttpHosts(): readonly string[] {
    return this.#options.plainHttpHosts ?? [];
  }

  handle(request: ServiceRequest): Handled {
    const started = elapsed();
    const handled = spoilt(handle(this, request), this.#heldBack);
    const milliseconds = elapsed() - started;
    this.#record(request, handled, milliseconds);
    this.#options.log.request(request, handled, milliseconds, this.keyHolders.held);
    return handled;
  }

  /** Whatever breaks here breaks no answer. */
  #record(request: ServiceRequest, handled: Handled, milliseconds: number): void {
    try {
      const account = handled.holder?.account;
      if (!account) {
        this.journal.exchanged(request, handled, { id: this.journal.nextNumber(), at: this.#machine.now() }, milliseconds);
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
    const { held } = this.keyHolders;
    const where = request && `${request.method} ${hiddenInAddress(request.target.split('?', 1)[0] as string)}`;
    const sentence = held.hidden(where ? `${where}: ${message}` : message);
    if (this.defects.length < 100) this.defects.push(sentence);
    this.#options.log.defect(sentence, error instanceof Error && error.stack ? held.hidden(error.stack) : undefined);
  }

  /** The id that a new account gets when its description names none; never the same twice, since accounts can be made side by side. */
  nextId(): string {
    do this.#numbered++;
    while (this.accounts.has(`account-${this.#numbered}`));
    return `account-${this.#numbered}`;
  }

  /** Why such an account cannot be added, in a sentence; undefined when it can. */
  objectionTo({ id, keys }: AccountDescription): string | undefined {
    if (this.accounts.size >= MOST_ACCOUNTS)
      return `There are ${this.accounts.size} accounts already, and ${MOST_ACCOUNTS} is the most; POST /__mock/reset takes away those that were added.`;
    if (this.accounts.has(id)) return `There is an account ${id} already; choose another id.`;
    const taken = keys.find(({ key }) => this.keyHolders.has(key));
    return taken && `The key "${taken.description}" belongs to another account already; choose another.`;
  }

  /** Adds an account, for good or for so many real milliseconds; throws where there is an objection to it. */
  add(description: AccountDescription, lifetime?: number): Account {
    const objection = this.objectionTo(description);
    if (objection !== undefined) throw new Error(objection);
    const { seed, dialect } = this;
    const account = this.#place({ description, seed, dialect });
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
  resetAccount(present: Account): Account {
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
    this.accounts.delete(account.id);
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
    return description && this.#options.world.accounts.includes(description) ? undefined : description;
  }

  /** How many accounts got their id from here; who goes on from a snapshot goes on counting. */
  get numbered(): number {
    return this.#numbered;
  }

  /**
   * Puts accounts in the place of those with their ids, as a whole and all at once: what was under way in the old ones stops. With `whole` they
   * are all that there is from here on. Their keys must be free. Throws SnapshotError where there would be too many.
   */
  replace(replacements: readonly Replacement[], whole?: { readonly seed: number; readonly numbered: number }): void {
    const kept = whole ? [] : [...this.accounts.keys()];
    const { size: count } = new Set([...kept, ...replacements.map(({ id }) => id)]);
    if (count > MOST_ACCOUNTS)
      throw new SnapshotError(`That makes ${count} accounts, and ${MOST_ACCOUNTS} is the most; remove some, or leave some out.`);
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
    for (const account of [...this.accounts.values()]) {
      if (whole) this.remove(account);
      else if (makings.has(account.id)) this.#end(account);
    }
    if (whole) {
      this.resets++;
      this.seed = whole.seed;
      this.#numbered = whole.numbered;
    }
    for (const [index, account] of made.entries()) {
      this.#settle(account, makings.get(account.id));
      const { goneAt } = replacements[index] as Replacement;
      if (goneAt !== null) this.#endAt(account, goneAt);
    }
  }

  #makingOf({ id, description: given, seed }: Replacement): Making | undefined {
    const known = this.#makings.get(id);
    const description = given ?? known?.description ?? this.#options.world.accounts.find((account) => account.id === id);
    return description && { description, seed, dialect: known?.dialect ?? this.#firstDialect };
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

  /** Everything as it was at the start: accounts that were added are gone. */
  reset(): void {
    this.resets++;
    this.seed = this.#options.seed;
    for (const account of [...this.accounts.values()]) this.remove(account);
    this.accounts.clear();
    this.keyHolders.clear();
    this.defects.length = 0;
    this.dialect = this.#firstDialect;
    this.rates.restore({ '': [] });
    this.journal = new Journal();
    this.#populate();
  }

  /** Resolves once no account has anything left to send. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.accounts.values(), (account) => account.effects.settled()));
  }

  async close(): Promise<void> {
    for (const account of this.accounts.values()) account.effects.stop();
    for (const callOff of this.#callOff.values()) callOff();
    for (const breakOff of this.#heldBack) breakOff();
    await this.#poster.close();
  }

  get #rateLimit(): number | null {
    const { rateLimit = clauseValues['limits.rate-admits'] } = this.#options;
    return rateLimit;
  }

  #populate(): void {
    const { seed, dialect } = this;
    for (const description of this.#options.world.accounts) this.#place({ description, seed, dialect });
    this.#numbered = this.accounts.size;
  }

  #place(making: Making): Account {
    const { description, seed, dialect } = making;
    const chance = Chance.seeded(seed, `world ${description.id}`);
    const now = this.#machine.now();
    const { changes, ...built } = buildAccount(description, { now, chance });
    const account = this.#make({ ...built, seed, dialect });
    account.hold(changes);
    account.agenda.forget(now); // what came before it, in an account that is described as it stands now
    this.#settle(account, making);
    return account;
  }

  /** An account that holds nothing yet and that nobody knows. */
  #make({ id, settings, keys, seed, dialect }: Omit<Replacement, 'goneAt' | 'description' | 'fill'>): Account {
    const { log } = this.#options;
    const options = { seed, rateLimit: this.#rateLimit, plainHttpHosts: this.plainHttpHosts, dialect };
    return new Account(id, settings, keys, options, {
      post: this.#poster.post,
      delivered: (delivery) => log.delivery(id, delivery, this.keyHolders.held),
      defect: (error) => this.defect(error),
    });
  }

  /** From here on it is known by its id and its keys, and wakes by itself. */
  #settle(account: Account, making: Making | undefined): void {
    this.accounts.set(account.id, account);
    if (making) this.#makings.set(account.id, making);
    else this.#makings.delete(account.id);
    for (const key of account.keys) this.keyHolders.set(key.key, { account, key });
    account.effects.plan();
  }
}
