import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mock, MockOptions } from '../../mock/index.ts';
import { table } from '../table.ts';
import { limitRow, median, ratioRow } from './figures.ts';
import { BENCH_KEY, bareServer, mockServer, type Server } from './server.ts';

/** Measures the milliseconds from the start of the process to the end of its first response. */
export async function startUp(root: string): Promise<string> {
  const [bare, mock]: [number[], number[]] = [[], []];
  for (let round = 0; round <= 10; round++) {
    bare.push(await timeToResponse(() => bareServer(root)));
    mock.push(await timeToResponse(() => mockServer(root)));
  }
  const row = ratioRow('start to response', median(bare.slice(1)), median(mock.slice(1)), 1.6, 1);
  return table([['milliseconds', 'bare', 'mock', 'mock/bare', 'limit', ''], row]);
}

async function timeToResponse(start: () => Promise<Server>): Promise<number> {
  const started = performance.now();
  const server = await start();
  await response(`${server.url}/api/Company/Profile`);
  const milliseconds = performance.now() - started;
  await server.stop();
  return milliseconds;
}

/** Waits for the end of the response. Does not use `fetch`, which loads slowly: both times would be longer, and their ratio too close to 1. */
async function response(url: string): Promise<void> {
  const [message] = await once(get(url, { agent: false, headers: { 'x-api-key': BENCH_KEY } }), 'response');
  await once(message.resume(), 'end');
}

/** Measures how long a new account takes, and how long a new mock takes. */
export async function measureAccounts(root: string): Promise<string> {
  const mocks = [await startInProcess(root)];
  const account = await medianTime(200, () => mocks[0]?.createAccount());
  const mock = await medianTime(200, async () => mocks.push(await startInProcess(root)));
  for (const each of mocks) await each.close();
  return table([
    ['milliseconds', '', 'limit', ''],
    limitRow('new account', account, 1.5, 2),
    limitRow('new mock without a socket', mock, 5, 2),
  ]);
}

/** Starts the built mock within this process, without a socket. */
export async function startInProcess(root: string, options: MockOptions = {}): Promise<Mock> {
  const index: typeof import('../../mock/index.ts') = await import(pathToFileURL(join(root, 'dist/index.js')).href);
  return index.startMock({ ...options, listen: false });
}

/** Returns the median time in milliseconds. Before, calls without measurement warm up the process. */
export async function medianTime(calls: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < 2.5 * calls; call++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times.slice(-calls));
}
