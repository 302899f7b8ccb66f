import { expectSame, objectIn } from '../core/expect.ts';
import { probe, unlisted } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { shortList } from '../safety/card-search.ts';
import { Untested } from '../safety/policy.ts';
import { getByCode } from '../scenarios/cards.ts';
import { controlAccepts } from '../scenarios/controls.ts';
import { sendList } from '../scenarios/lists.ts';
import { beyondLimit, burst, freshMinute, passTime, rateLimit, rateLimitScenario, useUpMinute } from '../scenarios/rate.ts';
import { plainCard } from '../scenarios/shared-cards.ts';
import { messageForm, optionFor, statusOption } from './responses.ts';

probe('authentication.key-of-other-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const { code, id } = await plainCard(t);
  await t.control('the run finds its card', async () => expectSame(objectIn(await getByCode(t, code)).id, id, 'id'));
  if ((await sendList(t, { pageSize: 1 }, secondKey)).status === 401)
    throw new Untested('no-second-key', "the target rejects the profile's secondKey even for the list of its own account");
  const { status } = await getByCode(t, code, secondKey);
  return optionFor(status, { 404: 'acts-on-its-own-account' }, `returns ${status}`);
});

probe('authentication.plan-status', { needs: ['basicKey'] }, async (t, { basicKey }) => {
  await controlAccepts(t, "the target accepts the run's key", sendList(t, { pageSize: 1 }));
  return statusOption(await sendList(t, { pageSize: 1 }, basicKey), '401', '402', '403');
});

async function refusal(t: Trial): Promise<TargetResponse> {
  const seen = (await rateLimitScenario(t)).refusal;
  if (!seen) throw new Untested('fact-missing', 'no request was rejected because of the rate');
  return seen;
}

probe('errors.body-of-429', { burst: true }, async (t) => messageForm(await refusal(t)));

probe('limits.rate-shared', { burst: true }, async (t) => {
  const { countBefore429, counted } = await rateLimitScenario(t);
  return counted === 'together' ? counted : unlisted(counted ?? `${countBefore429} requests without a 429`);
});

probe('limits.retry-after', { burst: true }, async (t) => {
  const wait = (await refusal(t)).headers['retry-after'];
  if (wait === undefined) return 'none';
  return /^\d+$/.test(wait) ? 'seconds' : unlisted('not a number of seconds');
});

probe('limits.refused-requests-count', { burst: true }, async (t) => {
  await useUpMinute(t);
  await passTime(t, 30);
  await burst(t, 'list half a minute later', [shortList], rateLimit);
  await passTime(t, 31);
  const response = await beyondLimit(t, 'list a minute after the limit was reached');
  await freshMinute(t);
  return optionFor(response.status, { 429: 'yes', 200: 'no' });
});
