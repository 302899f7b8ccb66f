import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { varied } from '../../mock/variant/vary.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { openSession } from '../core/session.ts';
import { realTime, type Waiting } from '../http/rate.ts';
import type { Target } from '../http/target.ts';
import { api, refusesIf } from '../testing/reference-server/faults/fault.ts';
import { faultNamed } from '../testing/reference-server/faults/faults.ts';
import { referenceServer, type ServerOptions } from '../testing/reference-server/server.ts';
import { type FuzzOptions, fuzzSequences } from './fuzz.ts';
import { endingOfFuzz, type FuzzResult } from './result.ts';

async function fuzzTarget(target: Target, more: Partial<FuzzOptions> = {}, time?: Waiting) {
  const session = openSession(target, time);
  const options = { file: undefined, signal: undefined, seed: 1, runs: 100, steps: 20, path: undefined };
  const about = { again: 'fuzz', leftBefore: [], canary: undefined, maxLeft: Infinity };
  return fuzzSequences({ session, ...options, ...about, ...more }).finally(() => session.client.close());
}

type Settings = Parameters<typeof startMock>[0];
type Fetch = (request: Request) => Promise<Response>;
type Change = (request: Request, fetch: Fetch) => Promise<Response>;
/** A clock that moves only while the suite waits. */
function quickTime(): Waiting {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { now: realTime.now, sleep: async (ms) => void vi.setSystemTime(Date.now() + ms) };
}

/** Fuzzes a new mock. `change` may change the mock's requests or responses. */
async function fuzzMock(
  more: Partial<FuzzOptions> = {},
  settings: Settings = {},
  change: Change = (request, fetch) => fetch(request),
  time?: Waiting,
) {
  const mock = await startMock({ listen: false, rateLimit: 'off', ...settings });
  const fetch = (request: Request) => change(request, (each) => mock.fetch(each));
  const target = { url: mock.url, key: mock.apiKey, profile: defaultWorldProfile, fetch };
  return fuzzTarget(target, more, time).finally(() => mock.close());
}

function fuzzReference(more: Partial<FuzzOptions>, options: ServerOptions = {}) {
  const { key, profile, fetch } = referenceServer(options);
  return fuzzTarget({ url: 'http://127.0.0.1', key, profile: { ...profile, noRateLimit: true }, fetch }, more, quickTime());
}

const clean = { failures: [], cards: { left: [] } };
const isComplete = (result: FuzzResult) => result.endedEarly === undefined && result.cleanupFault === undefined;

describe('a lawful service has no failing sequence', () => {
  test('the mock', async () => {
    const result = await fuzzMock({ runs: 200, seed: 20 }, {}, undefined, quickTime());
    expect(result).toMatchObject({ ...clean, cases: 200 });
    expect(isComplete(result)).toBe(true);
    expect(result.cards.created).toBeGreaterThan(200);
    expect(result.cards.voided).toBe(result.cards.created);
  });

  test('variants of the mock', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const result = await fuzzMock({ runs: 5, seed }, { variant: varied(seed) }, undefined, quickTime());
      expect({ ...result, complete: isComplete(result) }).toMatchObject({ seed, complete: true, ...clean });
    }
  });

  test('the reference server', async () => {
    expect(await fuzzReference({ runs: 40 })).toMatchObject({ ...clean, cases: 40 });
  });
});

async function withBody(request: Request, change: (body: Record<string, unknown>) => Record<string, unknown>): Promise<Request> {
  const body = JSON.stringify(change((await request.clone().json()) as Record<string, unknown>));
  return new Request(request.url, { method: 'POST', headers: request.headers, body });
}

const changingBody =
  (path: string, change: (body: Record<string, unknown>) => Record<string, unknown>): Change =>
  async (request, fetch) =>
    fetch(request.url.includes(path) && request.method === 'POST' ? await withBody(request, change) : request);

const byIdThroughCode: Change = async (request, fetch) => {
  if (!request.url.endsWith('/AddAdjustmentByGiftCardId')) return fetch(request);
  const { giftCardId, ...body } = (await request.clone().json()) as { giftCardId: string };
  const { headers } = request;
  const lookup = await fetch(new Request(request.url.replace(/\/api\/.*/, `/api/GiftCard/GetById/${giftCardId}`), { headers }));
  const { code: giftCardCode } = (await lookup.json()) as { code: string };
  const url = request.url.replace('GiftCardId', 'GiftCardCode');
  return fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify({ ...body, giftCardCode }) }));
};

const keepsVoidedBalance: Change = async (request, fetch) => {
  const response = await fetch(request);
  if (!request.url.includes('/GetByCode/') || !response.ok) return response;
  const card = (await response.json()) as { status: string; balance: number };
  return Response.json(card.status === 'Voided' ? { ...card, balance: 1 } : card);
};

let count = 0;
const renewed = (name: string) => (body: Record<string, unknown>) => {
  count += 1;
  return name in body ? { ...body, [name]: `${body[name]}-${count}` } : body;
};

const faults: [rule: string, requests: number, change: Change][] = [
  ['adjustment.by-id.refuses-overdraw', 5, byIdThroughCode],
  [
    'adjustment.negative-redeems',
    5,
    changingBody('/AddAdjustment', (body) => ({ ...body, adjustmentAmount: Math.abs(Number(body.adjustmentAmount)) })),
  ],
  ['idempotency.adjustment.repeat-with-other-content-refused', 8, changingBody('/AddAdjustment', renewed('uniqueAdjustmentId'))],
  ['idempotency.create.refuses-repeat', 4, changingBody('/Create', renewed('uniqueId'))],
  ['gift-card.void.zeroes-balance', 4, keepsVoidedBalance],
];

test('a refused step without a violation ends the run with exit code 4', async () => {
  const result = await fuzzReference({}, { hooks: refusesIf(api.create, ({ body }) => Number(body.balance) < 1)() });
  expect(result).toMatchObject({
    failures: [],
    endedEarly: { because: 'not-sent', detail: expect.stringContaining('returned 400') },
  });
  expect(endingOfFuzz(result).code).toBe(4);
});

describe('a fault is found within 100 sequences and shortened', () => {
  test.each(faults)('%s', async (rule, requests, change) => {
    const { failures, endedEarly } = await fuzzMock({}, {}, change);
    expect({ rules: failures.map((each) => each.rule), endedEarly }).toEqual({ rules: [rule], endedEarly: undefined });
    expect(failures[0]?.did.length).toBeLessThanOrEqual(requests);
  });

  test.each(['lists the oldest update first', 'does not count an adjustment as an update', 'shows the oldest entry first'])(
    'the server %s',
    async (name) => {
      const { rule, make } = faultNamed(name);
      const { failures, endedEarly } = await fuzzReference({}, { hooks: make() });
      expect({ rules: failures.map((each) => each.rule), endedEarly }).toEqual({ rules: [rule], endedEarly: undefined });
      expect(failures[0]?.did.length).toBeLessThanOrEqual(12);
    },
  );

  test('seed and path repeat the sequence alone', async () => {
    const { failures } = await fuzzMock({ seed: 5 }, {}, byIdThroughCode);
    const path = / --path (\S+)$/.exec(failures[0]?.again ?? '')?.[1] ?? '';
    const again = await fuzzMock({ seed: 5, path }, {}, byIdThroughCode);
    expect(again.cases).toBe(1);
    expect(again.failures.map(({ did, got }) => ({ did, got }))).toEqual(failures.map(({ did, got }) => ({ did, got })));
    expect(await fuzzMock({ seed: 5, path })).toMatchObject({ ...clean, cases: 1 });
  });
});
