import { clauseValues } from '../../openapi/generated/clauses.ts';
import { shortList } from '../core/card-list.ts';
import { advance } from '../core/clock.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { type Answer, type Ask, endpointOf } from '../http/exchange.ts';
import { balanceOf, type Card } from './cards.ts';
import { controlHolds, orUndefined } from './controls.ts';
import { type EndpointRequest, everyEndpoint, sendRecorded } from './endpoints.ts';
import { mutableCard, plainCard } from './shared-cards.ts';

/** The number of requests that the specification allows in a minute. */
export const rateLimit = clauseValues['limits.rate-admits'];

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

/** Sends the requests `asks` in turn, `count` in total. Stops after a response for which `enough` is true. The report shows one line and the last exchange. */
export async function burst(t: Trial, what: string, asks: readonly Ask[], count: number, enough = (_: Answer) => false) {
  const started = Date.now();
  const answers: Answer[] = [];
  while (answers.length < count && !answers.some(enough)) {
    t.throwIfOver();
    const batch = Array.from({ length: Math.min(parallel, count - answers.length) }, (_, index) => {
      const ask = asks[(answers.length + index) % asks.length] as Ask;
      return t.sendOfMany({ ...ask, burst: true });
    });
    answers.push(...(await Promise.all(batch)));
  }
  const last = answers.at(-1);
  if (last) t.exchanges.push(last.exchange);
  const statuses = [...new Set(answers.map(({ status }) => status))];
  const counts = statuses.map((each) => `${answers.filter(({ status }) => status === each).length} × ${each}`);
  t.did.push(t.run.redactor.mask(`${what}, ${answers.length} times → ${counts.join(', ')}`));
  if (Date.now() - started > longest * 1_000)
    throw new Untested(
      'rate-limited',
      `${answers.length} requests took more than ${longest} s, so the target is too slow to show its rate limit`,
    );
  return answers;
}

export const isRateLimited = ({ status }: Answer) => status === 429;

/** Sends a request at once, even if the run then exceeds its own rate (`--rate`). */
export const beyondLimit = (t: Trial, what: string, ask: Ask = shortList): Promise<Answer> =>
  t.send(what, { ...ask, burst: true });

export async function useUpMinute(t: Trial): Promise<void> {
  await freshMinute(t);
  await burst(t, 'list', [shortList], 2 * rateLimit + 1, isRateLimited);
  const answer = await beyondLimit(t, 'list once more');
  controlHolds(t, 'a request beyond the limit gets 429', isRateLimited(answer));
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
    const later = next.find(({ status }) => status !== 200) ?? (next[0] as Answer);
    const after = isRateLimited(later) ? before : await balanceOf(shared, on.code);
    return { ...minute, later, balances: { before, after } };
  });
}

const get = (path: string): Ask => ({ method: 'GET', path: `/api/${path}` });

async function limitedMinute(t: Trial, on: Card, other: Card) {
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
  const answered = refusal ? sent.indexOf(refusal) : sent.length;
  if (!refusal) return { within, answered, endpoints: [] };
  const toList = [...within.filter((_, index) => index % various.length === 0), ...more];
  const isFullList = toList.filter(({ status }) => status === 200).length === rateLimit;
  /** Undefined if the target counts neither all requests together nor the requests to each endpoint. */
  const counted = answered <= rateLimit ? 'together' : isFullList ? 'each-endpoint' : undefined;
  const endpoints = await endpointsBeyondLimit(t, requests);
  return { within, refusal, answered, counted, endpoints, still: await beyondLimit(t, 'list beyond the limit') };
}

/** Returns the responses to the requests. Omits a response if the target may have rejected its request for another reason than the rate. */
async function endpointsBeyondLimit(t: Trial, requests: readonly EndpointRequest[]): Promise<[string, Answer][]> {
  // The specification does not say whether a missing record beyond the limit gets 404 or 429. One request shows this for all endpoints.
  const lookup = get(`GiftCard/GetByCode/${t.run.ledger.fresh('GCSNONE')}`);
  const unknown = await beyondLimit(t, 'look up an unknown code beyond the limit', lookup);
  const isOtherReason = (status: number, { otherwise }: EndpointRequest) =>
    status === otherwise && !(otherwise === 404 && isRateLimited(unknown));
  const answers: [string, Answer][] = [];
  for (const request of requests) {
    const name = endpointOf(request);
    const answer = await orUndefined(sendRecorded(t, `${name} beyond the limit`, { ...request, burst: true }));
    if (answer && !isOtherReason(answer.status, request)) answers.push([name, answer]);
  }
  return answers;
}
