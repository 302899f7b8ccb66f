import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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
