import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Mock, startMock } from '../../mock/index.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import { runRules } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import { leaves } from '../http/json-search.ts';
import type { Target } from '../http/target.ts';
import { LedgerFolder } from './ledger-folder.ts';
import { sweepLeftovers } from './sweep.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rules that create all kinds of entries: cards with and without a code, refused cards, voided cards, cards on another account, and a webhook. */
const names: RuleName[] = [
  'gift-card.create.generates-code',
  'gift-card.create.refuses-taken-code',
  'gift-card.create.code-free-on-other-account',
  'gift-card.void.is-final',
  'authentication.lists-own-records-only',
];

const keysOfMock = ['sandbox-key-main-not-a-real-key', defaultWorldProfile.secondKey as string];

/** Returns the run's webhooks on the mock, and the codes of the run's cards that are not voided. */
async function alive(mock: Mock): Promise<string[]> {
  const found: string[] = [];
  for (const key of keysOfMock) {
    for (const path of ['/api/GiftCard/List?pageSize=50', '/api/Webhook/List']) {
      const response = await mock.fetch(new Request(`${mock.url}${path}`, { headers: { 'x-api-key': key } }));
      const json = (await response.json()) as { giftCards?: { code: string; status: string; customField1: string | null }[] };
      if (json.giftCards) {
        const ours = json.giftCards.filter((card) => card.status !== 'Voided' && /GCS/.test(`${card.code}${card.customField1}`));
        found.push(...ours.map(({ code }) => code));
      } else found.push(...leaves(json).flatMap(({ value }) => (/^https:/.test(String(value)) ? [String(value)] : [])));
    }
  }
  return found;
}

/** Returns a target that works until the request with the number `last`. That request gets no response, or does not arrive. Later requests fail. */
function dying(mock: Mock, last: number, arrives: boolean) {
  let sent = 0;
  return async (request: Request): Promise<Response> => {
    sent += 1;
    if (sent < last || (sent === last && arrives)) {
      const response = await mock.fetch(request);
      if (sent < last) return response;
    }
    throw new Error('killed');
  };
}

const targetOf = (mock: Mock, fetch: Target['fetch'] & object): Target => ({
  url: mock.url,
  key: mock.apiKey,
  profile: defaultWorldProfile,
  fetch,
});

async function requestsOfAll(): Promise<string[]> {
  const methods: string[] = [];
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const target = targetOf(mock, (request) => {
    methods.push(request.method);
    return mock.fetch(request);
  });
  const result = await runRules({ target, names, checks: checks() });
  expect(result.rules.map(({ verdict }) => verdict)).toEqual(names.map(() => 'pass'));
  await mock.close();
  return methods;
}

test('a run of a few rules that is killed at any request leaves nothing after the next sweep', async () => {
  const requests = await requestsOfAll();
  expect(requests.length).toBeGreaterThan(30);
  let everLeft = 0;
  for (let last = 1; last <= requests.length; last += 1) {
    // A lost GET or DELETE has the same effect as a kill after the previous response, so only a POST is lost.
    for (const arrives of requests[last - 1] === 'POST' ? [true, false] : [true]) {
      const mock = await startMock({ listen: false, rateLimit: 'off' });
      const path = join(folder, `${last}-${arrives}-ledger`);
      const file = new LedgerFolder(path, mock.url);
      await runRules({
        target: targetOf(mock, dying(mock, last, arrives)),
        names,
        checks: checks(),
        ledger: file,
      });
      everLeft += (await alive(mock)).length;

      const session = openSession(targetOf(mock, (request) => mock.fetch(request)));
      const again = new LedgerFolder(path, mock.url);
      await sweepLeftovers(again, await again.read(session.target), session);
      expect({ last, arrives, alive: await alive(mock) }).toEqual({ last, arrives, alive: [] });
      expect((await again.read(session.target)).entries).toEqual([]);
      await mock.close();
    }
  }
  expect(everLeft).toBeGreaterThan(requests.length);
});
