import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { ruleTest } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import type { Trial } from '../core/trial.ts';
import { createWithoutCode, tryCreate } from '../scenarios/cards.ts';
import { sendRecorded } from '../scenarios/endpoints.ts';
import { event, idleEvent, recipient } from '../scenarios/events.ts';
import { registration } from '../scenarios/webhooks.ts';
import type { LedgerEntry } from './entries.ts';
import { policyOf } from './policy.ts';

/** Runs one test on a mock that loses some responses. Returns the states of the ledger entries, and the cards that are not voided. */
async function ran(check: (t: Trial, holdBack: () => void) => Promise<unknown>, loses: (path: string) => boolean = () => false) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const requests: string[] = [];
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    const response = await mock.fetch(request);
    if (loses(pathname)) throw new Error('the response is lost');
    return response;
  };
  const session = openSession({ url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, fetch });
  const holdBack = () => {
    session.gate.policy = policyOf('read-only', [], {});
  };
  const name = 'gift-card.create.returns-200';
  let entries: readonly LedgerEntry[] = [];
  const checked = ruleTest(name, [], async (t) => {
    entries = t.run.ledger.all;
    await check(t, holdBack);
  });
  const { cards } = await runRules({ target: session.target, session, names: [name], checks: [checked] });
  await mock.close();
  return { states: entries.map(({ state }) => state), cards, requests };
}

test('a request that the budget prevents does not remove the entry of an earlier request', async () => {
  const { states, cards } = await ran(
    async (t, holdBack) => {
      await tryCreate(t).catch(() => undefined);
      const [{ code } = { code: '' }] = t.run.ledger.all;
      holdBack();
      const body = {
        giftCardCode: code,
        adjustmentAmount: 1,
        uniqueAdjustmentId: 'one',
        actionedAtUtc: new Date().toISOString(),
      };
      await t.send('adjust', { method: 'POST', path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', body });
    },
    (path) => path.endsWith('/Create'),
  );
  expect({ states, cards }).toEqual({ states: ['gone'], cards: { created: 1, voided: 1, left: [] } });
});

test('after an interruption under a rate, cleanup does not wait for a create that was never sent', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const controller = new AbortController();
  const waits: number[] = [];
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
    // The next request is the second create.
    if (waits.push(ms) === 2) controller.abort();
    await new Promise((done) => setImmediate(done));
  };
  const fetch = (request: Request) => mock.fetch(request);
  const target = { url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, fetch, ratePerMinute: 60, lateAfter: 60_000 };
  const session = openSession(target, { now: () => now, sleep });
  const name = 'gift-card.create.returns-200';
  const checked = ruleTest(name, [], async (t) => {
    await tryCreate(t);
    await tryCreate(t);
  });
  const options = { target, session, names: [name] as const, checks: [checked], signal: controller.signal };
  const { cards, interrupted } = await runRules(options);
  await mock.close();
  expect([interrupted, cards]).toEqual([
    { after: 0, of: 1 },
    { created: 1, voided: 1, left: [] },
  ]);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
});

test.each<[string, (t: Trial) => Promise<unknown>]>([
  ['a card', (t) => tryCreate(t)],
  ['a card without a code', (t) => createWithoutCode(t)],
  ['a webhook', (t) => t.send('register', { ...registration(t), text: '"without its address"' })],
  ['an event', (t) => event(t, { event_name: 'some' })],
  ['an event without automations', (t) => idleEvent(t, 'without automations')],
  [
    'an event among other requests',
    (t) => {
      const to = recipient(t);
      const body = { event_name: 'some', recipient_email: to, properties: {} };
      const open = () => t.run.ledger.openIssued(to);
      return sendRecorded(t, 'send an event', { method: 'POST', path: '/api/AutomationTriggerEvents', body, open });
    },
  ],
])('%s without a sent request is not looked up', async (_, act) => {
  const { states, requests } = await ran(async (t, holdBack) => {
    holdBack();
    await act(t);
  });
  expect(states).toEqual(['refused']);
  expect(requests.filter((each) => /^(DELETE|POST)|GetBy|Webhook|GiftCard\/List/.test(each))).toEqual([]);
});
