import { afterEach, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { Finding } from './finding.ts';
import { watching } from './watching.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const unwelcome = (sentence: string) => {
  throw new Error(sentence);
};

test('of a crowd at once, on few cards and with few unique values, nothing is named wrongly', async () => {
  const mock = await startMock({ port: 0, rateLimit: 'off' });
  endings.push(() => mock.close());
  const found: Finding[] = [];
  const judging = {
    reader: new Reader(standardDocument, []),
    onlyClient: true,
    suite: 'test',
    say: (each: Finding) => found.push(each),
  };
  const live = await watching({ ...judging, target: mock.url, host: '127.0.0.1', port: 0, trouble: unwelcome, notice: () => {} });
  let state = 7;
  const chance = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const headers = { 'x-api-key': mock.apiKey };
  const ask = (method: string, path: string, body?: unknown, signal?: AbortSignal) =>
    fetch(`${live.url}/api/${path}`, {
      method,
      headers,
      ...(signal ? { signal } : {}),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
      .then((answer) => answer.text())
      .catch(() => '');
  const step = (): Promise<unknown> => {
    const code = `CROWD-${chance(4)}`;
    const adjustment = {
      giftCardCode: code,
      adjustmentAmount: chance(9) - 4,
      actionedAtUtc: '2026-01-01T00:00:00Z',
      uniqueAdjustmentId: `u${chance(200)}`,
    };
    switch (chance(9)) {
      case 0:
        return ask('POST', 'GiftCard/Create', { balance: 5, code, uniqueId: `u${chance(20)}` });
      case 1:
        return ask('GET', 'GiftCard/List?pageSize=50');
      case 2:
        return ask('GET', `GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`);
      case 3:
        return chance(12) === 0 ? ask('DELETE', `GiftCard/VoidByCode/${code}`) : ask('GET', `GiftCard/GetByCode/${code}`);
      case 4:
      case 5:
        return ask('GET', `GiftCard/GetByCode/${code}`);
      case 6:
        // One that gives up leaves in doubt whether anything came of it.
        return ask('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment, AbortSignal.timeout(1 + chance(3)));
      default:
        return ask('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment);
    }
  };
  const busy = async () => {
    for (let done = 0; done < 60; done += 1) await step();
  };
  await Promise.all(Array.from({ length: 8 }, busy));
  const { exchanges, tally } = await live.stop();
  expect(found.filter(({ kind }) => kind !== 'client' && kind !== 'open')).toEqual([]);
  expect(exchanges).toBeGreaterThan(400);
  expect(tally.held.size).toBeGreaterThan(20);
});
