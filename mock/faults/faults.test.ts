import { describe, expect, test } from 'vitest';
import { clearFaults, listFaults, removeFault, setFault } from '../control/faults.ts';
import type { NewFault } from '../control/generated/types.ts';
import { type SandboxFixture, sandboxOf } from '../testing/fixture.ts';
import { Faults } from './faults.ts';

const LIST = '/api/GiftCard/List';

function sandboxWith(wanted: NewFault): SandboxFixture {
  const fixture = sandboxOf();
  setFault({ account: fixture.account, body: wanted });
  return fixture;
}

/** Returns the statuses of the responses to a number of calls. */
function statuses({ send }: SandboxFixture, times: number): number[] {
  return Array.from({ length: times }, () => send('GET', LIST).status);
}

describe('which calls a fault matches', () => {
  test.each([
    ['all', {}, [503, 503, 503, 503]],
    ['the first two', { first: 2 }, [503, 503, 200, 200]],
    ['the third', { nth: 3 }, [200, 200, 503, 200]],
    ['no call of another operation', { operation: 'createGiftCard' }, [200, 200, 200, 200]],
    ['calls of its own operation', { operation: 'listGiftCards', first: 1 }, [503, 200, 200, 200]],
    ['all with a probability of 1', { probability: 1 }, [503, 503, 503, 503]],
    ['none with a probability of 0', { probability: 0 }, [200, 200, 200, 200]],
  ] as [string, Omit<NewFault, 'fault'>, number[]][])('%s', (_, calls, expected) => {
    expect(statuses(sandboxWith({ fault: 'status', ...calls }), 4)).toEqual(expected);
  });

  test('a seed repeats which calls a probability matches, and IDs of cards stay the same', () => {
    const runs = [1, 2].map(() => statuses(sandboxWith({ fault: 'status', probability: 0.5 }), 200));
    expect(runs[0]).toEqual(runs[1]);
    const matchCount = runs[0]?.filter((status) => status === 503).length ?? 0;
    expect(matchCount).toBeGreaterThan(60);
    expect(matchCount).toBeLessThan(140);
    const [calm, struckNow] = [sandboxOf(), sandboxWith({ fault: 'status', operation: 'listGiftCards', probability: 0.5 })];
    statuses(struckNow, 20);
    expect(struckNow.create().id).toBe(calm.create().id);
  });

  test('the second fault matches when the first has ended, and other accounts are not matched', () => {
    const fixture = sandboxOf([{}, {}]);
    setFault({ account: fixture.account, body: { fault: 'status', status: 500, first: 1 } });
    setFault({ account: fixture.account, body: { fault: 'status', status: 502, first: 2 } });
    expect(statuses(fixture, 4)).toEqual([500, 502, 502, 200]);
    const [, other] = fixture.sandbox.accounts.values();
    setFault({ account: fixture.account, body: { fault: 'status' } });
    expect(fixture.send('GET', LIST, undefined, other?.keys[0]?.key).status).toBe(200);
  });

  test('a request that is refused before its decision does not count as a call', () => {
    const fixture = sandboxWith({ fault: 'status', first: 1 });
    expect(fixture.send('GET', LIST, undefined, null).status).toBe(401);
    expect(fixture.send('GET', `${LIST}?pageSize=x`).status).toBe(400);
    expect(statuses(fixture, 2)).toEqual([503, 200]);
  });
});

describe('the effect of a fault', () => {
  test('a status has a plain-text body, and before the change it changes nothing', () => {
    const { send, account } = sandboxWith({ fault: 'status', status: 418, body: 'short and stout' });
    expect(send('POST', '/api/GiftCard/Create', { balance: 5 })).toEqual({
      status: 418,
      mediaType: 'text/plain',
      body: 'short and stout',
    });
    expect(account.state.count(true)).toBe(0);
  });

  test('after the change, only the response is lost', () => {
    const { send, account } = sandboxWith({ fault: 'status', when: 'after', first: 1 });
    expect(send('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'one' }).status).toBe(503);
    expect(account.state.count(true)).toBe(1);
    expect(send('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'one' }).status).toBe(400);
  });

  test("rate-limit responds as the service's own 429", () => {
    const limited = sandboxOf([{}], { rateLimit: 1 });
    limited.send('GET', LIST);
    expect(sandboxWith({ fault: 'rate-limit' }).send('GET', LIST)).toEqual(limited.send('GET', LIST));
  });

  test.each([
    ['no', [429, 200, 429]],
    ['yes', [429, 429, 429]],
  ] as const)('limits.refused-requests-count: %s, as for a 429 of the rate limit itself', (option, expected) => {
    const fixture = sandboxOf([{}], { rateLimit: 1, behaviors: { 'limits.refused-requests-count': option } });
    setFault({ account: fixture.account, body: { fault: 'rate-limit', first: 1 } });
    expect(statuses(fixture, 3)).toEqual(expected);
  });
});

describe('the view of a fault', () => {
  test('has calls and hits; a fault that never matched is unused', () => {
    const fixture = sandboxWith({ fault: 'status', nth: 2 });
    setFault({ account: fixture.account, body: { fault: 'reset', operation: 'deleteWebhook' } });
    statuses(fixture, 3);
    expect(listFaults({ account: fixture.account })).toMatchObject([
      { id: 'fault-1', calls: 3, hits: 1, description: 'status 503 before the change (nth 2)' },
      { id: 'fault-2', calls: 0, hits: 0, verdict: 'unused', matches: [] },
    ]);
    expect(removeFault({ account: fixture.account, path: { account: fixture.account.id, fault: 'fault-2' } })).toMatchObject({
      verdict: 'unused',
    });
    expect(() => removeFault({ account: fixture.account, path: { account: fixture.account.id, fault: 'fault-2' } })).toThrow(
      /fault-2.* fault-1\.$/,
    );
    expect(clearFaults({ account: fixture.account })).toMatchObject([{ id: 'fault-1' }]);
    expect(listFaults({ account: fixture.account })).toEqual([]);
    expect(() => removeFault({ account: fixture.account, path: { account: fixture.account.id, fault: 'fault-1' } })).toThrow(
      /none/,
    );
    expect(setFault({ account: fixture.account, body: { fault: 'reset', operation: 'deleteWebhook' } })).toMatchObject({
      id: 'fault-3',
    });
    expect(statuses(fixture, 1)).toEqual([200]);
  });

  test.each<[Parameters<typeof setFault>[0]['body'], string]>([
    [{ fault: 'status' }, 'status 503 before the change (all)'],
    [
      { fault: 'reset', when: 'after', operation: 'createGiftCard', first: 1 },
      'reset after the change (operation createGiftCard, first 1)',
    ],
    [{ fault: 'delay', milliseconds: 5, probability: 0.5 }, 'delay of 5 ms after the change (probability 0.5)'],
    [{ fault: 'unsigned', topic: 'giftcard/voided' }, 'unsigned (topic giftcard/voided)'],
  ])('%j is described as "%s"', (wanted, description) => {
    expect(setFault({ account: sandboxOf([{}]).account, body: wanted })).toMatchObject({ description });
  });

  test('a restored state continues with the same rules, counts, verdicts and randomness', () => {
    const [here, there] = [0, 1].map(() => sandboxWith({ fault: 'status', probability: 0.5 })) as [
      SandboxFixture,
      SandboxFixture,
    ];
    for (const each of [here, there]) statuses(each, 50);
    there.account.faults = Faults.from(JSON.parse(JSON.stringify(there.account.faults?.state())));
    expect(statuses(there, 50)).toEqual(statuses(here, 50));
    expect(listFaults({ account: there.account })).toEqual(listFaults({ account: here.account }));
  });
});

test.each([
  [{ fault: 'reset', status: 500 }, /"reset".* status/],
  [{ fault: 'delay' }, /milliseconds/],
  [{ fault: 'delay', milliseconds: 5, when: 'before' }, /"delay".* when/],
  [{ fault: 'rate-limit', when: 'after' }, /"rate-limit".* when/],
  [{ fault: 'duplicate', milliseconds: 5 }, /"duplicate".* milliseconds/],
  [{ fault: 'delay', on: 'delivery' }, /milliseconds/],
  [{ fault: 'duplicate', on: 'request' }, /"duplicate"/],
  [{ fault: 'unsigned', operation: 'createGiftCard' }, /operation/],
  [{ fault: 'reset', topic: 'giftcard/voided' }, /topic/],
  [{ fault: 'unsigned', webhookId: 'unknown' }, /unknown/],
  [{ fault: 'reset', first: 1, nth: 2 }, /first, nth and probability/],
] as [NewFault, RegExp][])('%o is refused with a sentence, and nothing is set', (wanted, sentence) => {
  const { account } = sandboxOf();
  expect(() => setFault({ account, body: wanted })).toThrow(sentence);
  expect(listFaults({ account })).toEqual([]);
});
