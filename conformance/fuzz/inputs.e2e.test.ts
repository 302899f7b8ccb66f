import { describe, expect, test } from 'vitest';
import { type Mock, startMock } from '../../mock/index.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import type { RunResult } from '../core/result.ts';
import { runRules } from '../core/run.ts';
import { testableRules } from '../core/untestable.ts';
import type { InProcessFetch, Profile } from '../http/target.ts';
import { ruleItem } from '../report/run-document.ts';
import { itemText } from '../report/text.ts';

const robustness = checks().flatMap(({ name, inputs }) => (inputs ? [name] : []));

async function run(
  names: readonly RuleName[],
  fetch: InProcessFetch,
  mock: Mock,
  more: { seed?: number; profile?: Profile } = {},
) {
  const { profile = defaultWorldProfile, ...rest } = more;
  const target = { url: mock.url, key: mock.apiKey, profile, fetch };
  return runRules({ target, names, checks: checks(), ...rest });
}

/** Returns the webhooks, and the codes of all cards that are not voided. */
async function liveRecords(mock: Mock): Promise<string[]> {
  const headers = { 'x-api-key': mock.apiKey };
  const found: string[] = [];
  for (let page = 0; ; page += 1) {
    const path = `/api/GiftCard/List?pageSize=50&pageNumber=${page}&includeAll=true`;
    const listed = await (await mock.fetch(new Request(mock.url + path, { headers }))).json();
    const { giftCards } = listed as { giftCards: { code: string; status: string }[] };
    found.push(...giftCards.flatMap((card) => (card.status === 'Voided' ? [] : [card.code])));
    if (giftCards.length < 50) break;
  }
  const hooks = await (await mock.fetch(new Request(`${mock.url}/api/Webhook/List`, { headers }))).json();
  return [...found.sort(), JSON.stringify(hooks)];
}

/** Returns the odd requests of one run with the lengths of their bodies. The values of two runs differ, but have the same length. */
async function sentWith(seed: number): Promise<string> {
  const mock = await startMock({ listen: false, rateLimit: 'off', seed: 7 });
  const sent: string[] = [];
  const fetch: InProcessFetch = async (request, { odd }) => {
    if (odd) sent.push(`${request.method} ${request.url} ${(await request.clone().text()).length}`);
    return mock.fetch(request);
  };
  await run(['robustness.adjust-by-code'], fetch, mock, { seed });
  await mock.close();
  return sent.join('\n');
}

/** Runs a rule against the mock. `instead` responds to some of the odd requests. */
async function runInstead(
  name: RuleName,
  instead: (request: Request, text: string, mock: Mock) => Promise<Response | undefined>,
): Promise<RunResult> {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch: InProcessFetch = async (request, { odd }) => {
    const text = await request.clone().text();
    return (odd ? await instead(request, text, mock) : undefined) ?? mock.fetch(request);
  };
  const result = await run([name], fetch, mock);
  expect(result.cards.left).toEqual([]);
  await mock.close();
  return result;
}

test('a server error that breaks the list fails its rule, and the shortening stops', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  let isBroken = false;
  const fetch: InProcessFetch = async (request) => {
    isBroken ||= request.url.endsWith('/Create') && (await request.clone().text()).includes('"recipientName":"\\ud800"');
    const isAffected = isBroken && /\/(Create|List)/.test(request.url);
    return isAffected ? new Response('broken', { status: 500 }) : mock.fetch(request);
  };
  const { rules } = await run(['robustness.create-gift-card'], fetch, mock);
  expect(rules).toMatchObject([{ verdict: 'fail', got: expect.stringContaining('500') }]);
  await mock.close();
});

test('odd bodies contain the correct body between the surrounding texts', async () => {
  const texts: string[] = [];
  await runInstead('robustness.adjust-by-code', async (_, text) => {
    texts.push(text);
    return undefined;
  });
  for (const start of ['[{', '{"body":{', '/**/{']) expect(texts.some((text) => text.startsWith(start))).toBe(true);
});

const notesIn = (text: string) => /"notes":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
const failure = (code: string) => Object.assign(new Error(code), { code });

describe('robustness', () => {
  test.each([
    [defaultWorldProfile, robustness],
    [
      { noRateLimit: true },
      ['robustness.create-gift-card', 'robustness.webhook-create', 'robustness.void-by-code'] as RuleName[],
    ],
  ])('everything that odd input created is voided or deleted (profile %#)', async (profile, names) => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    const before = await liveRecords(mock);
    const result = await run(names, (request) => mock.fetch(request), mock, { seed: 11, profile });
    expect(result.rules.filter(({ verdict }) => verdict !== 'pass').map(({ name, detail, got }) => [name, detail, got])).toEqual(
      [],
    );
    expect(result.cards.left).toEqual([]);
    expect(result.cards.created).toBeGreaterThan(50);
    expect(await liveRecords(mock)).toEqual(before);
    expect(result.configuration.seed).toBe(11);
    await mock.close();
  });

  test('the same seed makes the same requests', async () => {
    const [one, again, other] = [await sentWith(3), await sentWith(3), await sentWith(4)];
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('a server error is reported with the shortest input that causes it', async () => {
    const result = await runInstead('robustness.create-gift-card', async (_, text) => {
      return (notesIn(text)?.length ?? 0) > 17 ? new Response('broken', { status: 500 }) : undefined;
    });
    const [rule] = result.rules;
    expect(rule).toMatchObject({ verdict: 'fail', level: 'robustness', got: '500 broken (seed 1)' });
    const text = itemText(ruleItem(rule as NonNullable<typeof rule>, result, ''));
    const [, notes = ''] = /with notes = "(.*?)" →/.exec(rule?.did.at(-1) ?? '') ?? [];
    expect(notes).toBe('x'.repeat(18));
    expect(text).toMatch(/Request +curl -sSg -X POST http.*\/api\/GiftCard\/Create.*"notes":/);
  });

  test('the steps of a webhook with odd input do not show the deletions of other webhooks', async () => {
    const { rules } = await runInstead('robustness.webhook-create', async (_, text) =>
      text.includes('\\u0000') ? new Response('broken', { status: 500 }) : undefined,
    );
    expect(rules).toMatchObject([{ verdict: 'fail', did: expect.arrayContaining([expect.stringMatching(/ → 500$/)]) }]);
    const deletions = rules[0]?.did.filter((step) => step.startsWith('delete a webhook')) ?? [];
    expect(deletions.length).toBeLessThan(4);
  });

  test('a closed connection is a failure with the shortest input as a curl line', async () => {
    const result = await runInstead('robustness.create-gift-card', async (_, text) => {
      if ((notesIn(text)?.length ?? 0) > 17) throw failure('UND_ERR_SOCKET');
      return undefined;
    });
    const [rule] = result.rules;
    expect(rule).toMatchObject({ verdict: 'fail', got: 'no response, twice (seed 1)' });
    const text = itemText(ruleItem(rule as NonNullable<typeof rule>, result, ''));
    expect(text).toMatch(/Request +curl -sSg -X POST http.*\/api\/GiftCard\/Create.*"notes":"x{18}"/);
  });

  test('accepted input that breaks the look-ups of its card fails its rule, and the next operation is checked', async () => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    const broken = new Set<string | undefined>();
    const fetch: InProcessFetch = async (request) => {
      const text = await request.clone().text();
      const code = /"giftCardCode":"([^"]+)"/.exec(text)?.[1] ?? request.url.split('/').at(-1);
      const isOdd = text.includes('"notes":1.5');
      if (isOdd) {
        broken.add(code);
        return Response.json({});
      }
      if (request.url.includes('/ListAdjustments') && broken.has(code)) return new Response('broken', { status: 500 });
      return mock.fetch(request);
    };
    const { rules } = await run(['robustness.adjust-by-code', 'robustness.get-by-code'], fetch, mock);
    expect(rules.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['robustness.adjust-by-code', 'fail'],
      ['robustness.get-by-code', 'pass'],
    ]);
    expect(rules[0]).toMatchObject({ expected: 'look-ups to succeed after notes = 1.5', got: expect.stringContaining('500') });
    await mock.close();
  });

  test('odd input that ends the server fails its rule and ends the run', async () => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    let hasEnded = false;
    const fetch: InProcessFetch = async (request) => {
      if (hasEnded) throw failure('ECONNREFUSED');
      hasEnded = (notesIn(await request.clone().text())?.length ?? 0) > 17;
      if (hasEnded) throw failure('ECONNRESET');
      return mock.fetch(request);
    };
    const result = await run(['robustness.create-gift-card', 'robustness.get-by-code'], fetch, mock);
    expect(result.rules).toMatchObject([{ verdict: 'fail', got: 'no response, twice (seed 1)' }]);
    expect(result.interrupted).toMatchObject({ after: 1, of: 2, since: expect.stringContaining('POST /api/GiftCard/Create') });
    await mock.close();
  });

  test('a refusal that changes something is found among other requests', async () => {
    const result = await runInstead('robustness.adjust-by-code', async (request, text, mock) => {
      if (!text.includes('"actionedAtUtc":"soon"')) return undefined;
      const body = JSON.stringify({ ...JSON.parse(text), actionedAtUtc: '2026-01-01T00:00:00Z' });
      await mock.fetch(new Request(request.url, { method: 'POST', headers: request.headers, body }));
      return new Response('when?', { status: 400 });
    });
    expect(result.rules[0]).toMatchObject({
      verdict: 'fail',
      expected: 'the refusal of actionedAtUtc = "soon" to change nothing',
      got: expect.stringMatching(/^400, and .* was .* and is .* \(seed 1\)$/),
    });
  });

  test('a request without a response is sent once more', async () => {
    const flaky = new Set<string>();
    const never = await runInstead('robustness.get-by-code', async ({ url }) => {
      if (url.includes('%25')) throw new Error('reset');
      if (flaky.has(url) || !url.includes('xxxx')) return undefined;
      flaky.add(url);
      throw new Error('reset once');
    });
    expect(never.rules[0]).toMatchObject({ verdict: 'fail', got: expect.stringContaining('no response, twice') });
    expect(never.rules[0]?.expected).toContain('with %25 in the path');
  });

  test('a card whose create returned 502 is voided', async () => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    const before = await liveRecords(mock);
    const fetch: InProcessFetch = async (request, { odd }) => {
      const response = await mock.fetch(request);
      return odd && request.method === 'POST' && response.status === 200 ? new Response('lost', { status: 502 }) : response;
    };
    const result = await run(['robustness.create-gift-card'], fetch, mock);
    expect(result.rules[0]?.verdict).toBe('fail');
    expect([await liveRecords(mock), result.cards.left]).toEqual([before, []]);
    await mock.close();
  });
});

test('odd input needs noRateLimit, a clock or a permission', () => {
  const all = robustness.length;
  expect(testableRules(robustness, checks(), {}, {})).toHaveLength(0);
  expect(testableRules(robustness, checks(), { noRateLimit: true }, {})).toHaveLength(all);
  expect(testableRules(robustness, checks(), { noRateLimit: true }, { inputs: false })).toHaveLength(0);
  const clock = { advance: { method: 'POST', url: '/clock' } };
  expect(testableRules(robustness, checks(), { clock }, {})).toHaveLength(all);
  expect(testableRules(robustness, checks(), { clock }, { inputs: false })).toHaveLength(0);
  expect(testableRules(robustness, checks(), {}, { inputs: true })).toHaveLength(all);
});

test('each operation of the contract but those of coupons has an expectation', () => {
  expect(robustness).toHaveLength(17);
});
