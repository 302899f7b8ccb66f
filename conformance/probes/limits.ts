import { shortList } from '../core/card-list.ts';
import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { formOf } from '../core/form.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { beyond, burst, freshMinute, isExcess, LIMIT, pass, usedUp } from '../scenarios/rate.ts';
import { excess, sharing } from '../scenarios/rate-limit-scenario.ts';

/** The 429 that a run has seen. */
async function refusal(t: Trial): Promise<Answer> {
  const seen = (await excess(t)).refusal;
  if (!seen) throw new Untested('fact-missing', 'no request was refused for the rate');
  return seen;
}

/** Whether a request is refused after others. */
function countedBy<Y extends string, N extends string>(answer: Answer, yes: Y, no: N): Y | N | SomethingElse {
  if (isExcess(answer)) return yes;
  return answer.status === 200 ? no : somethingElse(`answers ${answer.status}`);
}

probe('errors.body-of-429', { burst: true }, async (t) => formOf(await refusal(t)));

probe('limits.rate-shared', { burst: true }, async (t) => {
  const seen = await excess(t);
  return sharing(seen) ?? somethingElse(`${seen.answered} requests answered, ${seen.atList} of them to the list`);
});

probe('limits.retry-after', { burst: true }, async (t) => {
  const { headers } = await refusal(t);
  const wait = headers['retry-after'];
  if (wait === undefined) return 'none';
  return /^\d+$/.test(wait) ? 'seconds' : somethingElse('in a form of its own');
});

probe('limits.refused-requests-count', { burst: true }, async (t) => {
  await usedUp(t);
  await pass(t, 30);
  await burst(t, 'list half a minute later', [shortList], LIMIT);
  await pass(t, 31);
  const answer = await beyond(t, 'list a minute after the limit was reached');
  await freshMinute(t);
  return countedBy(answer, 'yes', 'no');
});
