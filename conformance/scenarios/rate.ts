import { ruleValues } from '../../openapi/generated/rules.ts';
import { advance } from '../core/clock.ts';
import type { Trial } from '../core/trial.ts';
import { endpointOf, type TargetResponse } from '../http/exchange.ts';
import { shortList } from '../safety/card-search.ts';
import type { TargetRequest } from '../safety/effects.ts';
import { Untested } from '../safety/policy.ts';
import { balanceOf, type TestCard } from './cards.ts';
import { controlHolds, orUndefined } from './controls.ts';
import { type EndpointRequest, everyEndpoint, sendRecorded } from './endpoints.ts';
import { mutableCard, plainCard } from './shared-cards.ts';

/** The number of requests that the specification allows in a minute. */
export const rateLimit = ruleValues['limits.rate-admits'];

/** Advances the target's clock. If the profile has no clock, waits. */
export async function passTime(t: Trial, seconds: number): Promise<void> {
  const { clock } = t.run.profile;
  if (clock) await advance(t, clock, seconds);
  else await t.run.client.rate.wait(seconds * 1_000, 'rest');
  t.throwIfOver();
}

/** Waits until earlier requests no longer count toward the target's rate limit. */
export const freshMinute = (t: Trial) => passTime(t, 61);

/** Number of parallel requests. With so many, a burst ends long before a minute is over. */
const parallel = 10;
/** Maximum duration of a burst, in seconds. A longer burst is too slow to reach a limit per minute. */
const longest = 25;

/** Sends `requests` in turn, `count` in total. Stops after a response for which `enough` is true. The report shows one line and the last exchange. */
export async function burst(
  t: Trial,
  what: string,
  requests: readonly TargetRequest[],
  count: number,
  enough = (_: TargetResponse) => false,
) {
  const started = Date.now();
  const responses: TargetResponse[] = [];
  while (responses.length < count && !responses.some(enough)) {
    t.throwIfOver();
    const batch = Array.from({ length: Math.min(parallel, count - responses.length) }, (_, index) => {
      const request = requests[(responses.length + index) % requests.length] as TargetRequest;
      return t.sendOfMany({ ...request, burst: true });
    });
    responses.push(...(await Promise.all(batch)));
  }
  const last = responses.at(-1);
  if (last) t.exchanges.push(last.exchange);
  const statuses = [...new Set(responses.map(({ status }) => status))];
  const counts = statuses.map((each) => `${responses.filter(({ status }) => status === each).length} × ${each}`);
  t.did.push(t.run.redactor.mask(`${what}, ${responses.length} times → ${counts.join(', ')}`));
  if (Date.now() - started > longest * 1_000)
    throw new Untested(
      'rate-limited',
      `${responses.length} requests took more than ${longest} s, so the target is too slow to show its rate limit`,
    );
  return responses;
}

export const isRateLimited = ({ status }: TargetResponse) => status === 429;

/** Sends a request at once, even if the run then exceeds its own rate (`--rate`). */
export const beyondLimit = (t: Trial, what: string, request: TargetRequest = shortList): Promise<TargetResponse> =>
  t.send(what, { ...request, burst: true });

export async function useUpMinute(t: Trial): Promise<void> {
  await freshMinute(t);
  await burst(t, 'list', [shortList], 2 * rateLimit + 1, isRateLimited);
  const response = await beyondLimit(t, 'list once more');
  controlHolds(t, 'a request beyond the limit gets 429', isRateLimited(response));
}

/** Sends more requests in a minute than the limit allows, and twenty in the next minute. `later` is the first response of the next minute that is not 200. If all responses are 200, `later` is the first. */
export function rateLimitScenario(t: Trial) {
  return t.shared('more requests than the limit', async (shared) => {
    const [on, other] = [await mutableCard(shared), await plainCard(shared)];
    const before = await balanceOf(shared, on.code);
    let minute = await limitedMinute(shared, on, other);
    // The target may count by minutes of the clock, and such a minute may have ended during the burst. A second attempt then starts in a new minute.
    if (minute.counted === undefined) minute = await limitedMinute(shared, on, other);
    await freshMinute(shared);
    const next = await burst(shared, 'list a minute later', [shortList], 20);
    const later = next.find(({ status }) => status !== 200) ?? (next[0] as TargetResponse);
    const after = isRateLimited(later) ? before : await balanceOf(shared, on.code);
    return { ...minute, later, balances: { before, after } };
  });
}

const get = (path: string): TargetRequest => ({ method: 'GET', path: `/api/${path}` });

async function limitedMinute(t: Trial, on: TestCard, other: TestCard) {
  const code = encodeURIComponent(other.code);
  const various = [
    shortList,
    get(`GiftCard/GetByCode/${code}`),
    get('Company/Profile'),
    get(`GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`),
    get('Webhook/List'),
  ];
  const requests = await everyEndpoint(t, on);
  await freshMinute(t);
  const within = await burst(t, 'send to five endpoints in turn', various, rateLimit);
  const more = within.some(isRateLimited) ? [] : await burst(t, 'list', [shortList], rateLimit + 1, isRateLimited);
  const sent = [...within, ...more];
  const refusal = sent.find(isRateLimited);
  /** The number of requests before the first 429. */
  const countBefore429 = refusal ? sent.indexOf(refusal) : sent.length;
  if (!refusal) return { within, countBefore429, endpoints: [] };
  const toList = [...within.filter((_, index) => index % various.length === 0), ...more];
  const isFullList = toList.filter(({ status }) => status === 200).length === rateLimit;
  /** Undefined if the target counts neither all requests together nor the requests to each endpoint. */
  const counted = countBefore429 <= rateLimit ? 'together' : isFullList ? 'each-endpoint' : undefined;
  const endpoints = await endpointsBeyondLimit(t, requests);
  return { within, refusal, countBefore429, counted, endpoints, still: await beyondLimit(t, 'list beyond the limit') };
}

/** Returns the responses to the requests. Omits a response if the target may have rejected its request for another reason than the rate. */
async function endpointsBeyondLimit(t: Trial, requests: readonly EndpointRequest[]): Promise<[string, TargetResponse][]> {
  // The specification does not say whether a missing record beyond the limit gets 404 or 429. One request shows this for all endpoints.
  const lookup = get(`GiftCard/GetByCode/${t.run.ledger.fresh('GCSNONE')}`);
  const unknown = await beyondLimit(t, 'look up an unknown code beyond the limit', lookup);
  const isOtherReason = (status: number, { otherwise }: EndpointRequest) =>
    status === otherwise && !(otherwise === 404 && isRateLimited(unknown));
  const responses: [string, TargetResponse][] = [];
  for (const request of requests) {
    const name = endpointOf(request);
    const response = await orUndefined(sendRecorded(t, `${name} beyond the limit`, { ...request, burst: true }));
    if (response && !isOtherReason(response.status, request)) responses.push([name, response]);
  }
  return responses;
}
