import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../../cli/shared/usage-error.ts';

// A socket shows other processes and containers that a run is still active. The system closes the socket when the process ends, even after a crash.

/** Longest socket path in bytes that every system allows. */
const LONGEST_PATH = 100;

/**
 * Takes the lock of a run in the ledger's folder. If the folder cannot contain sockets, uses the folder for temporary files. Throws UsageError if no lock
 * can be created. Without a lock, other processes would treat the run as ended and void its cards.
 */
export async function takeLock(run: string, folder: string): Promise<{ path: string; release(): Promise<unknown> }> {
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
export async function isLocked(path: string | null): Promise<boolean> {
  if (path === null) return false;
  const socket = connect(path);
  const error = await once(socket, 'connect').then(
    () => undefined,
    (failure: NodeJS.ErrnoException) => failure,
  );
  socket.destroy();
  return error?.code !== 'ECONNREFUSED' && error?.code !== 'ENOENT';
}

/** Removes the socket file that a killed process left. */
export function removeLock(path: string | null): void {
  if (path !== null && platform() !== 'win32') rmSync(path, { force: true });
}
