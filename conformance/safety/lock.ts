import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../cli/usage-error.ts';

/** Shows to other processes that a run lives. It is a socket, because the system lets go of that however the process ends, and no process id is mistaken for another's. */
export interface Lock {
  /** By which others ask whether the run lives. */
  readonly path: string;
  release(): Promise<void>;
}

/** The longest path that a socket may have everywhere. */
const longest = 100;

/** Throws UsageError where no lock can be made, for others would take the run for one that has ended, and void its cards. */
export function locked(runId: string, ledger: string): Promise<Lock> {
  return heldIn(placesOf(ledger), `run-${runId}.lock`, ledger);
}

async function heldIn(folders: readonly string[], name: string, ledger: string): Promise<Lock> {
  for (const folder of folders) {
    const path = platform() === 'win32' ? `\\\\.\\pipe\\giftcard-sandbox-${name}` : resolve(folder, name);
    const server = Buffer.byteLength(path) <= longest ? await listening(path) : undefined;
    if (server) return { path, release: () => new Promise((done) => server.close(() => done())) };
  }
  throw new UsageError(
    `No lock could be made for the ledger ${ledger}, neither beside it nor in ${tmpdir()}: a socket is needed, and its path must be short. Name another with --ledger FILE.`,
  );
}

/** Beside the ledger, so that whoever shares the folder shares the lock; where sockets cannot be there, among the temporary files. */
const placesOf = (ledger: string): string[] => [dirname(ledger), tmpdir()];

function listening(path: string): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once('error', () => done(undefined));
    server.listen(path, () => done(server));
  });
}

/** Whether the run that has the lock still lives. In doubt it does; a run without a lock is one of an earlier version. */
export function isHeld(path: string | null): Promise<boolean> {
  if (path === null) return Promise.resolve(false);
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => done(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}

/** Takes away what a run that was killed has left of its lock. */
export function clearLock(path: string | null): void {
  if (path !== null && platform() !== 'win32') rmSync(path, { force: true });
}

/** A socket that takes nobody and is younger may be about to. */
const youth = 10_000;

/**
 * Does something that no other process does meanwhile, as long as it takes but a moment. Whoever wants to shows a socket of its own first, and goes in only
 * if it then sees nobody else's: of two that come at once none does, and both come again. No name is used twice, so that nobody takes away what another holds.
 */
export async function alone<T>(ledger: string, work: () => Promise<T>): Promise<T> {
  const digest = createHash('sha256').update(resolve(ledger)).digest('hex').slice(0, 8);
  for (;;) {
    const name = `${digest}-${randomBytes(4).toString('hex')}.writing`;
    const mine = await heldIn(placesOf(ledger), name, ledger);
    try {
      if (!(await othersAt(dirname(mine.path), digest, name))) return await work();
    } finally {
      await mine.release();
    }
    await sleep(5 + Math.random() * 30);
  }
}

/** Whether somebody else wants in or is in. */
async function othersAt(place: string, digest: string, own: string): Promise<boolean> {
  const folder = platform() === 'win32' ? '\\\\.\\pipe\\' : place;
  const others = readdirSync(folder).filter(
    (name) => /\.writing$/.test(name) && name.includes(`${digest}-`) && !name.endsWith(own),
  );
  return (await Promise.all(others.map((name) => isShown(join(folder, name))))).includes(true);
}

async function isShown(path: string): Promise<boolean> {
  if (await isHeld(path)) return true;
  const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return false;
  if (Date.now() - since < youth) return true;
  // Whoever had it was killed.
  clearLock(path);
  return false;
}
