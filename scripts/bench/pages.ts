import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY } from './requests.ts';
import { mockServer, type Server } from './server.ts';
import { table, word } from './table.ts';
import { load } from './wrk.ts';

const SECONDS = 2;
/** Of the microseconds that page 0 of 1,000 cards takes. */
const LIMIT = 2;
const DAY = 86_400_000;

/** So many cards, of which some were issued a day ago and the others a month ago. */
interface Stock {
  readonly cards: number;
  readonly recent: number;
}

const FEW: Stock = { cards: 1_000, recent: 50 };
const MANY: Stock = { cards: 100_000, recent: 50 };
const MANY_RECENT: Stock = { cards: 100_000, recent: 5_000 };

/** Lists of 100,000 cards beside one of 1,000: any page costs about the same, and with `since` only the cards issued since then count. */
export async function pages(root: string, folder: string): Promise<string> {
  const since = new Date(Date.now() - 5 * DAY).toISOString();
  const of = async (stock: Stock, queries: readonly string[]) => {
    const server = await stocked(stock, root, folder);
    try {
      const work: number[] = [];
      for (const query of queries) work.push(await workOf(server, query, folder));
      return work;
    } finally {
      await server.stop();
    }
  };
  const [page0 = Number.NaN, since50 = Number.NaN] = await of(FEW, ['', `&since=${since}`]);
  const last = MANY.cards / 50 - 1;
  const [first = 0, middle = 0, end = 0, sinceOfMany = 0] = await of(MANY, [
    '',
    `&pageNumber=${Math.trunc(last / 2)}`,
    `&pageNumber=${last}`,
    `&since=${since}`,
  ]);
  const [since5000 = 0] = await of(MANY_RECENT, [`&since=${since}`]);

  const line = (name: string, work: number, measure: number, limit: number) => {
    const times = work / measure;
    return [name, work.toFixed(0), measure.toFixed(0), times.toFixed(2), `<= ${limit}`, word(times <= limit)];
  };
  const lines = [
    ['lists of 50, µs of work', '', 'beside', 'times', 'limit', ''],
    ['page 0 of 1,000 cards', page0.toFixed(0), '', '', '', ''],
    ['page 0 of 100,000', first, page0, LIMIT] as const,
    [`page ${Math.trunc(last / 2)} of 100,000`, middle, page0, LIMIT] as const,
    [`page ${last} of 100,000`, end, page0, LIMIT] as const,
    ['since, 50 of 100,000 cards (beside 50 of 1,000)', sinceOfMany, since50, LIMIT] as const,
    // In proportion, but for what every answer costs.
    ['since, 5,000 of 100,000 cards (beside 50)', since5000, sinceOfMany, MANY_RECENT.recent / MANY.recent] as const,
  ].map((one) => (typeof one[1] === 'number' ? line(...(one as [string, number, number, number])) : (one as string[])));
  return table(lines);
}

/** A mock with a world of its own, which has one account. */
async function stocked({ cards, recent }: Stock, root: string, folder: string): Promise<Server> {
  const described = Array.from({ length: cards }, (_, number) => ({
    code: `STOCK-${number}`,
    initialValue: 25,
    createdDaysAgo: number < cards - recent ? 30 : 1,
  }));
  const world = { accounts: [{ id: 'main', keys: [{ key: KEY, description: 'bench' }], cards: described }] };
  const file = join(folder, `world-${cards}-${recent}.json`);
  writeFileSync(file, JSON.stringify(world));
  return mockServer(root, ['--world', file]);
}

async function workOf(server: Server, query: string, folder: string): Promise<number> {
  const request = { method: 'GET', target: `/api/GiftCard/List?pageSize=50${query}`, headers: { 'x-api-key': KEY } } as const;
  await load(server, request, 1, folder);
  const { work, perSecond } = await load(server, request, SECONDS, folder);
  return Number.isNaN(work) ? 1e6 / perSecond : work;
}
