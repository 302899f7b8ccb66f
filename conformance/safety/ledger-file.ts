import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { whyNot } from '../../openapi/input/why-not.ts';
import { makeFolder } from '../cli/make-folder.ts';
import { readText } from '../cli/read-file.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Entry } from './entries.ts';
import { pending } from './entries.ts';
import { fingerprints, type Keys, keyOf } from './fingerprints.ts';
import type { Keeper } from './ledger.ts';
import { type Beginning, changeOf, type Line, linesIn, VERSION, type Written } from './ledger-lines.ts';
import { alone, clearLock, isHeld, type Lock, locked } from './lock.ts';

/** A run that stands in the ledger: what it asked for, and how that stood last. */
export interface KeptRun extends Omit<Beginning, 'ledger'> {
  readonly entries: Entry[];
}

/** Runs that ended, in whichever way, those that still live, and those of other targets, which share the file. */
export interface Sorted {
  readonly ended: readonly KeptRun[];
  readonly living: readonly KeptRun[];
  readonly elsewhere: readonly KeptRun[];
}

type Put = (handle: number, bytes: Uint8Array, from: number) => number;

/** The ledger of a target on disk: JSON lines, and no key in them. Lines are only ever added; what is gone is left out when nobody else writes. */
export class LedgerFile {
  readonly path: string;
  readonly #target: string;
  readonly #flush: (handle: number) => void;
  readonly #put: Put;
  #handle: number | undefined;

  /** `flush` returns when what was written is on the disk itself; `put` writes what it can, and says how many bytes that were. */
  constructor(path: string, target: string, flush: (handle: number) => void = fsyncSync, put: Put = writeSync) {
    // Where it is and where its locks are must be the same place to whoever reads it from another folder.
    this.path = resolve(path);
    this.#target = target;
    this.#flush = flush;
    this.#put = put;
  }

  /** What the ledger holds, run by run, in the order of their beginning. An entry whose key is not among those given is out of reach. */
  read(keys?: Keys): KeptRun[] {
    const runs = new Map<string, KeptRun>();
    for (const line of linesIn(textOf(this.path), this.path).lines) {
      if ('began' in line) runs.set(line.run, { ...line, entries: [] });
      const run = runs.get(line.run);
      if (!run) continue;
      if ('open' in line) run.entries.push({ ...line.open, ...keyOf(line.open.account, run, keys), state: 'asked' } as Entry);
      if ('entry' in line) {
        const { run: _, entry: number, ...change } = line;
        const entry = run.entries.find((each) => each.number === number);
        if (entry) Object.assign(entry, change);
      }
    }
    return [...runs.values()];
  }

  /** The numbers of lines that are damaged, so that nobody knows what they said. One that was cut off while it was written is none: its request never left. */
  get damaged(): readonly number[] {
    return linesIn(textOf(this.path), this.path).damaged;
  }

  async sorted(keys?: Keys): Promise<Sorted> {
    const [ended, living]: [KeptRun[], KeptRun[]] = [[], []];
    const all = this.read(keys);
    for (const run of all.filter(({ target }) => target === this.#target)) ((await isHeld(run.lock)) ? living : ended).push(run);
    for (const { lock } of ended) clearLock(lock);
    return { ended, living, elsewhere: all.filter(({ target }) => target !== this.#target) };
  }

  /** Looks whether it can be written to. Throws UsageError where it cannot, before anything is asked for that could not be written down. */
  ready(): void {
    try {
      this.#opened();
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(
        `The ledger ${this.path} cannot be written: ${whyNot(error, 'written')}. Nothing was sent. Name another with --ledger FILE.`,
      );
    } finally {
      // Until this run begins, another may put a file of its own in the place of this one.
      this.close();
    }
  }

  /** Enters a run. Its lock is held from before its first line stands in the ledger until it is released. */
  async begin(run: string, keys: Keys): Promise<Lock> {
    makeFolder(dirname(this.path), 0o700);
    return alone(this.path, async () => {
      this.close();
      const lock = await locked(run, this.path);
      await this.#compact();
      const [began, named] = [new Date().toISOString(), fingerprints(this.#target, keys)];
      this.#write({ ledger: VERSION, run, began, target: this.#target, lock: lock.path, keys: named });
      return lock;
    });
  }

  /** Does something while no other process puts another file in the place of this one. */
  undisturbed<T>(work: () => Promise<T>): Promise<T> {
    this.close();
    return alone(this.path, work).finally(() => this.close());
  }

  keeperOf(run: string): Keeper {
    return {
      opened: ({ key: _, state: __, outOfReach: ___, ...open }) => {
        this.#write({ run, open: open as Written });
        // Until it is flushed a failing machine may lose it. For all but an opening that only means that the entry is looked at once more.
        this.#flush(this.#opened());
      },
      changed: (entry) => this.changed(run, entry),
    };
  }

  changed(run: string, entry: Entry): void {
    this.#write({ run, ...changeOf(entry) });
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  /** Leaves out what is gone. Only while no run lives, for whoever writes has the file open. */
  async #compact(): Promise<void> {
    const runs = this.read();
    if (runs.length === 0 || this.damaged.length > 0) return;
    for (const { lock } of runs) if (await isHeld(lock)) return;
    const kept = runs.flatMap(({ entries, ...beginning }): Line[] => {
      const open = entries.filter(pending);
      const lines = open.flatMap((entry): Line[] => {
        const { key: _, state: __, outOfReach: ___, ...written } = entry;
        return [
          { run: beginning.run, open: written as Written },
          { run: beginning.run, ...changeOf(entry) },
        ];
      });
      return open.length === 0 ? [] : [{ ledger: VERSION, ...beginning }, ...lines];
    });
    this.close();
    const fresh = `${this.path}.fresh`;
    writeFileSync(fresh, kept.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600, flush: true });
    renameSync(fresh, this.path);
    flushFolder(dirname(this.path));
  }

  /** Outlives the process when it returns. Throws where not all of it could be written, for then nobody may rely on it. */
  #write(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let done = 0; done < bytes.length; ) {
        const more = this.#put(this.#opened(), bytes, done);
        if (more <= 0) throw new Error(`only ${done} of ${bytes.length} bytes were written to ${this.path}`);
        done += more;
      }
    } catch (error) {
      // Whoever opens it anew begins a line of its own behind what was cut off.
      this.close();
      throw error;
    }
  }

  #opened(): number {
    if (this.#handle !== undefined) return this.#handle;
    makeFolder(dirname(this.path), 0o700);
    const isNew = !existsSync(this.path);
    this.#handle = openSync(this.path, 'a', 0o600);
    // A line that was cut off must not swallow the next one.
    if (!/(^|\n)$/.test(textOf(this.path))) writeSync(this.#handle, '\n');
    if (isNew) flushFolder(dirname(this.path));
    return this.#handle;
  }
}

const textOf = (path: string): string => (existsSync(path) ? readText(path, 'ledger') : '');

/** That a file is new stands in its folder, which not every system lets anybody flush. */
function flushFolder(path: string): void {
  try {
    const handle = openSync(path, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Then the system sees to it.
  }
}

/** Where the ledger of a target is kept when nobody says it: with the user's other state, and apart from other targets' ledgers. */
export function usualLedger(target: string, env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  const host = new URL(target).host.replace(/[^\w.-]+/g, '-');
  const digest = createHash('sha256').update(target).digest('hex').slice(0, 8);
  return join(state, 'giftcard-sandbox', `${host}-${digest}.jsonl`);
}
