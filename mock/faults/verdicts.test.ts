import { describe, expect, test } from 'vitest';
import { listFaults, setFault } from '../control/faults.ts';
import type { NewFault } from '../control/generated/types.ts';
import { NOON, type SandboxFixture, sandboxOf } from '../testing/fixture.ts';

const CREATE = '/api/GiftCard/Create';
const ADJUST = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode';
const EVENT = '/api/AutomationTriggerEvents';
const WEBHOOK = { url: 'https://example.com/hook' };

/** The response is lost after the change. */
const LOST: NewFault = { fault: 'reset', when: 'after', first: 1 };
const BROKEN: NewFault = { fault: 'status', status: 502, first: 1 };

/** Returns the verdict of the account's only fault after these requests. A request has a method, a path and a body. */
function verdictAfter(
  wanted: NewFault,
  calls: readonly (readonly [string, string, object?])[],
  prepare?: (fixture: SandboxFixture) => void,
) {
  const fixture = sandboxOf();
  prepare?.(fixture);
  setFault({ account: fixture.account, body: wanted });
  for (const [method, path, body] of calls) fixture.send(method, path, body);
  const [{ verdict, matches }] = listFaults({ account: fixture.account }) as [ReturnType<typeof listFaults>[number]];
  return [verdict, matches.at(0)?.sentence];
}

const create = (fields: object = {}) => ['POST', CREATE, { balance: 25, ...fields }] as const;
const adjust = (uniqueAdjustmentId: string, adjustmentAmount = -5) =>
  ['POST', ADJUST, { giftCardCode: 'A', adjustmentAmount, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId }] as const;
const trigger = (fields: object = {}) =>
  ['POST', EVENT, { event_name: 'review', recipient_email: 'a@b.example', ...fields }] as const;

describe('a lost response to a creation', () => {
  test.each([
    ['no request came', [], 'waiting', /not retried/],
    ['another card came', [create({ balance: 7, uniqueId: 'b' })], 'waiting', /not retried/],
    ['the same uniqueId came', [create({ uniqueId: 'a' })], 'passed', /the same uniqueId "a"/],
    [
      'the same card without a uniqueId came',
      [create()],
      'failed',
      /change was made.*no idempotency value.*second card.*already created/,
    ],
    ['the same card under another uniqueId came', [create({ uniqueId: 'b' })], 'failed', /uniqueId "b".*second card/],
    [
      'an equal card came after the repeat',
      [create({ uniqueId: 'a' }), create({ uniqueId: 'b' })],
      'passed',
      /the same uniqueId "a"/,
    ],
    ['an equal card came before the repeat', [create({ uniqueId: 'b' }), create({ uniqueId: 'a' })], 'passed', /the same/],
  ] as const)('%s', (_, then, verdict, sentence) => {
    const [given, said] = verdictAfter(LOST, [create({ uniqueId: 'a' }), ...then]);
    expect([given, said]).toEqual([verdict, expect.stringMatching(sentence)]);
  });

  test('after a minute an equal card counts as another order', () => {
    const fixture = sandboxOf();
    setFault({ account: fixture.account, body: LOST });
    fixture.create({ uniqueId: 'a' });
    fixture.at(NOON + 60_000);
    fixture.create({ uniqueId: 'b' });
    expect(listFaults({ account: fixture.account })[0]?.verdict).toBe('waiting');
  });

  test('a creation without a uniqueId cannot be repeated, unless it has a code', () => {
    expect(verdictAfter(LOST, [create(), create()])).toEqual(['failed', expect.stringMatching(/uniqueId/)]);
    expect(verdictAfter(LOST, [create({ code: 'A' }), create({ code: 'A' })])[0]).toBe('passed');
  });

  test('the worst verdict of several matches counts', () => {
    const lostTwice = { ...LOST, first: 2 };
    expect(verdictAfter(lostTwice, [create({ uniqueId: 'a' }), create({ uniqueId: 'b' }), create({ uniqueId: 'a' })])[0]).toBe(
      'waiting',
    );
  });

  test('a refused request may be sent in another form', () => {
    const taken = (fixture: SandboxFixture) => void fixture.create({ code: 'TAKEN' });
    const calls = [create({ code: 'TAKEN', uniqueId: 'a' }), create({ code: 'FREE', uniqueId: 'b' })];
    expect(verdictAfter(LOST, calls, taken)[0]).toBe('waiting');
  });
});

describe('a fault before the change', () => {
  test.each([
    ['the same request came again', [create({ uniqueId: 'a' })], 'passed', /same uniqueId "a"/],
    ['the same card under another uniqueId came', [create({ uniqueId: 'b' })], 'failed', /cannot know/],
  ] as const)('%s', (_, then, verdict, sentence) => {
    expect(verdictAfter(BROKEN, [create({ uniqueId: 'a' }), ...then])).toEqual([verdict, expect.stringMatching(sentence)]);
    expect(verdictAfter({ ...LOST, when: 'before' }, [create({ uniqueId: 'a' }), ...then])[0]).toBe(verdict);
  });

  test('a client must not repeat a rejected request', () => {
    const rejected: NewFault = { fault: 'status', status: 403, first: 1 };
    expect(verdictAfter(rejected, [create({ uniqueId: 'a' })])[0]).toBe('passed');
    expect(verdictAfter(rejected, [create({ uniqueId: 'a' }), create({ uniqueId: 'a' })])).toEqual([
      'failed',
      expect.stringMatching(/403/),
    ]);
  });
});

test('an adjustment: the same uniqueAdjustmentId, or the amount counts twice', () => {
  const card = (fixture: SandboxFixture) => void fixture.create({ code: 'A' });
  expect(verdictAfter(LOST, [adjust('one'), adjust('one')], card)).toEqual([
    'passed',
    expect.stringMatching(/uniqueAdjustmentId "one"/),
  ]);
  expect(verdictAfter(LOST, [adjust('one'), adjust('two')], card)).toEqual([
    'failed',
    expect.stringMatching(/counts the amount twice/),
  ]);
  expect(verdictAfter(LOST, [adjust('one'), adjust('two', -6)], card)[0]).toBe('waiting');
});

test('an automation event: the same idempotency_key, or the reward is given twice', () => {
  expect(verdictAfter(LOST, [trigger({ idempotency_key: 'k' }), trigger({ idempotency_key: 'k' })])[0]).toBe('passed');
  expect(verdictAfter(LOST, [trigger({ idempotency_key: 'k' }), trigger()])[0]).toBe('failed');
  expect(verdictAfter(LOST, [trigger(), trigger()])).toEqual([
    'failed',
    expect.stringMatching(/reward twice.*SkippedIdempotent/),
  ]);
});

test('a registration: the client lists the webhooks first, or registers twice', () => {
  const register = ['POST', '/api/Webhook/Create', WEBHOOK] as const;
  const look = ['GET', '/api/Webhook/List'] as const;
  const lost = { ...LOST, operation: 'createWebhook' } as const;
  expect(verdictAfter(lost, [register, register])).toEqual([
    'failed',
    expect.stringMatching(/delivered twice.*List the webhooks first/),
  ]);
  expect(verdictAfter(lost, [register, look])[0]).toBe('passed');
  expect(verdictAfter(lost, [register, look, register])[0]).toBe('passed');
});

test('reading and voiding may be repeated', () => {
  const card = (fixture: SandboxFixture) => void fixture.create({ code: 'A' });
  for (const call of [
    ['GET', '/api/GiftCard/GetByCode/A'],
    ['DELETE', '/api/GiftCard/VoidByCode/A'],
  ] as const) {
    for (const fault of [LOST, BROKEN, { fault: 'truncate', first: 1 } as const]) {
      expect(verdictAfter(fault, [call], card)[0]).toBe('waiting');
      expect(verdictAfter(fault, [call, call], card)[0]).toBe('passed');
    }
  }
});

describe('a 429', () => {
  test.each([
    [0, 'failed'],
    [999, 'failed'],
    [1000, 'passed'],
    [60_000, 'passed'],
  ])('repeated after %d ms of the account clock: %s', (pause, verdict) => {
    for (const wanted of [
      { fault: 'rate-limit', first: 1 },
      { fault: 'status', status: 429, first: 1 },
    ] as const) {
      const fixture = sandboxOf();
      setFault({ account: fixture.account, body: wanted });
      fixture.send('GET', '/api/GiftCard/List');
      expect(listFaults({ account: fixture.account })[0]?.verdict).toBe('waiting');
      fixture.at(NOON + pause);
      fixture.send('GET', '/api/GiftCard/List?pageSize=20');
      expect(listFaults({ account: fixture.account })[0]?.verdict).toBe('waiting');
      fixture.send('GET', '/api/GiftCard/List');
      expect(listFaults({ account: fixture.account })[0]?.verdict).toBe(verdict);
    }
  });
});

describe('a delayed response', () => {
  const late: NewFault = { fault: 'delay', milliseconds: 600_000, first: 1 };

  test('the client waits, or repeats the request with the same uniqueId', () => {
    expect(verdictAfter(late, [create({ uniqueId: 'a' })])[0]).toBe('waiting');
    expect(verdictAfter(late, [create({ uniqueId: 'a' }), create({ uniqueId: 'a' })])[0]).toBe('passed');
    expect(verdictAfter(late, [create({ uniqueId: 'a' }), create({ uniqueId: 'b' })])[0]).toBe('failed');
    expect(verdictAfter(late, [create(), create()])[0]).toBe('failed');
  });
});
