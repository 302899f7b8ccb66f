import { clause } from '../core/clause.ts';
import { accepted, hasStatus, holds, sameAmount, told } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { isRateLimited, rateLimit } from '../scenarios/rate.ts';
import { countedPer, type RateLimitScenario, rateLimitScenario } from '../scenarios/rate-limit-scenario.ts';

/** A minute in which requests were answered until there were too many. */
async function minute(t: Trial): Promise<RateLimitScenario> {
  const seen = await rateLimitScenario(t);
  await t.control('a request in a fresh minute', async () => accepted(seen.later, 'it'));
  return seen;
}

clause('limits.rate-admits', { burst: true }, async (t) => {
  const { within } = await minute(t);
  const [first] = within.filter((answer) => answer.status !== 200);
  const count = within.filter(({ status }) => status === 200).length;
  holds(
    count === rateLimit,
    `${rateLimit} requests of a minute answered`,
    `${count} answered, and ${first ? told(first) : 'no more'}`,
  );
});

clause('limits.rate-refuses-excess', { burst: true }, async (t) => {
  const seen = await minute(t);
  const { answered, balances, endpoints } = seen;
  const shared = countedPer(seen);
  holds(shared !== undefined, `429 after ${rateLimit} requests of a minute`, `${answered} answered`);
  if (shared === 'each-endpoint') {
    t.doesNotCheck('adjustments: they have a minute of their own here');
    return;
  }
  holds(
    endpoints.some(([, answer]) => isRateLimited(answer)),
    'adjustments beyond the limit refused',
    'none refused',
  );
  sameAmount(balances[1], balances[0], 'balance after adjustments beyond the limit');
});

clause('limits.rate-covers-every-endpoint', { burst: true }, async (t) => {
  t.doesNotCheck('web store coupons: their paths are not shown; registering webhooks, which a run may be denied');
  const seen = await minute(t);
  const { answered, endpoints, still } = seen;
  const shared = countedPer(seen);
  holds(shared !== undefined, `${rateLimit} requests to use the minute up`, `${answered} answered`);
  if (shared === 'each-endpoint')
    throw new Untested(
      'untestable',
      'each endpoint has a minute of its own here, and to use all of them up takes thousands of requests',
    );
  await t.control('the minute is still used up after them', async () =>
    holds(still !== undefined && isRateLimited(still), '429', 'an answer'),
  );
  for (const [what, answer] of endpoints) hasStatus(answer, 429, `${what} beyond the limit`);
});

clause('limits.rate-recovers', { burst: true }, async (t) => {
  const { refusal, later } = await rateLimitScenario(t);
  await t.control('the request got 429 before', async () => holds(refusal !== undefined, '429', 'answers only'));
  accepted(later, 'the request, sent again after a minute');
});
