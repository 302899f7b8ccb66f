import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Account } from '../../mock/index.ts';
import { table } from '../table.ts';
import { limitRow } from './figures.ts';
import { medianTime, startInProcess } from './timings.ts';

/** Fills an account with a million cards through the service. Measures memory per card, pages of lists, and delays of the event loop. */
export async function large(root: string): Promise<string> {
  const mock = await startInProcess(root, { rateLimit: 'off' });
  const [few, many] = [await mock.createAccount(), await mock.createAccount()];
  const { nowUtc } = await many.clock.freeze();
  const expiry = new Date(Date.parse(nowUtc) + 86_400_000).toISOString();
  await create(few, 1_000);
  await create(many, 10_000); // These cards fill logs and caches, which are bounded.
  const [before, rows] = [memory(), [['a million cards in one account', '', 'limit', '']]];
  let cards = 0;
  for (const more of [25_000, 225_000, 750_000]) {
    await create(many, more, expiry);
    await many.settled();
    cards += more;
    rows.push(limitRow(`bytes per card with ${cards} cards`, (memory() - before) / cards, 1300));
  }
  const list = async ({ fetch }: Account, query: string) => void (await (await fetch(`/api/GiftCard/List?${query}`)).text());
  const delayed: Record<string, () => Promise<unknown>> = {
    'creating 5,000 cards': () => create(many, 5_000),
    'a page in the middle': () => list(many, 'pageSize=50&pageNumber=9999'),
    'a page with `since` of all cards': () => list(many, 'pageSize=50&since=2020-01-01T00:00:00Z'),
    'a search of cards': () => many.merchant.cards({ search: '99@example' }),
    'an advance over 100,000 expiries': () => many.clock.advance('P2D'),
  };
  for (const [name, work] of Object.entries(delayed)) rows.push(limitRow(`delay in ms: ${name}`, await delayOf(work), 50));
  const page0 = await medianTime(200, () => list(few, 'pageSize=50'));
  const since = `since=${(await many.clock.advance('PT1M')).fromUtc}`;
  await create(many, 50);
  for (const query of ['pageNumber=0', 'pageNumber=9999', 'pageNumber=19999', since]) {
    const ratio = (await medianTime(200, () => list(many, `pageSize=50&${query}`))) / page0;
    rows.push(limitRow(`time of a list with ${query}, compared with page 0 of 1,000 cards`, ratio, 2, 2));
  }
  await mock.close();
  return table(rows);
}

/** Creates cards. Every tenth card expires. */
async function create({ fetch }: Account, cards: number, expiresAtUtc?: string): Promise<void> {
  for (let card = 0; card < cards; card++) {
    const body = { balance: 25, recipientName: 'Robin', recipientEmailAddress: `${card}@example.com` };
    const whole = JSON.stringify(card % 10 === 0 ? { ...body, expiresAtUtc } : body);
    const { status } = await fetch('/api/GiftCard/Create', { method: 'POST', body: whole });
    if (status !== 200) throw new Error(`A creation returned ${status}.`);
    if (card % 20 === 19) await setImmediate(); // Without a socket, requests do not wait for the event loop.
  }
}

/** Returns the longest delay of the event loop in milliseconds. The first delay is not counted. */
async function delayOf(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  for (const step of [() => setTimeout(10), work, () => setTimeout(10)]) await step();
  return delays.max / 1e6;
}

/** Returns the bytes of all objects in use. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
