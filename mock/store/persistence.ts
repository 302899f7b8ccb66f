import type { Accounts } from '../account/accounts.ts';
import { elapsed, idle, startTimer } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Persist } from '../state/persist.ts';
import { journalOf, type Rows, readName, rowName, snapshotOf, valuesOf } from './rows.ts';
import { restoreAll } from './snapshot/restore.ts';
import { StateFileError } from './state-file-error.ts';
import { noticeOf, OtherLeads, type Store, StoreUnavailable, unavailable } from './store.ts';
import { readRows, WaitingRows } from './waiting-rows.ts';

type Account = NonNullable<ReturnType<Accounts['get']>>;

const REMEDY = 'choose another folder with --state, or move this one away to start without it';

/** A recovery writes this row, to know that the store accepts writes again. */
const PROBE = rowName('', 'probe', '');

/** The milliseconds that a request waits for a recovery. To restore a large state takes longer. */
const PATIENCE = 5000;

/** The milliseconds after a recovery before the next one. */
const PAUSE = 250;

/**
 * Persists the state of a sandbox in a store. Changed rows wait until the event loop is idle. Then one write stores the rows of all requests so far, and
 * their responses leave. If a write fails, requests are refused until the store can be opened again, and the state is restored from the store.
 */
export class Persistence {
  readonly path: string;
  wasThere = false;
  /** Why changes cannot be stored at present. */
  #error: StoreUnavailable | undefined;
  readonly #sandbox: Sandbox;
  readonly #open: () => Promise<Store>;
  #first = async () => {};
  #store: Store | undefined;
  /**
   * Only while these rows are here, changes are accepted. A failure drops them with all that waits, and the next state gets new ones, so nothing of a state
   * that is thrown away can reach the store.
   */
  #waiting: WaitingRows | undefined;
  #isClosed = false;
  /** The last write that was begun or planned. */
  #writing: Promise<void> = Promise.resolve();
  #isPlanned = false;
  #recovery: Promise<void> | undefined;
  /** The number of failed writes. The state of memory after a failure is not the state before. */
  #failures = 0;
  /** The next recovery does not begin before this time. */
  #nextTry = 0;

  constructor(path: string, sandbox: Sandbox, open: () => Promise<Store>) {
    this.path = path;
    this.#sandbox = sandbox;
    this.#open = open;
  }

  /** The reason why changes cannot be stored at present. */
  get failure(): string | undefined {
    return this.#error?.message;
  }

  /**
   * Opens the store, and restores the sandbox. If the store is empty, it gets the state that `first` makes. If another replica leads, follows it.
   * @throws StateFileError
   */
  async start(first: () => Promise<void>): Promise<void> {
    this.#first = first;
    try {
      this.#store = await this.#open();
      this.wasThere = await this.#load();
    } catch (error) {
      this.wasThere = error instanceof OtherLeads;
      if (this.wasThere) return void this.fail(error);
      await this.#store?.close();
      throw error instanceof StoreUnavailable ? this.#unwritten(error) : error;
    }
  }

  persist(account: Account | undefined, ...row: Parameters<Persist>): void {
    // An account that was replaced may still end its deliveries.
    if (!this.#waiting || this.#sandbox.accounts.get(account?.id ?? '') !== account) return;
    this.#waiting.add(account, row);
    this.#plan(this.#waiting);
  }

  replaced(accountId: string): void {
    if (!this.#waiting) return;
    this.#waiting.replace(accountId);
    this.#plan(this.#waiting);
  }

  stored(): Promise<void> {
    return this.#error ? Promise.reject(this.#error) : this.#writing;
  }

  async respond<T>(_call: unknown, handle: () => T | Promise<T>): Promise<T> {
    if (this.#error) await this.recover();
    const failures = this.#failures;
    const result = await handle();
    await this.stored();
    if (failures !== this.#failures) throw new StoreUnavailable('A write failed during the request.');
    return result;
  }

  async recover(): Promise<void> {
    if (!this.#error) return;
    if (!this.#recovery && (this.#isClosed || elapsed() < this.#nextTry)) throw this.#error;
    this.#recovery ??= this.#reopen().finally(() => {
      this.#recovery = undefined;
      this.#nextTry = elapsed() + PAUSE;
    });
    const isLate = new Promise<never>((_, reject) => startTimer(PATIENCE, () => reject(this.#error)));
    await Promise.race([this.#recovery, isLate]);
  }

  /** Stops the accounts, and stores the last changes. Throws StateFileError if that is not possible. */
  async close(): Promise<void> {
    await this.#recovery?.catch(() => {});
    // Deliveries that are not posted yet stay in their queues.
    this.#sandbox.accounts.stop();
    const last = this.#error instanceof OtherLeads ? undefined : this.stored();
    this.#isClosed = true;
    this.#waiting = undefined;
    try {
      await last;
    } catch (error) {
      throw this.#unwritten(error as Error);
    } finally {
      await this.#store?.close();
    }
  }

  #unwritten({ message }: Error): StateFileError {
    return new StateFileError(`The last changes could not be written to ${this.path}: ${message}.`);
  }

  #plan(waiting: WaitingRows): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#writing = this.#writing.then(() => this.#write(waiting));
    this.#writing.catch(() => {}); // Every caller of `stored` gets the error.
  }

  async #write(waiting: WaitingRows): Promise<void> {
    await idle();
    this.#isPlanned = false;
    try {
      const store = this.#store as Store;
      const { texts, replaced } = waiting.take();
      for (const id of replaced)
        for (const name of await store.keys(`${id}!`))
          if (!texts.has(name) && readName(name).kind !== 'responses') texts.set(name, undefined);
      await store.write(texts);
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** From now on, no change is accepted, because the memory is not the state in the store. */
  protected fail(error: unknown): StoreUnavailable {
    this.#failures++;
    this.#waiting = undefined;
    this.#sandbox.accounts.stop();
    this.#sandbox.rows.endWatchers();
    return this.#refuse(error);
  }

  /** Records the reason why changes cannot be stored. Logs the reason if it is a new one. */
  #refuse(error: unknown): StoreUnavailable {
    const reason = unavailable(error);
    if (reason.message !== this.#error?.message) this.#sandbox.log.notice(noticeOf(reason, this.path));
    this.#error = reason;
    return reason;
  }

  /** Is called with the rows of the sandbox itself, before changes are accepted. */
  protected restored(_rows: Rows): void {}

  async #reopen(): Promise<void> {
    const followed = this.#error instanceof OtherLeads;
    try {
      await this.#writing.catch(() => {}); // A write that still tries must not follow the recovery.
      await this.#store?.close();
      this.#store = await this.#open();
      await this.#store.write(new Map([[PROBE, JSON.stringify([0, null])]]));
      this.#writing = Promise.resolve();
      this.#isPlanned = false;
      await this.#load();
    } catch (error) {
      throw this.#refuse(error);
    }
    this.#sandbox.log.notice(followed ? 'This replica leads now.' : `The state can be written to ${this.path} again.`);
  }

  /** Returns false if the store was empty. */
  async #load(): Promise<boolean> {
    if (await this.#restore()) return true;
    await this.#first();
    this.#accept(new WaitingRows(this.#sandbox));
    for (const id of ['', ...this.#sandbox.accounts.keys()]) this.replaced(id);
    await this.stored();
    return false;
  }

  /** Replaces the state of the sandbox by the state in the store. Returns false if the store is empty. */
  async #restore(): Promise<boolean> {
    const waiting = new WaitingRows(this.#sandbox);
    try {
      const { sandbox = new Map(), accounts } = await readRows(this.#store as Store, waiting);
      if (accounts.length === 0 && !sandbox.has('head')) return false;
      await restoreAll(this.#sandbox, {
        ...(valuesOf(sandbox, 'head')[0] as object),
        journal: journalOf(
          sandbox,
          (valuesOf(sandbox, 'progress')[0] as { readonly advice?: unknown } | undefined)?.advice ?? [],
        ),
        accounts: accounts.map(([, rows]) => snapshotOf(rows)),
      });
      this.restored(sandbox);
      this.#accept(waiting);
      // The lifetime of an account may have ended.
      for (const [id] of accounts) if (!this.#sandbox.accounts.has(id)) this.replaced(id);
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      throw new StateFileError(`The state in ${this.path} cannot be used (${REMEDY}). ${(error as Error).message}`);
    }
  }

  /** From now on, changes are accepted. */
  #accept(waiting: WaitingRows): void {
    this.#waiting = waiting;
    this.#error = undefined;
  }
}
