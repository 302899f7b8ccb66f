import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { homedir, platform, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../../cli/usage-error.ts';
import { makeFolder } from '../../cli/user-files.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { type EntryStatus, fingerprints, isPending, type LedgerEntry, type TargetKeys } from './entries.ts';
import { type LedgerFile, type LedgerLine, readLedgerFile, type StoredRun } from './ledger-lines.ts';

/** The state of earlier runs against the target. */
export interface Leftovers {
  /** Ended runs that left something, oldest first. */
  readonly runs: readonly StoredRun[];
  readonly entries: readonly LedgerEntry[];
  /** Runs whose processes are still running. */
  readonly living: readonly StoredRun[];
  /** Other targets with leftovers in the folder. */
  readonly otherTargets: readonly string[];
  /** One sentence for each damaged file. */
  readonly damage: readonly string[];
}

/** The functions that write to the disk. Tests replace these functions. */
const realDisk = { write: (handle: number, text: string): void => writeFileSync(handle, text), flush: fsyncSync };
export type Disk = typeof realDisk;

/** The ledgers of the runs against a target. Each run has a file of JSON lines. The file is deleted once nothing of the run is left. */
export class LedgerFolder {
  readonly path: string;
  readonly #target: string;
  readonly #disk: Disk;

  constructor(path: string, target: string, replaced: Partial<Disk> = {}) {
    this.path = resolve(path);
    this.#target = target;
    this.#disk = { ...realDisk, ...replaced };
  }

  /** Throws UsageError if the folder cannot be written. */
  ready(): void {
    try {
      makeFolder(this.path, 0o700);
      accessSync(this.path, constants.W_OK);
    } catch (error) {
      throw new UsageError(
        `The ledger ${this.path} cannot be written: ${whyNot(error, 'written')}. Nothing was created. Name another folder with --ledger.`,
      );
    }
  }

  /** Reads all files. Without keys, marks all entries as `outOfReach`. */
  async read(keys?: TargetKeys): Promise<Leftovers> {
    const files = this.#read(keys);
    const runs: StoredRun[] = [];
    const living: StoredRun[] = [];
    const otherTargets = new Set<string>();
    for (const run of files.flatMap((file) => file.runs)) {
      const isOther = run.target !== this.#target;
      if (!isOther && (await isLocked(run.lock))) living.push(run);
      else if (!run.entries.some(isPending)) continue;
      else if (isOther) otherTargets.add(run.target);
      else runs.push(run);
    }
    runs.sort((one, other) => one.began.localeCompare(other.began));
    const entries = runs.flatMap((run) => run.entries.filter(isPending));
    return { runs, entries, living, otherTargets: [...otherTargets], damage: files.flatMap(({ damage }) => damage) };
  }

  /** Creates the file of a run. Until the file is closed, a lock shows other processes that the run is active. */
  async begin(run: string, keys: TargetKeys): Promise<RunFile> {
    makeFolder(this.path, 0o700);
    const lock = await takeLock(run, this.path);
    const file = runFile(run, openSync(join(this.path, `${run}.jsonl`), 'ax', 0o600), this.#disk, async () => {
      await lock.release();
      await this.deleteClean();
    });
    const [began, target] = [new Date().toISOString(), this.#target];
    file.write({ ledger: 1, run, began, target, lock: lock.path, keys: fingerprints(target, keys) });
    flushFolder(this.path);
    return file;
  }

  reopen({ run, file }: StoredRun): RunFile {
    return runFile(run, openSync(file, 'a'), this.#disk, () => this.deleteClean());
  }

  /** Deletes the files of ended runs that left nothing. */
  async deleteClean(): Promise<void> {
    for (const { file, runs, damage } of this.#read()) {
      const isClean = runs.length > 0 && damage.length === 0 && !runs.some(({ entries }) => entries.some(isPending));
      const locked = await Promise.all(runs.map(({ lock }) => isLocked(lock)));
      if (!isClean || locked.includes(true)) continue;
      for (const { lock } of runs) removeLock(lock);
      rmSync(file, { force: true });
    }
  }

  #read(keys?: TargetKeys): LedgerFile[] {
    const names = existsSync(this.path) ? readdirSync(this.path).filter((name) => name.endsWith('.jsonl')) : [];
    return names.map((name) => readLedgerFile(join(this.path, name), keys));
  }
}

export type RunFile = ReturnType<typeof runFile>;

function runFile(run: string, handle: number, disk: Disk, onClose: () => Promise<void>) {
  /** Writes a line. A line break comes first, because the previous line may be cut off. */
  const write = (line: LedgerLine) => disk.write(handle, `\n${JSON.stringify(line)}\n`);
  return {
    write,
    /** Stores an entry before its request is sent. The stored entry survives a power failure. */
    open({ key: _, state: __, ...stored }: LedgerEntry): void {
      write({ run, open: stored });
      disk.flush(handle);
    },
    /** Stores the status of an entry. If a power failure loses the status, a sweep looks up the entry again. */
    change({ number, state, responseStatus, code, id, shown }: LedgerEntry): void {
      const status = { state, responseStatus, code, id, shown } as EntryStatus;
      write({ run, entry: number, ...status });
    },
    async close(): Promise<void> {
      closeSync(handle);
      await onClose();
    },
  };
}

/** Flushes a folder, so that a new file in the folder survives a power failure. Ignores errors, because some systems cannot flush folders. */
function flushFolder(path: string): void {
  try {
    const handle = openSync(path, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {}
}

/** Returns the default folder of a target, in the state folder of the user. */
export function defaultLedger(target: string, env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  const host = new URL(target).host.replace(/[^\w.-]+/g, '-');
  const digest = createHash('sha256').update(target).digest('hex').slice(0, 8);
  return join(state, 'giftcard-sandbox', `${host}-${digest}`);
}

// A socket shows other processes and containers that a run is still active. The system closes the socket when the process ends, even after a crash.

/** Longest socket path in bytes that every system allows. */
const LONGEST_PATH = 100;

/**
 * Takes the lock of a run in the ledger's folder. If the folder cannot contain sockets, uses the folder for temporary files. Throws UsageError if no lock
 * can be created. Without a lock, other processes would treat the run as ended and void its cards.
 */
async function takeLock(run: string, folder: string): Promise<{ path: string; release(): Promise<unknown> }> {
  const name = `run-${run}.lock`;
  for (const place of [folder, tmpdir()]) {
    const path = platform() === 'win32' ? `\\\\.\\pipe\\giftcard-sandbox-${name}` : resolve(place, name);
    const server = Buffer.byteLength(path) <= LONGEST_PATH ? await listen(path) : undefined;
    if (server) return { path, release: () => new Promise((done) => server.close(done)) };
  }
  throw new UsageError(
    `No lock could be created in ${folder} or ${tmpdir()}: a Unix socket with a path of at most ${LONGEST_PATH} bytes is needed. Name another folder with --ledger.`,
  );
}

function listen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  server.on('error', () => undefined);
  const listening = once(server.listen(path), 'listening');
  return listening.then(() => server).catch(() => undefined);
}

/** Reports whether the process that took the lock is still running. Returns true if this is uncertain. */
async function isLocked(path: string | null): Promise<boolean> {
  if (path === null) return false;
  const socket = connect(path);
  const error = await once(socket, 'connect').then(
    () => undefined,
    (failure: NodeJS.ErrnoException) => failure,
  );
  socket.destroy();
  return error?.code !== 'ECONNREFUSED' && error?.code !== 'ENOENT';
}

/** Removes the socket file that a killed process left. A damaged ledger may name any other file, which stays. */
function removeLock(path: string | null): void {
  if (path !== null && lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
}
