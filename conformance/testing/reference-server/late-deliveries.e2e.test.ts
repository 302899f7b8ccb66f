import { describe, expect, test } from 'vitest';
import { levelOf } from '../../core/contract.ts';
import { type Check, checks } from '../../core/rule.ts';
import { runRules } from '../../core/run.ts';
import { endingOfRun } from '../../core/run-ending.ts';
import type { Target } from '../../http/target.ts';
import { defaultOptions, type ReferenceOptions } from './options.ts';
import type { AccountRecords } from './records.ts';
import { referenceServer, type ServerOptions } from './server.ts';
import { isOrdinaryCheck, referenceTarget } from './suite-findings.ts';

// The specification does not say how soon deliveries are sent, nor whether they are sent one after another.
const isAboutDeliveries = (check: Check) =>
  isOrdinaryCheck(check) &&
  levelOf(check.name) === 'stated' &&
  /^(webhook|delivery\.[\w-]+$|delivery\.(updated|gifted|voided)\.on|adjustment\.delivers)/.test(check.name);

async function run(target: Target) {
  const names = checks().flatMap((check) => (isAboutDeliveries(check) ? [check.name] : []));
  const result = await runRules({ target, names, checks: checks() });
  const verdicts = Object.fromEntries(result.rules.map(({ name, verdict, reason }) => [name, reason ?? verdict]));
  return { result, verdicts };
}

const sending = (deliveries: Partial<ReferenceOptions['deliveries']>) => ({
  deliveries: { ...defaultOptions.deliveries, ...deliveries },
});
const perWebhook = sending({ queues: 'per webhook', workers: 1, latency: 20, jitter: 100 });
const slowPerWebhook = sending({ queues: 'per webhook', workers: 1, latency: 2_200, jitter: 400 });

test.concurrent.each([
  ['at once', {}],
  ['by one worker', sending({ workers: 1, latency: 60 })],
  ['by two workers', sending({ workers: 2, latency: 20, jitter: 60 })],
  ['by one worker per webhook', perWebhook],
  ['by four workers, newest first', sending({ workers: 4, latency: 5, jitter: 10, isNewestFirst: true })],
])('deliveries sent %s give a pass for every rule in every run', async (_, options) => {
  const runs = await Promise.all([1, 2, 3].map(() => run(referenceTarget(options))));
  for (const { result, verdicts } of runs) {
    expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== 'pass')).toEqual([]);
    expect(endingOfRun(result).code).toBe(0);
  }
});

test.concurrent('a target that sends one delivery after another is reported as such', async () => {
  const { result } = await run({ ...referenceTarget(sending({ workers: 1 })), deliveryTimeout: 5_000 });
  const parallel = await run(referenceTarget(perWebhook));
  const notes = (rules: typeof result.rules) => rules.flatMap(({ deliveries = [] }) => deliveries).join();
  expect(notes(result.rules)).toContain('one after another');
  expect(notes(parallel.result.rules)).not.toContain('one after another');
});

test.concurrent('deliveries that arrive after the deadline are late, not missing', async () => {
  const target = { ...referenceTarget(sending({ latency: 2_500 })), deliveryTimeout: 1_000 };
  const { result, verdicts } = await run(target);
  expect(Object.values(verdicts)).not.toContain('fail');
  expect(verdicts['delivery.voided.on-void']).toBe('late');
  expect(verdicts['webhook.create.registers']).toBe('pass');
  const detail = result.rules.find(({ name }) => name === 'delivery.voided.on-void')?.detail;
  expect(detail).toMatch(/ [2-9]\.\d s.* 1\.0 s.*--delivery-timeout \d+$/);
  expect(endingOfRun(result).code).toBe(4);
  expect(result.recordsLeft).toEqual([]);
});

/** A slow server with one queue per webhook. `change` changes its records after each request. */
function faultyTarget(options: ServerOptions, change: (account: AccountRecords) => void): Target {
  const { key, fetch, profile, account } = referenceServer({ ...slowPerWebhook, ...options });
  const changing = async (request: Request) => {
    const response = await fetch(request);
    change(account);
    return response;
  };
  return { url: 'http://127.0.0.1', key, fetch: changing, profile: { ...profile, noRateLimit: true }, deliveryTimeout: 5_000 };
}

const voidsAsUpdates: ServerOptions = {
  hooks: {
    payload: ({ WebhookTopic: topic, ...payload }) => ({
      ...payload,
      WebhookTopic: topic === 'giftcard/voided' ? 'giftcard/updated' : topic,
    }),
  },
};

/** Deliveries to the second webhook at a URL reach no one. */
function deliverOncePerUrl({ webhooks }: AccountRecords): void {
  for (const [index, webhook] of webhooks.entries())
    if (webhooks.findIndex(({ url }) => url === webhook.url) < index) Object.assign(webhook, { url: 'http://127.0.0.1:9/' });
}

function neverDisable({ webhooks }: AccountRecords): void {
  for (const webhook of webhooks) Object.defineProperty(webhook, 'failures', { get: () => 0, set: () => undefined });
}

const byDescription: Partial<ReferenceOptions> = { listedWebhook: ({ id, description }) => ({ id, label: description }) };

test.concurrent.each([
  ['delivers voids as updates', 'delivery.voided.on-void', faultyTarget(voidsAsUpdates, () => undefined)],
  ['treats two webhooks with one URL as one', 'delivery.one-per-webhook', faultyTarget(byDescription, deliverOncePerUrl)],
  ['never disables a webhook', 'webhook.disabled-after-failures', faultyTarget({}, neverDisable)],
] as const)('a server that %s fails %s', async (_, rule, target) => {
  const { result, verdicts } = await run(target);
  expect(verdicts[rule]).toBe('fail');
  expect(endingOfRun(result).code).toBe(1);
});

describe('webhooks that the list does not distinguish', async () => {
  const target = referenceTarget({ listedWebhook: ({ id }) => ({ hookId: id }) });
  const names = checks()
    .filter((check) => isOrdinaryCheck(check) && /^(webhook|delivery)/.test(check.name))
    .map(({ name }) => name);
  const result = await runRules({ target, names, checks: checks() });

  test('no rule about webhooks has a verdict', () => {
    const tested = result.rules.filter(({ name, verdict }) => name.startsWith('webhook.') && verdict !== 'untested');
    expect(tested).toEqual([]);
    expect(result.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  });

  test('the registered one is reported as left', () => {
    expect(result.recordsLeft).toHaveLength(1);
  });
});
