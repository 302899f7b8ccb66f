import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../../mock/testing/free-port-fixture.ts';

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  /** Microseconds that all its threads have worked so far, or undefined where the system does not tell (it does under Linux). */
  worked(): number | undefined;
  /** Bytes of memory that it has now, or undefined likewise. */
  memory(): number | undefined;
  stop(): Promise<void>;
}

const [SERVER_CORE, CLIENT_CORE] = ['0', '1'];
const canPin = spawnSync('taskset', ['-c', CLIENT_CORE, 'true']).status === 0;
export const pinning = canPin
  ? `servers on core ${SERVER_CORE}, wrk on core ${CLIENT_CORE}`
  : 'not pinned to cores: taskset is missing, or there is one core only';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** From now on the process ends no later than the bench does. */
export function mine(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

/** The command on the core of servers or on the other one, where the machine lets us choose. */
export function pinned(side: 'server' | 'client', command: readonly string[]): string[] {
  return canPin ? ['taskset', '-c', side === 'server' ? SERVER_CORE : CLIENT_CORE, ...command] : [...command];
}

/** Starts a command that prints its address as its first line; one that prints none says where it will listen. */
export async function serve(command: readonly string[], listensAt?: string): Promise<Server> {
  const [program, ...rest] = pinned('server', command);
  const child = spawn(program as string, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  mine(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = () => {
    child.kill('SIGKILL');
    return ended;
  };
  const dead = ended.then(() => Promise.reject(new Error(`${command.join(' ')} ended before it answered.`)));
  dead.catch(() => {});
  const ready = listensAt === undefined ? firstLine(child) : firstAnswer(listensAt).then(() => listensAt);
  const url = await Promise.race([ready, dead]);
  child.stdout.resume();
  return { url, worked: () => workedSince(child), memory: () => memoryOf(child), stop };
}

const MICROSECONDS_A_TICK = 10_000;

function workedSince({ pid }: ChildProcess): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_A_TICK;
  } catch {
    return undefined;
  }
}

const BYTES_A_PAGE = 4096;

function memoryOf({ pid }: ChildProcess): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * BYTES_A_PAGE;
  } catch {
    return undefined;
  }
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let printed = '';
    stdout?.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')));
    });
  });
}

/** Asks until somebody answers, whatever it is. */
async function firstAnswer(url: string): Promise<void> {
  for (let left = 600; left > 0; left--) {
    const answered = await new Promise<boolean>((resolve) => {
      get(url, { agent: false }, (response) => response.resume().once('end', () => resolve(true))).once('error', () =>
        resolve(false),
      );
    });
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nobody answered at ${url} within 30 seconds.`);
}

/** Answers everything with the contents of a file, or with `true`. */
export function bareServer(root: string, file?: string): Promise<Server> {
  return serve([process.execPath, join(root, 'scripts/bench/bare.mjs'), ...(file === undefined ? [] : [file])]);
}

export function mockServer(root: string, flags: readonly string[] = []): Promise<Server> {
  return serve([process.execPath, join(root, 'dist/cli.js'), 'mock', '--port', '0', '--rate-limit', 'off', '--quiet', ...flags]);
}

export async function prismServer(root: string): Promise<Server> {
  const port = await freePort();
  const flags = ['--port', String(port), '--verboseLevel', 'silent', '--multiprocess', 'false'];
  const prism = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');
  return serve(
    [process.execPath, prism, 'mock', ...flags, join(root, 'openapi/generated/contract.json')],
    `http://127.0.0.1:${port}`,
  );
}
