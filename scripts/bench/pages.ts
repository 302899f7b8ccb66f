import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from './load.ts';
import { KEY, mockServer, type Server } from './server.ts';
import { table, verdict } from './table.ts';

const SECONDS = 2;
const DAY = 86_400_000;

/** The work of each query. `recent` of the cards were issued a day ago, the others a month ago. */
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

/** Every page takes about the same time, and with `since` only the cards issued since then count. */
export async function pages(root: string, folder: string): Promise<string> {
  const since = `&since=${new Date(Date.now() - 5 * DAY).toISOString()}`;
  const [page0 = 0, since50 = 0] = await measure(1_000, 50, ['', since], root, folder);
  const queries = ['', '&pageNumber=999', '&pageNumber=1999', since];
  const [first = 0, middle = 0, last = 0, sinceOfMany = 0] = await measure(100_000, 50, queries, root, folder);
  const [since5000 = 0] = await measure(100_000, 5_000, [since], root, folder);
  const row = (name: string, work: number, base: number, limit: number) => {
    const ratio = work / base;
    return [name, work.toFixed(0), base.toFixed(0), ratio.toFixed(2), `<= ${limit}`, verdict(ratio <= limit)];
  };
  return table([
    ['lists of 50, µs of work', '', 'base', 'ratio', 'limit', ''],
    ['page 0 of 1,000 cards', page0.toFixed(0), '', '', '', ''],
    row('page 0 of 100,000', first, page0, 2),
    row('page 999 of 100,000', middle, page0, 2),
    row('page 1999 of 100,000', last, page0, 2),
    row('since, 50 of 100,000 cards (base: 50 of 1,000)', sinceOfMany, since50, 2),
    row('since, 5,000 of 100,000 cards (base: 50)', since5000, sinceOfMany, 100),
  ]);
}
