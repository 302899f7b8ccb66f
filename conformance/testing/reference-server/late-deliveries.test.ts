import { expect, test } from 'vitest';
import { type Check, checks } from '../../core/clause.ts';
import { levelOf } from '../../core/contract.ts';
import { runClauses } from '../../core/run.ts';
import { faultsOf } from './faults.ts';
import { stranger } from './server.ts';

/** How soon something is delivered is not given, nor whether one delivery waits for another. */

/** Not the questions, which each wait for deliveries of their own. */
const aboutDeliveries = ({ name, inputs, burst }: Check) =>
  !inputs &&
  !burst &&
  levelOf(name) === 'stated' &&
  /^(webhook|delivery\.[\w-]+$|delivery\.\w+\.on|emails|adjustment\.delivers)/.test(name);

async function judged(server: ReturnType<typeof stranger>) {
  const names = checks()
    .filter(aboutDeliveries)
    .map(({ name }) => name);
  const profile = { ...server.profile, noRateLimit: true };
  const target = { url: 'http://127.0.0.1', key: server.key, fetch: server.fetch, profile };
  return runClauses({ target, names, checks: checks(), suite: 'test' });
}

test.concurrent.each([
  ['come after twelve seconds', { latency: 12_000 }],
  ['come one after another', { latency: 300, inTurn: true }],
])(
  'deliveries that %s are not called missing',
  async (_, options) => {
    const { clauses, recordsLeft } = await judged(stranger(options));
    const wrong = clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
    expect(wrong.map(({ name, expected, got, detail }) => ({ name, expected, got, detail }))).toEqual([]);
    expect(recordsLeft).toEqual([]);
    const of = (wanted: string) => clauses.find(({ name }) => name === wanted);
    expect(of('delivery.voided.on-void')?.verdict).toBe('untested');
    expect(of('webhook.create.registers')?.verdict).toBe('pass');
  },
  150_000,
);

test.concurrent('gifts that are delivered together once a day are delivered', async () => {
  const { key, fetch, profile } = stranger({ giftsEvery: 24 });
  const target = { url: 'http://127.0.0.1', key, fetch, profile: { ...profile, noRateLimit: true } };
  const { faults } = await faultsOf(target, ({ name }) => name === 'emails.gifted-deferred', /^$/);
  expect(faults).toEqual([]);
}, 60_000);
