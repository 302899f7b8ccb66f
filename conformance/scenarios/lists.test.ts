import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import '../rules/index.ts';
import { checks, ruleTest } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import type { Trial } from '../core/trial.ts';
import type { InProcessFetch } from '../http/target.ts';
import { isListed } from './lists.ts';

const name = 'list.hides-deleted-cards';

/** Returns a target with `count` cards. The test looks for another card. */
const cards =
  (count: number): InProcessFetch =>
  async (request) => {
    const first = 50 * Number(new URL(request.url).searchParams.get('pageNumber'));
    const giftCards = Array.from({ length: Math.max(0, Math.min(50, count - first)) }, (_, index) => ({
      code: `C${first + index}`,
    }));
    return Response.json({ giftCards, totalCount: count });
  };

async function look(count: number) {
  let listed: boolean | undefined;
  const run = async (t: Trial) => {
    listed = await isListed(t, { code: 'DELETED' });
  };
  const target = { url: 'http://127.0.0.1', key: 'key-of-run', profile: {}, fetch: cards(count) };
  const { rules } = await runRules({ target, names: [name], checks: [ruleTest(name, [], run)] });
  return { listed, verdict: rules[0]?.verdict, reason: rules[0]?.reason };
}

test('isListed returns false at the end of the list', async () => {
  expect(await look(999)).toEqual({ listed: false, verdict: 'pass', reason: undefined });
});

test('isListed throws Untested if the card may be after the first twenty pages', async () => {
  expect(await look(1_001)).toEqual({ listed: undefined, verdict: 'untested', reason: 'budget' });
});

test('a list is right if younger cards fill its first page', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  let created = 0;
  const fetch: InProcessFetch = async (request) => {
    for (; request.url.includes('/List') && created < 50; created += 1)
      await mock.fetch(
        new Request(`${mock.url}/api/GiftCard/Create`, {
          method: 'POST',
          headers: { 'x-api-key': mock.apiKey, 'content-type': 'application/json' },
          body: '{"balance":1}',
        }),
      );
    return mock.fetch(request);
  };
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch };
  const { rules } = await runRules({ target, names: ['list.wraps-cards-and-total'], checks: checks() });
  await mock.close();
  expect(rules).toMatchObject([{ verdict: 'pass' }]);
});
