import { mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { statement } from '../core/clause.ts';
import { runClauses } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import type { Trial } from '../core/trial.ts';
import { create, createWithoutCode } from '../scenarios/cards.ts';
import { sendRecorded } from '../scenarios/endpoints.ts';
import { event, idleEvent, recipient } from '../scenarios/events.ts';
import { registration } from '../scenarios/webhooks.ts';
import { LedgerFolder, type StoredRun } from './ledger-folder.ts';
import { policyOf } from './policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-not-sent-'));
afterAll(() => rmSync(folder, { recursive: true }));
let runs = 0;

/** Runs one test on a mock that loses some answers; returns the states of the ledger entries and the cards that are not voided. */
async function ran(check: (t: Trial, holdBack: () => void) => Promise<unknown>, loses: (path: string) => boolean = () => false) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const asked: string[] = [];
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(`${request.method} ${pathname}`);
    const answer = await mock.fetch(request);
    if (loses(pathname)) throw new Error('the answer is lost');
    return answer;
  };
  const session = openSession({ url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, fetch });
  const holdBack = () => {
    session.gate.policy = policyOf('read-only', [], {});
  };
  const name = 'gift-card.create.answers-200';
  const checks = [statement(name, [], (t) => check(t, holdBack).then(() => undefined))];
  runs += 1;
  const { ledgers: file, runs: stored } = recordingLedger(join(folder, `${runs}`), session.target.url);
  const { cards } = await runClauses({ target: session.target, session, names: [name], checks, suite: 'test', ledger: file });
  const states = stored().flatMap(({ entries }) => entries.map(({ state }) => state));
  file.close();
  await mock.close();
  return { states, cards, asked };
}

test('a request that the budget prevents does not remove the entry of an earlier request', async () => {
  const { states, cards } = await ran(
    async (t, holdBack) => {
      await create(t).catch(() => undefined);
      const [{ code } = { code: '' }] = t.run.ledger.entries;
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

test.each<[string, (t: Trial) => Promise<unknown>]>([
  ['a card', (t) => create(t)],
  ['a card without a code', (t) => createWithoutCode(t)],
  ['a webhook', (t) => t.send('register', { ...registration(t).ask, text: '"without its address"' })],
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
  const { states, asked } = await ran(async (t, holdBack) => {
    holdBack();
    await act(t);
  });
  expect(states).toEqual(['refused']);
  expect(asked.filter((each) => /^(DELETE|POST)|GetBy|Webhook|GiftCard\/List/.test(each))).toEqual([]);
});

/** A ledger that also keeps every line in memory, because the file of a clean run is deleted at its end. */
function recordingLedger(path: string, target: string): { ledgers: LedgerFolder; runs(): StoredRun[] } {
  const written: Buffer[] = [];
  const put = (handle: number, bytes: Uint8Array, from: number) => {
    const count = writeSync(handle, bytes, from);
    written.push(Buffer.from(bytes.subarray(from, from + count)));
    return count;
  };
  const runs = () => {
    const copy = mkdtempSync(join(tmpdir(), 'recorded-ledger-'));
    writeFileSync(join(copy, 'run.jsonl'), Buffer.concat(written));
    const found = new LedgerFolder(copy, target).runs();
    rmSync(copy, { recursive: true });
    return found;
  };
  return { ledgers: new LedgerFolder(path, target, { put }), runs };
}
