import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../../command-line/usage-error.ts';

/**
 * Shows other processes that a run lives. The lock is a socket: the system closes it however the process ends, and no process id can be mistaken for
 * another's, in another container included.
 */
export interface Lock {
  readonly path: string;
  release(): Promise<void>;
}

/** Longest socket path in bytes that every system allows. */
const LONGEST_PATH = 100;

/**
 * Takes the lock of a run, in the ledger's folder or, where sockets cannot be there, in the folder for temporary files. Throws UsageError if no lock can
 * be taken: other processes would take the run for dead, and void its cards.
 */
export async function takeLock(run: string, folder: string): Promise<Lock> {
  const name = `run-${run}.lock`;
  for (const place of [folder, tmpdir()]) {
    const path = platform() === 'win32' ? `\\\\.\\pipe\\giftcard-sandbox-${name}` : resolve(place, name);
    const server = Buffer.byteLength(path) <= LONGEST_PATH ? await listen(path) : undefined;
    if (server) return { path, release: () => new Promise((done) => server.close(() => done())) };
  }
  throw new UsageError(
    `No lock could be created in ${folder} or ${tmpdir()}: a Unix socket with a path of at most ${LONGEST_PATH} bytes is needed. Name another folder with --ledger.`,
  );
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once('error', () => done(undefined));
    server.listen(path, () => done(server));
  });
}

/** Reports whether the process that took the lock lives. In doubt it does. */
export function isLocked(path: string | null): Promise<boolean> {
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

/** Removes the socket file that a killed process left. */
export function removeLock(path: string | null): void {
  if (path !== null && platform() !== 'win32') rmSync(path, { force: true });
}
