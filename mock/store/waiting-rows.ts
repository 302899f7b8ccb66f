import type { Accounts } from '../account/accounts.ts';
import { systemTime, withoutPause } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Persist, RowKind } from '../state/persist.ts';
import { LOG_ROWS, LOGS, PLACED, persistAll, persistEntries, type Rows, readName, rowName, type StoreRow } from './rows.ts';
import { capture, headOf, headOfSandbox, progressOf } from './snapshot/capture.ts';
import type { Store } from './store.ts';

type Account = NonNullable<ReturnType<Accounts['get']>>;

/** After a restart, at most this number of requests counts toward the rate limit. */
const RATE = 1000;

/** The rows of a sandbox that have changed, and are not in the store yet. The rows of the sandbox itself have an empty account ID. */
export class WaitingRows {
  readonly #sandbox: Sandbox;
  #rows = new Map<string, Pick<StoreRow, 'order' | 'value'>>();
  /** The accounts whose rows are all replaced by the next write. */
  #replaced = new Set<string>();
  /** The accounts with changed rows. Their progress is written, too. */
  readonly #changed = new Set<string>();
  #order = 0;
  /** The order of the first write of PLACED rows, by account and name. */
  readonly #places = new Map<string, Map<string, number>>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  add(account: Account | undefined, row: Parameters<Persist>): void {
    const id = account?.id ?? '';
    const isReplaced = this.#replaced.has(id);
    if (isReplaced && row[0] !== 'responses') return;
    this.#put(id, row);
    if (!isReplaced) this.#changed.add(id);
  }

  /** Replaces all rows of an account by its rows at the next write. */
  replace(accountId: string): void {
    if (!this.#sandbox.accounts.has(accountId)) this.#places.delete(accountId);
    for (const id of [accountId, '']) {
      if (this.#replaced.has(id)) continue;
      this.#replaced.add(id);
      this.#changed.delete(id);
      for (const name of this.#rows.keys())
        if (name.startsWith(`${id}!`) && readName(name).kind !== 'responses') this.#rows.delete(name);
    }
  }

  /** Learns the order of a row in the store. */
  learn(id: string, name: string, kind: RowKind, order: number): void {
    if (PLACED.has(kind)) this.#placesOf(id).set(name, order);
    if (!LOGS.has(kind)) this.#order = Math.max(this.#order, order);
  }

  /** Returns the texts of all rows, and the accounts whose other rows must be removed. Afterwards, no row is waiting. */
  take(): { readonly texts: Map<string, string | undefined>; readonly replaced: ReadonlySet<string> } {
    const replaced = this.#replaced;
    this.#replaced = new Set();
    if (replaced.size > 0) for (const id of ['', ...this.#sandbox.accounts.keys()]) if (replaced.has(id)) this.#putWhole(id);
    for (const id of this.#changed) this.#put(id, ['progress', '', null]);
    this.#changed.clear();
    const texts = new Map<string, string | undefined>();
    for (const [name, { order, value }] of this.#rows) {
      const present = typeof value === 'function' ? value() : value;
      texts.set(name, present === undefined ? undefined : JSON.stringify([order, present]));
    }
    this.#rows = new Map();
    return { texts, replaced };
  }

  #putWhole(id: string): void {
    const { accounts, journal } = this.#sandbox;
    const account = accounts.get(id);
    const head = rowName(id, 'head', '');
    const place = this.#places.get(id)?.get(head);
    this.#places.set(id, new Map(place === undefined ? [] : [[head, place]]));
    const persist: Persist = (...row) => this.#put(id, row);
    persist('head', '', null);
    this.#changed.add(id);
    if (account) persistAll(withoutPause(capture(this.#sandbox, account)), persist);
    else {
      const { entries, dropped } = journal.state();
      persistEntries('journal', entries, dropped, persist);
    }
  }

  #put(id: string, [kind, key, value]: Parameters<Persist>): void {
    if (LOGS.has(kind) && typeof key === 'number') {
      this.#rows.set(rowName(id, kind, key % LOG_ROWS), { order: key, value });
      return;
    }
    const order = ++this.#order;
    const name = rowName(id, kind, key ?? order);
    const place = PLACED.has(kind) ? this.#placeOf(id, name, value, order) : order;
    this.#rows.set(name, { order: place, value: this.#valueOf(id, kind, value) });
  }

  #placesOf(id: string): Map<string, number> {
    const places = this.#places.get(id) ?? new Map<string, number>();
    this.#places.set(id, places);
    return places;
  }

  /** Returns the order of a row's first write. */
  #placeOf(id: string, name: string, value: unknown, order: number): number {
    const places = this.#placesOf(id);
    const place = places.get(name) ?? order;
    if (value === undefined) places.delete(name);
    else places.set(name, place);
    return place;
  }

  /** The values of head and progress are read when the rows are written. */
  #valueOf(id: string, kind: RowKind, value: unknown): unknown {
    const account = this.#sandbox.accounts.get(id);
    if (kind === 'head') return () => (account ? headOf(this.#sandbox, account) : headOfSandbox(this.#sandbox));
    if (kind !== 'progress') return value;
    return () => {
      const advice = (account ?? this.#sandbox).journal.advice();
      if (!account) return { advice };
      const progress = progressOf(account);
      return { ...progress, advice, rate: progress.rate.slice(-RATE), savedAt: systemTime() };
    };
  }
}

/** Returns all rows of the sandbox and of its accounts. `waiting` learns their orders. */
export async function readRows(
  store: Store,
  waiting: WaitingRows,
): Promise<{ readonly sandbox: Rows | undefined; readonly accounts: readonly (readonly [string, Rows])[] }> {
  const all = new Map<string, Map<RowKind, StoreRow[]>>();
  for await (const page of store.rows())
    for (const [name, text] of page) {
      const { id, kind } = readName(name);
      const [order, value] = JSON.parse(text) as [number, unknown];
      const rows = all.get(id) ?? new Map<RowKind, StoreRow[]>();
      all.set(id, rows);
      const ofKind = rows.get(kind);
      if (ofKind) ofKind.push({ order, value });
      else rows.set(kind, [{ order, value }]);
      waiting.learn(id, name, kind, order);
    }
  const sandbox = all.get('');
  all.delete('');
  const placeOf = (rows: Rows) => rows.get('head')?.[0]?.order ?? 0;
  return { sandbox, accounts: [...all].sort(([, one], [, other]) => placeOf(one) - placeOf(other)) };
}
