import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { table } from '../table.ts';
import { median, ratioRow, verdict } from './figures.ts';
import { bareServer, KEY, mockServer, type Server } from './server.ts';

/** Measures the milliseconds from the start of the process to the end of its first response. */
export async function startUp(root: string): Promise<string> {
  const [bare, mock]: [number[], number[]] = [[], []];
  for (let round = 0; round <= 10; round++) {
    bare.push(await timeToAnswer(() => bareServer(root)));
    mock.push(await timeToAnswer(() => mockServer(root)));
  }
  const row = ratioRow('start to response', median(bare.slice(1)), median(mock.slice(1)), 1.75, 1);
  return table([['milliseconds', 'bare', 'mock', 'mock/bare', 'limit', ''], row]);
}

async function timeToAnswer(start: () => Promise<Server>): Promise<number> {
  const started = performance.now();
  const server = await start();
  await response(`${server.url}/api/Company/Profile`);
  const milliseconds = performance.now() - started;
  await server.stop();
  return milliseconds;
}

/** Waits for the end of the response. Does not use `fetch`, which loads slowly: both times would be longer, and their ratio too close to 1. */
async function response(url: string): Promise<void> {
  const [message] = await once(get(url, { agent: false, headers: { 'x-api-key': KEY } }), 'response');
  await once(message.resume(), 'end');
}

/** Measures how long a new account takes, through the control API and within the process, and how long a new mock takes. */
export async function accounts(root: string): Promise<string> {
  const index: typeof import('../../mock/index.ts') = await import(pathToFileURL(join(root, 'dist/index.js')).href);
  const server = await mockServer(root);
  const overHttp = await time(async () => {
    const response = await fetch(`${server.url}/__mock/accounts`, { method: 'POST' });
    if (response.status !== 201) throw new Error(`POST /__mock/accounts was answered with ${response.status}.`);
    await response.text();
  });
  await server.stop();
  const mock = await index.startMock({ listen: false });
  const inProcess = await time(() => mock.account());
  await mock.close();
  const mocks: { close(): Promise<void> }[] = [];
  const newMock = await time(async () => mocks.push(await index.startMock({ listen: false })));
  for (const each of mocks) await each.close();
  const row = (name: string, milliseconds: number, limit: number) => {
    return [name, milliseconds.toFixed(2), `<= ${limit}`, verdict(milliseconds <= limit)];
  };
  return table([
    ['milliseconds', '', 'limit', ''],
    row('new account through the control API', overHttp, 1.5),
    row('new account within the process', inProcess, 1.5),
    row('new mock without a socket', newMock, 5),
  ]);
}

/** Returns the median time of 200 calls in milliseconds. Before these calls, 300 calls warm up the process. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 500; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times.slice(300));
}
