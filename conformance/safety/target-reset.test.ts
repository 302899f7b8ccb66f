import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { ruleTest } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import { tryCreate, voidByCode } from '../scenarios/cards.ts';
import { getWebhookList, register } from '../scenarios/webhooks.ts';
import { LedgerFolder } from './ledger-folder.ts';
import { describeLeftovers, sweepLeftovers } from './sweep.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-vanished-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Fetch = (request: Request) => Promise<Response>;
let runs = 0;

/** Runs a test whose cleanup fails. Then runs a sweep, whose requests `after` handles with the old or a fresh service. Returns the leftovers. */
async function leftAfterwards(after: (old: Fetch, fresh: Fetch) => Fetch) {
  const [old, fresh] = [
    await startMock({ listen: false, rateLimit: 'off' }),
    await startMock({ listen: false, rateLimit: 'off' }),
  ];
  const first: Fetch = async (request) =>
    request.method === 'DELETE' ? new Response('no', { status: 500 }) : old.fetch(request);
  const target = { url: 'http://127.0.0.1', key: old.apiKey, profile: {} };
  runs += 1;
  const file = new LedgerFolder(join(folder, `${runs}-ledger`), target.url);
  const name = 'gift-card.create.returns-200';
  const check = ruleTest(name, [], async (t) => {
    await tryCreate(t);
    await tryCreate(t);
    await register(t, 'https://conformance.invalid/vanishes');
    await getWebhookList(t);
  });
  const made = { target: { ...target, fetch: first }, names: [name] as const, checks: [check], ledger: file };
  const { cards, recordsLeft, rules } = await runRules(made);
  expect([rules[0]?.verdict, cards.left, recordsLeft.length]).toEqual(['pass', ['card#1', 'card#2'], 2]);
  const session = openSession({
    ...target,
    fetch: after(
      (request) => old.fetch(request),
      (request) => fresh.fetch(request),
    ),
  });
  const leftovers = await file.read(target);
  await sweepLeftovers(file, leftovers, session);
  const left = describeLeftovers(leftovers).map((each) => each.replace(/earlier run [0-9A-Z]+/g, 'earlier run …'));
  await Promise.all([old.close(), fresh.close()]);
  return left;
}

test('after a restart of a service that stores nothing on disk, nothing is left', async () => {
  expect(await leftAfterwards((_, fresh) => fresh)).toEqual([]);
});

test('cards that only the list shows are left, with the reason', async () => {
  const unfound: (old: Fetch) => Fetch = (old) => async (request) =>
    /ByCode|ById/.test(request.url) ? new Response('no', { status: 404 }) : old(request);
  expect(await leftAfterwards(unfound)).toEqual([
    'card#1 and 1 more of the earlier run … (it was created, DELETE /api/GiftCard/VoidByCode returned 404, and GET /api/GiftCard/GetByCode returned 404). To try again, use sweep.',
  ]);
});

test('cards are left if the list cannot be read', async () => {
  const left = await leftAfterwards(() => async () => new Response('no', { status: 404 }));
  expect(left.join()).toMatch(/card#1 and 1 more of .*webhook https?:\S+ .*GET \/api\/Webhook\/List returned 404/);
});

test('a card that a test has voided is looked up, not voided again', async () => {
  await using mock = await startMock({
    listen: false,
    rateLimit: 'off',
    variant: { behaviors: { 'gift-card.void.again': 'refused' } },
  });
  const voids: string[] = [];
  const fetch = async (request: Request) => {
    if (request.method === 'DELETE') voids.push(request.url);
    const response = await mock.fetch(request);
    const text = await response.text();
    // Lawful: a voided card past its expiry is shown as expired.
    return new Response(text.replace('"status":"Voided"', '"status":"Expired"'), response);
  };
  const name = 'gift-card.create.returns-200';
  const check = ruleTest(name, [], async (t) => {
    await voidByCode(t, (await tryCreate(t)).code);
  });
  const target = { url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, fetch };
  const { cards } = await runRules({ target, names: [name], checks: [check] });
  expect([cards.left, voids.length]).toEqual([[], 1]);
});
