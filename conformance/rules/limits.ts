import { describeResponse, expectAmount, expectStatus, expectSuccess, expectThat } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../safety/policy.ts';
import { controlAccepts, controlHolds } from '../scenarios/controls.ts';
import { isRateLimited, rateLimit, rateLimitScenario } from '../scenarios/rate.ts';

async function minute(t: Trial) {
  const seen = await rateLimitScenario(t);
  await controlAccepts(t, 'a request in the next minute', seen.later);
  return seen;
}

rule('limits.rate-admits', { burst: true }, async (t) => {
  const { within } = await minute(t);
  const first = within.find(({ status }) => status !== 200);
  const count = within.filter(({ status }) => status === 200).length;
  const got = `${count} accepted; ${first ? describeResponse(first) : 'no more sent'}`;
  expectThat(count === rateLimit, `${rateLimit} requests accepted in a minute`, got);
});

rule('limits.rate-refuses-excess', { burst: true }, async (t) => {
  const { countBefore429, balances, counted, endpoints } = await minute(t);
  expectThat(counted !== undefined, `429 after ${rateLimit} requests in a minute`, `${countBefore429} requests without a 429`);
  if (counted === 'each-endpoint') return t.doesNotCheck('adjustments: the target counts each endpoint separately');
  const isLimited = endpoints.some(([, response]) => isRateLimited(response));
  expectThat(isLimited, 'adjustments beyond the limit rejected', 'all accepted');
  expectAmount(balances.after, balances.before, 'balance after adjustments beyond the limit');
});

rule('limits.rate-covers-every-endpoint', { burst: true }, async (t) => {
  t.doesNotCheck('web store coupons, whose paths are unknown; registering webhooks, which the policy may forbid');
  const { countBefore429, counted, endpoints, still } = await minute(t);
  expectThat(counted !== undefined, `429 after ${rateLimit} requests in a minute`, `${countBefore429} requests without a 429`);
  if (counted === 'each-endpoint')
    throw new Untested('untestable', 'the target has a limit for each endpoint, so the test would need thousands of requests');
  controlHolds(t, 'a list request after all other requests still gets 429', still !== undefined && isRateLimited(still));
  for (const [what, response] of endpoints) expectStatus(response, 429, `${what} beyond the limit`);
});

rule('limits.rate-recovers', { burst: true }, async (t) => {
  const { refusal, later } = await rateLimitScenario(t);
  controlHolds(t, 'a request got 429 in the minute before', refusal !== undefined);
  expectSuccess(later, 'the request, sent again after a minute');
});
