import type { Accounts } from '../account/accounts.ts';
import { elapsed, idle } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { restoreAll } from '../snapshot/restore.ts';
import type { Keep, RowKind } from '../state/keep.ts';
import { journalOf, type Row, type Rows, readName, rowName, snapshotOf, valuesOf } from './rows.ts';
import { StateFileError } from './state-file-error.ts';
import { type Store, StoreUnavailable } from './store.ts';
import { WaitingRows } from './waiting-rows.ts';

type Account = NonNullable<ReturnType<Accounts['get']>>;

const REMEDY = 'choose another folder with --state, or move this one away to start without it';

/** A recovery writes this row, to know that the store accepts writes again. */
const PROBE = rowName('', 'probe', '');

/** The milliseconds after a recovery before the next one. */
const PAUSE = 250;

/**
 * Keeps the state of a sandbox in a store. Changed rows wait until the event loop is idle. Then one write stores the rows of all requests so far, and
 * their answers leave. If a write fails, requests are refused until the store can be opened again, and the state is restored from the store.
 */
export class Persistence {
  readonly path: string;
  wasThere = false;
  /** The reason why the last write failed. */
  failure: string | undefined;
  readonly #sandbox: Sandbox;
  readonly #open: () => Promise<Store>;
  readonly #waiting: WaitingRows;
  #store: Store | undefined;
  /** Only while the phase is `open`, changes are accepted. While the state is restored, they come from the store. */
  #phase: 'restoring' | 'open' | 'failed' | 'closed' = 'restoring';
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
    this.#waiting = new WaitingRows(sandbox);
  }

  /**
   * Opens the store, and restores the sandbox. If the store is empty, it gets the state that `first` makes.
   * @throws StateFileError
   */
  async start(first: () => Promise<void>): Promise<void> {
    this.#store = await this.#open();
    try {
      this.wasThere = await this.#restore();
      if (this.wasThere) return;
      await first();
      this.#phase = 'open';
      for (const id of ['', ...this.#sandbox.accounts.keys()]) this.replaced(id);
      await this.stored();
    } catch (error) {
      await this.#store.close();
      throw error instanceof StoreUnavailable ? this.#unwritten(error) : error;
    }
  }

  keep(account: Account | undefined, ...row: Parameters<Keep>): void {
    // An account that was replaced may still end its deliveries.
    if (this.#phase !== 'open' || this.#sandbox.accounts.get(account?.id ?? '') !== account) return;
    this.#waiting.add(account, row);
    this.#plan();
  }

  replaced(accountId: string): void {
    if (this.#phase !== 'open') return;
    this.#waiting.replace(accountId);
    this.#plan();
  }

  stored(): Promise<void> {
    return this.failure === undefined ? this.#writing : Promise.reject(new StoreUnavailable(this.failure));
  }

  async answer<T>(handle: () => T | Promise<T>): Promise<T> {
    if (this.failure !== undefined) await this.recover();
    const failures = this.#failures;
    const result = await handle();
    await this.stored();
    if (failures !== this.#failures) throw new StoreUnavailable('A write failed during the request.');
    return result;
  }

  async recover(): Promise<void> {
    if (this.failure === undefined) return;
    if (!this.#recovery && elapsed() < this.#nextTry) throw new StoreUnavailable(this.failure);
    this.#recovery ??= this.#reopen().finally(() => {
      this.#recovery = undefined;
      this.#nextTry = elapsed() + PAUSE;
    });
    await this.#recovery;
  }

  /** Stops the accounts, and stores the last changes. Throws StateFileError if that is not possible. */
  async close(): Promise<void> {
    await this.#recovery?.catch(() => {});
    // Deliveries that are not posted yet stay in their queues.
    this.#sandbox.accounts.stop();
    const last = this.stored();
    this.#phase = 'closed';
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

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#writing = this.#writing.then(() => this.#write());
    this.#writing.catch(() => {}); // Every caller of `stored` gets the error.
  }

  async #write(): Promise<void> {
    await idle();
    this.#isPlanned = false;
    try {
      const store = this.#store as Store;
      const { texts, replaced } = this.#waiting.take();
      for (const id of replaced) for (const name of await store.keys(`${id}!`)) if (!texts.has(name)) texts.set(name, undefined);
      await store.write(texts);
    } catch (error) {
      this.#fail(error);
      throw new StoreUnavailable(this.failure);
    }
  }

  /** From now on, no change is accepted, because the memory is ahead of the store. */
  #fail(error: unknown): void {
    this.failure = error instanceof Error ? error.message : String(error);
    this.#failures++;
    if (this.#phase === 'open') this.#phase = 'failed';
    this.#waiting.clear();
    this.#sandbox.accounts.stop();
    this.#sandbox.notice(`The state cannot be written to ${this.path}: ${this.failure}. Requests get 503 until it can.`);
  }

  async #reopen(): Promise<void> {
    try {
      await this.#store?.close();
      this.#store = await this.#open();
      await this.#store.write(new Map([[PROBE, JSON.stringify([0, null])]]));
      this.#writing = Promise.resolve();
      this.#isPlanned = false;
      await this.#restore();
    } catch (error) {
      this.failure = (error as Error).message;
      throw new StoreUnavailable(this.failure);
    }
    this.#sandbox.notice(`The state can be written to ${this.path} again.`);
  }

  /** Replaces the state of the sandbox by the state in the store. Returns false if the store is empty. */
  async #restore(): Promise<boolean> {
    this.#phase = 'restoring';
    try {
      const { sandbox, accounts } = await this.#read();
      if (!sandbox) return false;
      await restoreAll(this.#sandbox, {
        ...(valuesOf(sandbox, 'head')[0] as object),
        journal: journalOf(
          sandbox,
          (valuesOf(sandbox, 'progress')[0] as { readonly advice?: unknown } | undefined)?.advice ?? [],
        ),
        accounts: accounts.map(([, rows]) => snapshotOf(rows)),
      });
      this.#phase = 'open';
      this.failure = undefined;
      // The lifetime of an account may have ended.
      for (const [id] of accounts) if (!this.#sandbox.accounts.has(id)) this.replaced(id);
      return true;
    } catch (error) {
      throw new StateFileError(`The state in ${this.path} cannot be used (${REMEDY}). ${(error as Error).message}`);
    }
  }

  async #read(): Promise<{ readonly sandbox: Rows | undefined; readonly accounts: readonly (readonly [string, Rows])[] }> {
    const all = new Map<string, Map<RowKind, Row[]>>();
    for await (const page of (this.#store as Store).rows())
      for (const [name, text] of page) {
        const { id, kind } = readName(name);
        const [order, value] = JSON.parse(text) as [number, unknown];
        const rows = all.get(id) ?? new Map<RowKind, Row[]>();
        all.set(id, rows);
        const ofKind = rows.get(kind);
        if (ofKind) ofKind.push({ order, value });
        else rows.set(kind, [{ order, value }]);
        this.#waiting.learn(id, name, kind, order);
      }
    const sandbox = all.get('');
    all.delete('');
    const placeOf = (rows: Rows) => rows.get('head')?.[0]?.order ?? 0;
    return { sandbox, accounts: [...all].sort(([, one], [, other]) => placeOf(one) - placeOf(other)) };
  }
}
