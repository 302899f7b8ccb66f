import { clauseValues } from '../../openapi/generated/clauses.ts';
import { shortList } from '../core/card-list.ts';
import { advance } from '../core/clock.ts';
import { describeAnswer, expectThat } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';

/** Requests per minute that the target answers. */
export const rateLimit = clauseValues['limits.rate-admits'];

/** Lets time pass: advances the target's clock if the profile has one, and waits otherwise. */
export async function passTime(t: Trial, seconds: number): Promise<void> {
  const { clock } = t.run.profile;
  if (clock) await advance(t, clock, seconds);
  else await t.run.client.rest(seconds * 1_000);
  t.throwIfOver();
}

/** After this, the target counts no earlier request. */
export const freshMinute = (t: Trial) => passTime(t, 61);

/** Parallel requests, so that a burst ends long before its minute. */
const parallel = 10;
/** Seconds after which a burst shows nothing about a rate. */
const longest = 25;

/** Sends `count` requests, the asks in turn, or until a response is `enough`. The report has one line for all of them, and the last exchange. */
export async function burst(
  t: Trial,
  what: string,
  asks: readonly Ask[],
  count: number,
  enough: (answer: Answer) => boolean = () => false,
): Promise<Answer[]> {
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
    throw new Untested('rate-limited', `${answers.length} requests took more than ${longest} s, too long to show a rate`);
  return answers;
}

export const isRateLimited = ({ status }: Answer) => status === 429;

/** One more request, without regard to the run's own rate. */
export async function beyondLimit(t: Trial, what: string, ask: Ask = shortList): Promise<Answer> {
  return t.send(what, { ...ask, burst: true });
}

/** Starts a new minute and uses up its requests. */
export async function useUpMinute(t: Trial): Promise<void> {
  await freshMinute(t);
  await burst(t, 'list', [shortList], 2 * rateLimit + 1, isRateLimited);
  await t.control('a request beyond the limit gets 429', async () => {
    const answer = await beyondLimit(t, 'list once more');
    expectThat(isRateLimited(answer), '429', describeAnswer(answer));
  });
}
