import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The key of the default world's first account. */
export const BENCH_KEY = 'sandbox-key-main-not-a-real-key';

/** The processor time of all threads, and of it the time in the operating system, in microseconds. On systems other than Linux, NaN. */
export type Work = readonly [all: number, system: number];

/** A server in its own process. */
export interface Server {
  readonly url: string;
  worked(): Work;
  /** Returns the memory in bytes. On systems other than Linux, returns NaN. */
  memory(): number;
  stop(): Promise<void>;
}

const canPin = spawnSync('taskset', ['-c', '1', 'true']).status === 0;
export const pinning = canPin
  ? 'servers on core 0, wrk on core 1'
  : 'processes not pinned to cores, because taskset is missing or the machine has one core';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** Ends the child process when the benchmark ends. */
export function endWithBench(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

/** If possible, pins a command to a processor core. Servers and the client have different cores, so they do not share processor time. */
export function pinned(side: 'server' | 'client', command: readonly string[]): [program: string, ...args: string[]] {
  const [program = '', ...args] = command;
  return canPin ? ['taskset', '-c', side === 'server' ? '0' : '1', program, ...args] : [program, ...args];
}

/** Starts a command that prints its address as its first line. */
async function serve(command: readonly string[]): Promise<Server> {
  const [program, ...args] = pinned('server', command);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  endWithBench(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await firstLine(child.stdout);
  if (url === undefined) throw new Error(`${command.join(' ')} ended before it listened.`);
  for (const output of [child.stdout, child.stderr]) output.resume();
  const stop = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return {
    url,
    worked: () => workOf(child.pid),
    memory: () => statistic(child.pid, 'statm', 1) * 4096, // pages
    stop,
  };
}

async function firstLine(input: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line;
  return undefined;
}

/** Returns the processor time of a process so far. */
export function workOf(pid: number | undefined): Work {
  const [user, system] = [statistic(pid, 'stat', 13) * 10_000, statistic(pid, 'stat', 14) * 10_000]; // ticks of 10 ms
  return [user + system, system];
}

/** Reads a field of /proc/PID/FILE. The name of the program, which can have spaces, counts as one field. */
function statistic(pid: number | undefined, file: string, field: number): number {
  const path = `/proc/${pid}/${file}`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, 'utf8').replace(/\(.*\)/, 'name');
  return Number(fields.split(' ')[field]);
}

/** Starts a server that responds to every request with the content of a file, or with `true`. */
export function bareServer(root: string, file?: string): Promise<Server> {
  return serve([process.execPath, join(root, 'scripts/bench/bare.mjs'), ...(file === undefined ? [] : [file])]);
}

export function mockServer(root: string, flags: readonly string[] = ['--quiet']): Promise<Server> {
  return serve([process.execPath, join(root, 'dist/cli.js'), 'mock', '--port', '0', '--rate-limit', 'off', ...flags]);
}
