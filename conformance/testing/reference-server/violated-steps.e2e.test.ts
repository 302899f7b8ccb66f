import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checks } from '../../core/rule.ts';
import { runRules } from '../../core/run.ts';
import { endingOfRun } from '../../core/run-ending.ts';
import type { InProcessFetch, Target } from '../../http/target.ts';
import { groupByCause } from '../../report/document.ts';
import { stepsOf } from '../../report/steps.ts';
import { api, on } from './faults/fault.ts';
import { faultNamed } from './faults/faults.ts';
import type { Hooks, ServerDelivery } from './faults/hooks.ts';
import { isOrdinaryCheck, referenceTarget } from './suite-findings.ts';
import { isAccepted } from './webhooks.ts';

// Many rules need the steps that these servers get wrong. The violated rule fails by name, and no other rule is lost.

async function run(target: Target, pattern: RegExp) {
  const names = checks().flatMap((check) => (isOrdinaryCheck(check) && pattern.test(check.name) ? [check.name] : []));
  const result = await runRules({ target, names, checks: checks() });
  const of = (...verdicts: string[]) => result.rules.filter(({ verdict }) => verdicts.includes(verdict));
  const failed = of('fail').map(({ name }) => name);
  const lost = result.rules.filter(({ verdict, reason }) => verdict === 'blocked' || reason === 'control-failed');
  return { result, failed, lost, passed: of('pass').map(({ name }) => name) };
}

/** The reference server with another status for some successes. */
function responding(isMeant: (request: Request, body: Record<string, unknown>) => boolean, status: number): Target {
  const target = referenceTarget();
  const fetch: InProcessFetch = async (request, about) => {
    const text = await request.clone().text();
    const response = await target.fetch(request, about);
    if (!response.ok || request.method !== 'POST' || !isMeant(request, JSON.parse(text))) return response;
    return new Response(status < 300 ? await response.text() : 'No.', { status });
  };
  return { ...target, fetch };
}

test.concurrent.each([
  ['/GiftCard/Create', 'gift-card.create.returns-200', /^(gift-card|adjustment|idempotency|list|authentication)\./],
  ['/AutomationTriggerEvents', 'automation.returns-cards-and-runs', /^(automation|idempotency\.automation)\./],
  ['/Webhook/Create', 'webhook.create.returns-200', /^(webhook|delivery\.payload)\./],
  ['/AddAdjustmentBy', 'adjustment.returns-200', /^(adjustment|idempotency\.adjustment)\./],
])('201 at %s fails %s alone and blocks nothing', async (path, rule, pattern) => {
  const { failed, lost } = await run(
    responding(({ url }) => url.includes(path), 201),
    pattern,
  );
  expect({ failed, lost }).toEqual({ failed: [rule], lost: [] });
});

test.concurrent('a repeated event that is refused fails its rules, and the first event is tested', async () => {
  const keys = new Set<unknown>();
  const isRepeat = (_: Request, { idempotency_key: key }: Record<string, unknown>) => {
    const isKnown = key !== undefined && keys.has(key);
    keys.add(key);
    return isKnown;
  };
  const { failed, passed } = await run(responding(isRepeat, 400), /^(automation|idempotency\.automation)\./);
  expect(failed).toContain('idempotency.automation.skips-repeat');
  expect(failed).toContain('automation.status-skipped-idempotent');
  for (const rule of ['own-amount', 'runs-every-match', 'status-created', 'status-skipped-usage-limit'])
    expect(passed).toContain(`automation.${rule}`);
});

test.concurrent('without giftcard/voided, its rule fails, and the rules that wait for it have one cause', async () => {
  const changed = (payload: Record<string, unknown>) =>
    payload.WebhookTopic === 'giftcard/voided' ? { WebhookTopic: 'giftcard/none' } : payload;
  const { result, failed, lost } = await run(
    referenceTarget({ hooks: { payload: changed } }),
    /^(delivery|adjustment\.delivers|gift-card\.void)\b/,
  );
  expect(failed).toContain('delivery.voided.on-void');
  const items = lost.map(({ verdict, detail = '' }) => ({ status: verdict, cause: detail }));
  expect(items.length).toBeGreaterThan(10);
  expect(groupByCause(items).map(([{ cause }]) => cause)).toEqual([expect.stringContaining('delivery.voided.on-void')]);
  expect(endingOfRun(result).code).toBe(1);
});

test.concurrent('the oracle finds a wrong delivery that no test of its rule reads', async () => {
  const changed = (payload: Record<string, unknown>) =>
    payload.InitialValue === 1 && payload.BuyerName ? { ...payload, Currency: 'XTS' } : payload;
  const { failed } = await run(
    referenceTarget({ hooks: { payload: changed } }),
    /^delivery\.payload\.(currency|buyer-of-card-not-gifted)$/,
  );
  expect(failed).toEqual(['delivery.payload.currency']);
});

type Send = (delivery: ServerDelivery) => Promise<number>;

/** Delivers giftcard/updated only for a notification. A webhook then has few failures before the first void. */
const event: Hooks['event'] = (event, next) => {
  const { shouldSendNotification, sendAsGift } = event.card.fields;
  if (event.topic !== 'updated' || (shouldSendNotification && !sendAsGift)) next(event);
};

const retriesIn: Readonly<Record<string, (delivery: ServerDelivery, send: Send) => Promise<number>>> = {
  'at once and counts one failure': async (delivery, send) => {
    const status = await send(delivery);
    return isAccepted(status) ? status : send(delivery);
  },
  'after a pause and counts one failure': async (delivery, send) => {
    const status = await send(delivery);
    if (isAccepted(status)) return status;
    await pause(300);
    return send(delivery);
  },
  'at once and counts each failure': async (delivery, send) => {
    const status = await send(delivery);
    if (isAccepted(status)) return status;
    delivery.webhook.failures += 1;
    return send(delivery);
  },
};

test.concurrent.each(Object.entries(retriesIn))(
  'a server that retries a failed delivery %s fails delivery.attempted-once alone',
  async (_, delivery) => {
    const { failed } = await run(
      referenceTarget({ hooks: { delivery, event } }),
      /^(delivery\.[\w-]+$|delivery\.\w+\.on-|webhook)/,
    );
    expect(failed).toEqual(['delivery.attempted-once']);
  },
);

test.concurrent.each([
  ['announces voids as giftcard/updated', 'delivery.voided.on-void', 'giftcard/updated'],
  ['announces gifts as giftcard/updated', 'delivery.gifted.on-gift', 'giftcard/updated'],
  ['announces an expiry as a void', 'delivery.expired.on-expiry', 'giftcard/voided'],
])('the failure of a server that %s names the topic that came', async (fault, rule, topic) => {
  const { result } = await run(referenceTarget({ hooks: faultNamed(fault).make() }), new RegExp(`^${rule}$`));
  expect(result.rules[0]?.got).toBe(`${topic} for that card`);
});

test.concurrent('the failure of a webhook that is never disabled shows the failed deliveries and their cards', async () => {
  const target = referenceTarget({ hooks: faultNamed('never disables a webhook').make() });
  const { result } = await run(target, /^webhook\.disabled-after-failures$/);
  const [rule] = result.rules as [(typeof result.rules)[number]];
  expect(rule.got).toMatch(/, after giftcard\/gifted(, giftcard\/\w+){5,}$/);
  expect(rule.received).toHaveLength(3);
  expect(stepsOf(rule).filter((step) => !step.includes('card'))).toEqual([]);
});

test.concurrent('a server that reads since in another time zone fails with the time of issue', async () => {
  const early = (since: string) => new Date(Date.parse(since) - 3_600_000).toISOString();
  const hooks = on(api.list, (call, next) => {
    const { since, ...given } = Object.fromEntries(call.query);
    return next({ ...call, query: new URLSearchParams(since === undefined ? given : { ...given, since: early(since) }) });
  })();
  const { result } = await run(referenceTarget({ hooks }), /^list\.since-is-strictly-after$/);
  expect(result.rules).toMatchObject([
    { verdict: 'fail', expected: expect.stringContaining('15 minutes'), got: expect.stringMatching(/issued at \d{4}-/) },
  ]);
});

/** Returns for each event the number of webhooks that got the delivery, and the number of webhooks that should get the delivery. */
async function countsOfEvents(hooks: Hooks): Promise<[arrived: number, all: number][]> {
  const { result } = await run({ ...referenceTarget({ hooks }), deliveryTimeout: 2_000 }, /^delivery\.voided\.on-void$/);
  const counts = result.rules.flatMap(({ deliveries = [] }) =>
    deliveries.map((each) => / at (\d+) of (\d+) webhooks/.exec(each)),
  );
  return counts.flatMap((match) => (match ? [[Number(match[1]), Number(match[2])]] : []));
}

test.concurrent('a report counts webhooks, also two with one URL', async () => {
  const perUrl = faultNamed('sends one delivery to webhooks with one URL').make();
  const [lawful, wrong] = await Promise.all([countsOfEvents({}), countsOfEvents(perUrl)]);
  expect(lawful).toHaveLength(7);
  // The run does not wait for the webhook that it deletes.
  expect([11, 12]).toContain(lawful[0]?.[0]);
  expect(lawful.filter(([arrived, all]) => arrived !== all)).toEqual([]);
  expect(wrong).toHaveLength(7);
  // The last event comes after a second registration, which this server ignores.
  expect(wrong.slice(0, -1).filter(([arrived, all]) => arrived !== all - 1)).toEqual([]);
});

test.concurrent('a report counts a delivery that arrived after the run had sent the next request', async () => {
  let isFirst = true;
  const counts = await countsOfEvents({
    async delivery(delivery, next) {
      if (!String(delivery.webhook.token).startsWith('another')) return next(delivery);
      const ms = isFirst ? 3_000 : 500;
      isFirst = false;
      await pause(ms);
      return next(delivery);
    },
  });
  expect(counts).toHaveLength(7);
  expect(counts.filter(([arrived, all]) => arrived !== all)).toEqual([]);
});
