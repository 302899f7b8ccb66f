import '../../../rules/index.ts';
import { preflight } from '../../../core/preflight.ts';
import type { RuleResult } from '../../../core/result.ts';
import { type Check, checks } from '../../../core/rule.ts';
import { runRules } from '../../../core/run.ts';
import { openSession } from '../../../core/session.ts';
import type { ReferenceOptions } from '../options.ts';
import type { ServerOptions } from '../server.ts';
import { referenceTarget } from '../suite-findings.ts';
import type { Fault } from './fault.ts';

const all = { queues: 'one', workers: Number.POSITIVE_INFINITY, latency: 0, jitter: 0, isNewestFirst: false } as const;

/** Lawful orders in which a server sends deliveries. Times are in milliseconds. */
export const deliveryOrders = {
  immediate: all,
  'one worker with latency': { ...all, workers: 1, latency: 300 },
  'a queue per webhook with jitter': { ...all, workers: 1, latency: 20, jitter: 80, queues: 'per webhook' },
} as const satisfies Record<string, ReferenceOptions['deliveries']>;

export type DeliveryOrder = keyof typeof deliveryOrders;

const checkOf = ({ rule }: Fault): Check | undefined => checks().find(({ name }) => name === rule);

/** Reports whether the test of the fault's rule receives deliveries. Such a test mostly waits. */
export const needsReceiver = (fault: Fault): boolean => checkOf(fault)?.needs.includes('receiver') === true;

/** Runs the test of a fault's rule on a server with the fault, and on a lawful server. */
export class FaultRunner {
  readonly #lawful = new Map<string, Promise<RuleResult>>();

  /**
   * Returns undefined if the test of the fault's rule reports a violation. Otherwise, returns the reason. The verdicts untested, blocked and error do
   * not count, nor does a server error that the fault did not need.
   */
  async whyMissed(fault: Fault, order: DeliveryOrder): Promise<string | undefined> {
    const { make, options } = fault;
    const check = checkOf(fault);
    if (!check) return 'its rule has no test';
    const [lawful, result] = await Promise.all([
      this.#lawfulResult(check, order),
      runOne(check, { ...options, deliveries: deliveryOrders[order], hooks: make() }),
    ]);
    if (lawful.verdict !== 'pass') return `its rule does not pass on the lawful server: ${described(lawful)}`;
    if (result.verdict !== 'fail') return described(result);
    const hasBroken = result.level !== 'robustness' && result.exchanges.some(({ status }) => status >= 500);
    return hasBroken ? `the server breaks with 5xx: ${described(result)}` : undefined;
  }

  #lawfulResult(check: Check, order: DeliveryOrder): Promise<RuleResult> {
    const name = `${check.name} ${order}`;
    const result = this.#lawful.get(name) ?? runOne(check, { deliveries: deliveryOrders[order] });
    this.#lawful.set(name, result);
    return result;
  }
}

async function runOne(check: Check, options: ServerOptions): Promise<RuleResult> {
  const isLimited = check.burst === true;
  const target = referenceTarget(isLimited ? { perMinute: 200, ...options } : options, {
    timesShownExactly: true,
    mayVoidFixtures: true,
    noRateLimit: !isLimited,
  });
  // The server counts requests by its own clock, so the suite need not wait between requests.
  const session = openSession(target, { now: () => performance.now(), sleep: async () => {} });
  await preflight(session);
  const { rules } = await runRules({ target, names: [check.name], checks: [check], session });
  await session.client.close();
  const [result] = rules;
  if (!result) throw new Error(`The run has no result for ${check.name}.`);
  return result;
}

const described = ({ verdict, reason, detail, expected, got }: RuleResult) =>
  verdict === 'fail' ? `expected ${expected}; got ${got}` : [verdict, reason, detail].filter(Boolean).join(': ');
