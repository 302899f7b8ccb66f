import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Shows to other processes that a run lives. It is a socket, because the system lets go of that however the process ends, and no process id is mistaken for another's. */
export interface Lock {
  /** By which others ask whether the run lives; null where no socket could be made. */
  readonly path: string | null;
  release(): Promise<void>;
}

/** The longest path that a socket may have everywhere. */
const longest = 100;

export async function locked(runId: string, ledger: string): Promise<Lock> {
  for (const path of places(runId, ledger)) {
    const server = await listening(path);
    if (server) return { path, release: () => new Promise((done) => server.close(() => done())) };
  }
  return { path: null, release: async () => undefined };
}

/** Beside the ledger, so that whoever shares the folder shares the lock; where sockets cannot be there, among the temporary files. */
function places(runId: string, ledger: string): string[] {
  if (platform() === 'win32') return [`\\\\.\\pipe\\giftcard-sandbox-${runId}`];
  return [join(dirname(ledger), `run-${runId}.lock`), join(tmpdir(), `giftcard-sandbox-${runId}.lock`)].filter(
    (path) => Buffer.byteLength(path) <= longest,
  );
}

function listening(path: string): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once('error', () => done(undefined));
    server.listen(path, () => done(server));
  });
}

/** Whether the run that has the lock still lives. In doubt it does. */
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

/** Longer than anybody needs who holds it: whoever does was killed. */
const longestHold = 10_000;

/** Does something that no other process does meanwhile, as long as it takes but a moment. */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!taken(path)) await sleep(20);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function taken(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > longestHold) rmSync(path, { force: true });
    return false;
  }
}
