import { expect, test } from 'vitest';
import { checks } from '../../core/clause.ts';
import { exitCode } from '../../core/exit.ts';
import { runClauses } from '../../core/run.ts';
import type { InProcessFetch, Target } from '../../core/target.ts';
import { byCause } from '../../report/causes.ts';
import { isOrdinaryCheck, referenceTarget } from './suite-findings.ts';

// Many clauses need the steps that these servers get wrong. The violated rule fails by name, and no other clause is lost.

async function run(target: Target, pattern: RegExp) {
  const names = checks().flatMap((check) => (isOrdinaryCheck(check) && pattern.test(check.name) ? [check.name] : []));
  const result = await runClauses({ target, names, checks: checks(), suite: 'test' });
  const of = (...verdicts: string[]) => result.clauses.filter(({ verdict }) => verdicts.includes(verdict));
  const failed = of('fail').map(({ name }) => name);
  const lost = result.clauses.filter(({ verdict, reason }) => verdict === 'blocked' || reason === 'control-failed');
  return { result, failed, lost, passed: of('pass').map(({ name }) => name) };
}

/** The reference server with another status for some successes. */
function answering(isMeant: (request: Request, body: Record<string, unknown>) => boolean, status: number): Target {
  const target = referenceTarget();
  const fetch: InProcessFetch = async (request, about) => {
    const text = await request.clone().text();
    const answer = await target.fetch(request, about);
    if (!answer.ok || request.method !== 'POST' || !isMeant(request, JSON.parse(text))) return answer;
    return new Response(status < 300 ? await answer.text() : 'No.', { status });
  };
  return { ...target, fetch };
}

test.concurrent.each([
  ['/GiftCard/Create', 'gift-card.create.answers-200', /^(gift-card|adjustment|idempotency|list|authentication)\./],
  ['/AutomationTriggerEvents', 'automation.answers-cards-and-runs', /^(automation|idempotency\.automation)\./],
  ['/Webhook/Create', 'webhook.create.answers-200', /^(webhook|delivery\.payload)\./],
  ['/AddAdjustmentBy', 'adjustment.answers-200', /^(adjustment|idempotency\.adjustment)\./],
])(
  '201 at %s fails %s alone and blocks nothing',
  async (path, clause, pattern) => {
    const { failed, lost } = await run(
      answering(({ url }) => url.includes(path), 201),
      pattern,
    );
    expect({ failed, lost }).toEqual({ failed: [clause], lost: [] });
  },
  120_000,
);

test.concurrent('a repeated event that is refused fails its clauses, and the first event is tested', async () => {
  const keys = new Set<unknown>();
  const isRepeat = (_: Request, { idempotency_key: key }: Record<string, unknown>) => {
    const isKnown = key !== undefined && keys.has(key);
    keys.add(key);
    return isKnown;
  };
  const { failed, passed } = await run(answering(isRepeat, 400), /^(automation|idempotency\.automation)\./);
  expect(failed).toContain('idempotency.automation.skips-repeat');
  expect(failed).toContain('automation.status-skipped-idempotent');
  for (const clause of ['own-amount', 'runs-every-match', 'status-created', 'status-skipped-usage-limit'])
    expect(passed).toContain(`automation.${clause}`);
}, 120_000);

test.concurrent('without giftcard/voided, its clause fails, and the clauses that wait for it have one cause', async () => {
  const changed = (payload: Record<string, unknown>) =>
    payload.WebhookTopic === 'giftcard/voided' ? { WebhookTopic: 'giftcard/none' } : payload;
  const { result, failed, lost } = await run(
    referenceTarget({ hooks: { payload: changed } }),
    /^(delivery|adjustment\.delivers|gift-card\.void)\b/,
  );
  expect(failed).toContain('delivery.voided.on-void');
  const items = lost.map(({ verdict, detail = '' }) => ({ status: verdict, cause: detail }));
  expect(items.length).toBeGreaterThan(10);
  expect(byCause(items).map(([{ cause }]) => cause)).toEqual([expect.stringContaining('delivery.voided.on-void')]);
  expect(exitCode(result)).toBe(1);
}, 120_000);

test.concurrent('the oracle finds a wrong delivery that no test of its clause reads', async () => {
  const changed = (payload: Record<string, unknown>) =>
    payload.InitialValue === 0.5 && payload.BuyerName ? { ...payload, Currency: 'XTS' } : payload;
  const { failed } = await run(
    referenceTarget({ hooks: { payload: changed } }),
    /^delivery\.payload\.(currency|buyer-of-card-not-gifted)$/,
  );
  expect(failed).toEqual(['delivery.payload.currency']);
}, 60_000);
