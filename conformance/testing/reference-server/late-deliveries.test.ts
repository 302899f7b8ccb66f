import { describe, expect, test } from 'vitest';
import { type Check, checks } from '../../core/clause.ts';
import { levelOf } from '../../core/contract.ts';
import { runClauses } from '../../core/run.ts';
import { isOrdinaryCheck, referenceTarget } from './suite-findings.ts';

// The specification does not say how soon deliveries are sent, nor whether they are sent one after another.
const isAboutDeliveries = (check: Check) =>
  isOrdinaryCheck(check) &&
  levelOf(check.name) === 'stated' &&
  /^(webhook|delivery\.[\w-]+$|delivery\.\w+\.on|emails|adjustment\.delivers)/.test(check.name);

test.concurrent.each([
  ['twelve seconds late', { workers: Number.POSITIVE_INFINITY, latency: 12_000 }],
  ['one after another', { workers: 1, latency: 1_000 }],
])(
  'deliveries sent %s are not reported as missing',
  async (_, timing) => {
    const target = referenceTarget({ deliveries: { queues: 'one', ...timing, jitter: 0, isNewestFirst: false } });
    const names = checks()
      .filter(isAboutDeliveries)
      .map(({ name }) => name);
    const { clauses, recordsLeft } = await runClauses({ target, names, checks: checks(), suite: 'test' });
    const wrong = clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
    expect(wrong.map(({ name, expected, got, detail }) => ({ name, expected, got, detail }))).toEqual([]);
    expect(recordsLeft).toEqual([]);
    const verdictOf = (wanted: string) => clauses.find(({ name }) => name === wanted)?.verdict;
    expect(verdictOf('delivery.voided.on-void')).toBe('untested');
    expect(verdictOf('webhook.create.registers')).toBe('pass');
  },
  150_000,
);

describe('webhooks that the list does not distinguish', async () => {
  const target = referenceTarget({ listedWebhook: ({ id }) => ({ hookId: id }) });
  const names = checks()
    .filter((check) => isOrdinaryCheck(check) && /^(webhook|delivery)/.test(check.name))
    .map(({ name }) => name);
  const result = await runClauses({ target, names, checks: checks(), suite: 'test' });

  test('no clause about webhooks has a verdict', () => {
    const tested = result.clauses.filter(({ name, verdict }) => name.startsWith('webhook.') && verdict !== 'untested');
    expect(tested).toEqual([]);
    expect(result.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  });

  test('the registered one is reported as left', () => {
    expect(result.recordsLeft).toHaveLength(1);
  });
});
