import { get } from 'node:http';
import { KEY } from './requests.ts';
import { bareServer, mockServer, type Server } from './server.ts';
import { median, table, word } from './table.ts';

const ROUNDS = 10;
const LIMIT = 2.5;

/** Milliseconds from spawn to the end of the first answer, of both in turn. */
export async function startUp(root: string): Promise<string> {
  const bare: number[] = [];
  const mock: number[] = [];
  await timed(() => bareServer(root));
  await timed(() => mockServer(root));
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(() => bareServer(root)));
    mock.push(await timed(() => mockServer(root)));
  }
  const times = median(mock) / median(bare);
  return table([
    ['milliseconds', 'bare', 'mock', 'mock/bare', 'limit', ''],
    ['spawn to answer', median(bare).toFixed(1), median(mock).toFixed(1), times.toFixed(2), `<= ${LIMIT}`, word(times <= LIMIT)],
  ]);
}

async function timed(start: () => Promise<Server>): Promise<number> {
  const spawned = performance.now();
  const server = await start();
  await new Promise<void>((resolve, reject) => {
    const headers = { 'x-api-key': KEY };
    get(`${server.url}/api/Company/Profile`, { agent: false, headers }, (response) =>
      response.resume().once('end', resolve),
    ).once('error', reject);
  });
  const answered = performance.now();
  await server.stop();
  return answered - spawned;
}
