import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../table.ts';
import { ratioRow } from './figures.ts';
import { load } from './load.ts';
import { KEY, mockServer, type Server } from './server.ts';

const SECONDS = 2;
const DAY = 86_400_000;

/** Measures the processor time of each query. The last `recent` cards were issued one day ago, the other cards 30 days ago. */
async function measure(cards: number, recent: number, queries: readonly string[], root: string, folder: string) {
  const described = Array.from({ length: cards }, (_, number) => ({
    code: `STOCK-${number}`,
    initialValue: 25,
    createdDaysAgo: number < cards - recent ? 30 : 1,
  }));
  const world = { accounts: [{ id: 'main', keys: [{ key: KEY, description: 'bench' }], cards: described }] };
  const file = join(folder, `world-${cards}-${recent}.json`);
  writeFileSync(file, JSON.stringify(world));
  const server = await mockServer(root, ['--world', file]);
  try {
    const works: number[] = [];
    for (const query of queries) works.push(await workOf(server, query, folder));
    return works;
  } finally {
    await server.stop();
  }
}

async function workOf(server: Server, query: string, folder: string): Promise<number> {
  const request = { method: 'GET', target: `/api/GiftCard/List?pageSize=50${query}`, headers: { 'x-api-key': KEY } } as const;
  await load(server, request, 1, folder);
  const { work, perSecond } = await load(server, request, SECONDS, folder);
  return Number.isNaN(work) ? 1e6 / perSecond : work;
}

/** Compares lists of many cards with lists of a few cards. With `since`, the work may depend only on the number of cards that match. */
export async function pages(root: string, folder: string): Promise<string> {
  const since = `&since=${new Date(Date.now() - 5 * DAY).toISOString()}`;
  const [page0 = 0, since50 = 0] = await measure(1_000, 50, ['', since], root, folder);
  const queries = ['', '&pageNumber=999', '&pageNumber=1999', since];
  const [first = 0, middle = 0, last = 0, sinceOfMany = 0] = await measure(100_000, 50, queries, root, folder);
  const [since5000 = 0] = await measure(100_000, 5_000, [since], root, folder);
  return table([
    ['List with pageSize 50: µs of work', 'compared with', 'work', 'ratio', 'limit', ''],
    ratioRow('page 0 of 100,000 cards, compared with page 0 of 1,000 cards', page0, first, 2),
    ratioRow('page 999 of 100,000 cards, compared with the same', page0, middle, 2),
    ratioRow('page 1999 of 100,000 cards, compared with the same', page0, last, 2),
    ratioRow('with `since`: 50 matches in 100,000 cards, compared with 50 in 1,000', since50, sinceOfMany, 2),
    ratioRow('with `since`: 5,000 matches in 100,000 cards, compared with 50', sinceOfMany, since5000, 100),
  ]);
}
