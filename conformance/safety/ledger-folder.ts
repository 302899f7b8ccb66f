import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { readText } from '../core/files.ts';
import { type Entry, entryStatus, fingerprints, type Keys, keyOf, type LedgerWriter, pending, storedEntry } from './entries.ts';
import { type LedgerLine, type RunLine, readLines, VERSION } from './ledger-lines.ts';
import { isLocked, type Lock, removeLock, takeLock } from './lock.ts';

/** A run as the ledger has it: what it created, each with its last status. */
export interface StoredRun extends Omit<RunLine, 'ledger'> {
  readonly file: string;
  readonly entries: Entry[];
}

/** Runs that ended, runs that still live, and runs against other targets in the same folder. */
export interface SortedRuns {
  readonly ended: readonly StoredRun[];
  readonly living: readonly StoredRun[];
  readonly otherTargets: readonly StoredRun[];
}

/** Lines of a file that cannot be read, by number. */
export interface Damage {
  readonly file: string;
  readonly lines: readonly number[];
}

/** How bytes reach the disk; tests replace it. `put` returns how many bytes it wrote. */
export interface Disk {
  flush(handle: number): void;
  put(handle: number, bytes: Uint8Array, from: number): number;
}

const disk: Disk = { flush: fsyncSync, put: writeSync };

/**
 * The ledgers of the runs against a target: one file per run, created exclusively, deleted once nothing of the run is left. JSON lines, without any key.
 * Version 0.1 kept all runs in one file next to the folder, `NAME.jsonl`; what is left in it is read and cleaned up as well.
 */
export class LedgerFolder {
  readonly path: string;
  readonly #target: string;
  readonly #disk: Disk;
  /** Open files by run. */
  readonly #handles = new Map<string, number>();

  /** `path` names the folder, or the file of version 0.1 (`NAME.jsonl`), whose folder is then `NAME`. */
  constructor(path: string, target: string, replaced: Partial<Disk> = {}) {
    this.path = resolve(path.replace(/\.jsonl$/, ''));
    this.#target = target;
    this.#disk = { ...disk, ...replaced };
  }

  /** Throws UsageError if nothing can be written here. Called before anything is sent. */
  ready(): void {
    const probe = join(this.path, `.probe-${randomUUID()}`);
    try {
      mkdirSync(this.path, { recursive: true, mode: 0o700 });
      writeFileSync(probe, '');
      rmSync(probe);
    } catch (error) {
      throw new UsageError(
        `The ledger ${this.path} cannot be written: ${whyNot(error, 'written')}. Nothing was sent. Name another folder with --ledger.`,
      );
    }
  }

  /** All runs, oldest first. An entry whose key is not among those given is out of reach. */
  runs(keys?: Keys): StoredRun[] {
    const runs = this.#files().flatMap((file) => runsIn(file, keys));
    return runs.sort((one, other) => one.began.localeCompare(other.began));
  }

  damage(): Damage[] {
    return this.#files()
      .map((file) => ({ file, lines: readLines(textOf(file), file).damaged }))
      .filter(({ lines }) => lines.length > 0);
  }

  async sorted(keys?: Keys): Promise<SortedRuns> {
    const [ended, living]: [StoredRun[], StoredRun[]] = [[], []];
    const all = this.runs(keys);
    for (const run of all) if (run.target === this.#target) ((await isLocked(run.lock)) ? living : ended).push(run);
    return { ended, living, otherTargets: all.filter(({ target }) => target !== this.#target) };
  }

  /** Creates the file of a run. Its lock is held from before the first line is written until it is released; then the file is deleted if nothing is left. */
  async begin(run: string, keys: Keys): Promise<Lock> {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    await this.deleteClean();
    const lock = await takeLock(run, this.path);
    this.#handles.set(run, openSync(this.#fileOf(run), 'ax', 0o600));
    flushFolder(this.path);
    const began = new Date().toISOString();
    this.#write(run, {
      ledger: VERSION,
      run,
      began,
      target: this.#target,
      lock: lock.path,
      keys: fingerprints(this.#target, keys),
    });
    const release = async () => {
      this.#closeFile(run);
      if (isClean(this.#fileOf(run))) rmSync(this.#fileOf(run), { force: true });
      await lock.release();
    };
    return { path: lock.path, release };
  }

  writerOf(run: string): LedgerWriter {
    return {
      opened: (entry) => {
        this.#write(run, { run, open: storedEntry(entry) });
        // Only entries are flushed. If a power failure loses a status, the entry is looked up again.
        this.#disk.flush(this.#handleOf(run));
      },
      changed: (entry) => this.#write(run, { run, entry: entry.number, ...entryStatus(entry) }),
    };
  }

  /** Writes the status of an entry of a run that has ended. */
  changed(run: StoredRun, entry: Entry): void {
    if (!this.#handles.has(run.run)) this.#handles.set(run.run, openForAppend(run.file));
    this.writerOf(run.run).changed(entry);
  }

  /** Deletes the files of ended runs of which nothing is left. */
  async deleteClean(): Promise<void> {
    for (const file of this.#files()) {
      const runs = runsIn(file, undefined);
      const living = await Promise.all(runs.map(({ lock }) => isLocked(lock)));
      if (living.includes(true) || !isClean(file)) continue;
      for (const { run, lock } of runs) {
        this.#closeFile(run);
        removeLock(lock);
      }
      rmSync(file, { force: true });
    }
  }

  close(): void {
    for (const run of [...this.#handles.keys()]) this.#closeFile(run);
  }

  #files(): string[] {
    const names = existsSync(this.path) ? readdirSync(this.path).filter((name) => name.endsWith('.jsonl')) : [];
    const ofVersion01 = `${this.path}.jsonl`;
    return [...(existsSync(ofVersion01) ? [ofVersion01] : []), ...names.map((name) => join(this.path, name))];
  }

  #fileOf(run: string): string {
    return join(this.path, `${run}.jsonl`);
  }

  #handleOf(run: string): number {
    const handle = this.#handles.get(run) ?? openForAppend(this.#fileOf(run));
    this.#handles.set(run, handle);
    return handle;
  }

  #closeFile(run: string): void {
    const handle = this.#handles.get(run);
    if (handle !== undefined) closeSync(handle);
    this.#handles.delete(run);
  }

  /** Survives the process once it returns. Throws if not all of the line could be written. */
  #write(run: string, line: LedgerLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let done = 0; done < bytes.length; ) {
        const more = this.#disk.put(this.#handleOf(run), bytes, done);
        if (more <= 0) throw new Error(`only ${done} of ${bytes.length} bytes were written to ${this.path}`);
        done += more;
      }
    } catch (error) {
      // The next line then starts after a line break.
      this.#closeFile(run);
      throw error;
    }
  }
}

function runsIn(file: string, keys: Keys | undefined): StoredRun[] {
  const runs = new Map<string, StoredRun>();
  for (const line of readLines(textOf(file), file).lines) {
    if ('began' in line) runs.set(line.run, { ...line, file, entries: [] });
    const run = runs.get(line.run);
    if (!run) continue;
    if ('open' in line) run.entries.push({ ...line.open, ...keyOf(line.open.account, run, keys), state: 'asked' });
    if ('entry' in line) {
      const { run: _, entry: number, ...status } = line;
      const entry = run.entries.find((each) => each.number === number);
      if (entry) Object.assign(entry, status);
    }
  }
  return [...runs.values()];
}

function isClean(file: string): boolean {
  if (readLines(textOf(file), file).damaged.length > 0) return false;
  return runsIn(file, undefined).every(({ entries }) => !entries.some(pending));
}

const textOf = (file: string): string => (existsSync(file) ? readText(file, 'ledger') : '');

function openForAppend(file: string): number {
  const handle = openSync(file, 'a', 0o600);
  // A line that was cut off must not swallow the next one.
  if (!/(^|\n)$/.test(readFileSync(file, 'utf8'))) writeSync(handle, '\n');
  return handle;
}

/** A new file survives a power failure once its folder is flushed. Some systems do not allow it, and do it by themselves. */
function flushFolder(path: string): void {
  try {
    const handle = openSync(path, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Not supported here.
  }
}

/** Default folder: with the user's other state, one per target. */
export function defaultLedger(target: string, env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  const host = new URL(target).host.replace(/[^\w.-]+/g, '-');
  const digest = createHash('sha256').update(target).digest('hex').slice(0, 8);
  return join(state, 'giftcard-sandbox', `${host}-${digest}`);
}
