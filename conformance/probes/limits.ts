import { shortList } from '../core/card-list.ts';
import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { accepted } from '../core/expect.ts';
import { formOf } from '../core/form.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { profile } from '../scenarios/company.ts';
import { list } from '../scenarios/lists.ts';
import { beyond, burst, freshMinute, isExcess, LIMIT, pass, usedUp } from '../scenarios/rate.ts';
import { excess, sharing } from '../scenarios/rate-limit-scenario.ts';
import { plainCard } from '../scenarios/shared-cards.ts';

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

probe('limits.rate-headers', {}, async (t) => {
  await profile(t);
  const { headers } = arranged(await list(t, { pageSize: 1 }), 'listing cards');
  const named = Object.keys(headers).filter((name) => /rate-?limit/i.test(name));
  if (named.length === 0) return 'none';
  const usual = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
  return usual.every((name) => named.includes(name)) ? 'x-rate-limit' : somethingElse(`in ${named.join(', ')}`);
});

probe('http.order.limit-or-request', { burst: true }, async (t) => {
  await refusal(t);
  const seen = await excess(t);
  if (sharing(seen) === 'each-endpoint') throw new Untested('fact-missing', 'each endpoint has a minute of its own');
  const { malformed, still } = seen;
  if (!malformed || !still || !isExcess(still)) throw new Untested('fact-missing', 'the minute ended too soon');
  if (isExcess(malformed)) return 'limit';
  return malformed.status === 400 ? 'request' : somethingElse(`answers ${malformed.status}`);
});

probe('http.order.key-or-limit', { needs: ['deletedKey'], burst: true }, async (t) => {
  await refusal(t);
  const { withDeletedKey, still } = await excess(t);
  if (!withDeletedKey || !still || !isExcess(still)) throw new Untested('fact-missing', 'the minute ended too soon');
  if (isExcess(withDeletedKey)) return 'limit';
  return withDeletedKey.status === 401 ? 'key' : somethingElse(`answers ${withDeletedKey.status}`);
});

/** Whether the account has a request left after a whole minute's worth of others to the same endpoint that are no good. */
async function after(t: Trial, what: string, ask: Ask, status: number, good: Ask): Promise<Answer> {
  await freshMinute(t);
  const others = await burst(t, what, [ask], LIMIT);
  if (!others.some((answer) => answer.status === status))
    throw new Untested('fact-missing', `${what} answered ${others[0]?.status}`);
  const answer = await beyond(t, 'a good one after them', good);
  await freshMinute(t);
  await t.control('a request in a fresh minute', async () => accepted(await beyond(t, 'list'), 'it'));
  return answer;
}

probe('limits.rejected-requests-count', { burst: true }, async (t) => {
  const lookUp = (code: string): Ask => ({ method: 'GET', path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}` });
  const good = lookUp((await plainCard(t)).code);
  const none = lookUp(t.run.ledger.fresh('GCSNONE'));
  return countedBy(await after(t, 'look up a code of no card', none, 404, good), 'yes', 'no');
});

probe('limits.keyless-requests-count', { needs: ['deletedKey'], burst: true }, async (t, { deletedKey }) =>
  countedBy(await after(t, 'list with a deleted key', { ...shortList, key: deletedKey }, 401, shortList), 'yes', 'no'),
);

probe('limits.refused-requests-count', { burst: true }, async (t) => {
  await usedUp(t);
  await pass(t, 30);
  await burst(t, 'list half a minute later', [shortList], LIMIT);
  await pass(t, 31);
  const answer = await beyond(t, 'list a minute after the limit was reached');
  await freshMinute(t);
  return countedBy(answer, 'yes', 'no');
});

probe('limits.rate-window', { needs: ['clock'], burst: true }, async (t) => {
  // Where the first try begins as a minute of the clock does, the second does not.
  for (const between of [90, 61]) {
    const started = Date.now();
    await usedUp(t);
    await pass(t, 58 - Math.ceil((Date.now() - started) / 1_000));
    const answer = await beyond(t, 'list just before a minute has passed');
    await pass(t, between);
    if (!isExcess(answer)) return answer.status === 200 ? 'fixed' : somethingElse(`answers ${answer.status}`);
  }
  return 'sliding';
});
