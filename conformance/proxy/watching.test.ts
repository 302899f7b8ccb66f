import { afterEach, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { Finding } from './finding.ts';
import { resultOf } from './result.ts';
import type { Seen } from './seen.ts';
import { replayed, watching } from './watching.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const judging = (say: (finding: Finding) => void, reader = new Reader(standardDocument, [])) => ({
  reader,
  onlyClient: true,
  suite: 'test',
  say,
  trouble: () => {},
  notice: () => {},
});

/** Breaks over the company's profile. */
class Broken extends Reader {
  override answer(operation: string, body: unknown): unknown {
    if (operation === 'getCompanyProfile') throw new RangeError('of the secret name');
    return super.answer(operation, body);
  }
}

test('a fault of the proxy itself is told, stops nothing, and leaves nothing known that it may have changed', async () => {
  const mock = await startMock({ port: 0, rateLimit: 'off' });
  endings.push(() => mock.close());
  const [found, told]: [Finding[], string[]] = [[], []];
  const live = await watching({
    ...judging((finding) => found.push(finding), new Broken(standardDocument, [])),
    ...{ target: mock.url, host: '127.0.0.1', port: 0 },
    trouble: (sentence) => told.push(sentence),
  });
  const ask = async (url: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/${path}`, { headers: { 'x-api-key': mock.apiKey }, ...sent });
    await answer.text();
    expect(answer.status).toBe(200);
  };
  await ask(live.url, 'GiftCard/GetByCode/ACTIVE-0001');
  await ask(live.url, 'Company/Profile');
  // Past the proxy, as what it could not judge might have done.
  await ask(mock.url, 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
    giftCardCode: 'ACTIVE-0001',
    adjustmentAmount: -1,
    actionedAtUtc: '2026-01-01T00:00:00Z',
    uniqueAdjustmentId: 'elsewhere',
  });
  await ask(live.url, 'GiftCard/GetByCode/ACTIVE-0001');
  const gathered = await live.stop();
  expect(gathered).toMatchObject({ exchanges: 3, unread: 1, faults: 1 });
  expect(told).toEqual(['Exchange 2 could not be judged (RangeError in the proxy itself), and is left aside.']);
  expect(found.filter(({ kind }) => kind === 'violated')).toEqual([]);
  expect(gathered.tally.held.get('gift-card.response.has-named-fields')).toBe(2);
});

const missing = (n: number): Seen => ({
  ...{ n, began: 2 * n - 1, ended: 2 * n, at: n * 1_000, ms: 1, method: 'GET', path: '/api/Nothing', own: true },
  ...{ parameters: {}, key: 'key-1', body: { is: 'empty' }, status: 404, answer: { is: 'text' } },
});
const section = (target: string, exchanges: readonly Seen[]) => ({ target, at: '1970-01-01T00:00:00.000Z', exchanges });

test('a replay numbers on from section to section, and ends with the last exchange that there is', () => {
  const gathered = replayed(
    [section('http://a', [missing(1)]), section('http://a', [missing(1), missing(2)]), section('http://a', [])],
    judging(() => {}),
  );
  expect(gathered).toMatchObject({ target: 'http://a', exchanges: 3, finishedAt: '1970-01-01T00:00:02.001Z' });
});

test('of a long record, too, the first exchanges are shown', () => {
  const exchanges = Array.from({ length: 5_100 }, (_, index) => missing(index + 1));
  const result = resultOf(
    replayed(
      [section('http://a', exchanges)],
      judging(() => {}),
    ),
  );
  expect(result.exchanges.map(({ n }) => n)).toEqual([1]);
});

test('of a body no more is kept than a report shows', () => {
  const large = { ...missing(1), answer: { is: 'json' as const, json: 'x'.repeat(100_000), size: 100_002 } };
  const { evidence } = replayed(
    [section('http://a', [large])],
    judging(() => {}),
  );
  expect(evidence.get(1)?.body).toHaveLength(4_000);
});

test('a fault in a replay is told like one of the traffic, and leaves the rest judged', () => {
  const profile = {
    ...missing(1),
    operation: 'getCompanyProfile',
    status: 200,
    answer: { is: 'json', json: {}, size: 2 },
  } as const;
  const gathered = replayed(
    [section('http://a', [profile, missing(2)])],
    judging(() => {}, new Broken(standardDocument, [])),
  );
  expect(gathered).toMatchObject({ exchanges: 2, unread: 1, faults: 1 });
  expect(gathered.tally.findings.map(({ exchanges }) => exchanges)).toEqual([[2]]);
});
