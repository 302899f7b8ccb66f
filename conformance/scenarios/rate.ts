import { clauseValues } from '../../openapi/generated/clauses.ts';
import { shortList } from '../core/card-list.ts';
import { advance } from '../core/clock.ts';
import { holds, told } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';

/** Requests a minute that are answered. */
export const LIMIT = clauseValues['limits.rate-admits'];

/** Lets that much time pass at the target: by its clock where the profile says how to move it, by waiting where not. */
export async function pass(t: Trial, seconds: number): Promise<void> {
  const { clock } = t.run.profile;
  if (clock) await advance(t, clock, seconds);
  else await t.run.client.rest(seconds * 1_000);
  t.stillWanted();
}

/** Lets whatever counts requests forget those of the run. */
export const freshMinute = (t: Trial) => pass(t, 61);

/** So many at a time, so that a burst is over long before its minute. */
const AT_ONCE = 10;
/** In seconds: a burst that takes longer shows nothing of any minute. */
const LONGEST = 25;

/** Sends so many requests, one of them after the other in turn, or until `enough` of an answer; the record has one line for all, and the last exchange. */
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
    t.stillWanted();
    const now = Array.from({ length: Math.min(AT_ONCE, count - answers.length) }, (_, index) => {
      const ask = asks[(answers.length + index) % asks.length] as Ask;
      return t.sendOfMany({ ...ask, burst: true });
    });
    answers.push(...(await Promise.all(now)));
  }
  const last = answers.at(-1);
  if (last) t.exchanges.push(last.exchange);
  const statuses = [...new Set(answers.map(({ status }) => status))];
  const counts = statuses.map((each) => `${answers.filter(({ status }) => status === each).length} × ${each}`);
  t.did.push(t.run.names.mask(`${what}, ${answers.length} times → ${counts.join(', ')}`));
  if (Date.now() - started > LONGEST * 1_000)
    throw new Untested(
      'rate-limited',
      `${answers.length} requests took more than ${LONGEST} s, which is too long to show a rate`,
    );
  return answers;
}

export const isExcess = ({ status }: Answer) => status === 429;

/** One request beyond the others, whatever the run's own rate. */
export async function beyond(t: Trial, what: string, ask: Ask = shortList): Promise<Answer> {
  return t.send(what, { ...ask, burst: true });
}

/** A minute in which the account has no request left. */
export async function usedUp(t: Trial): Promise<void> {
  await freshMinute(t);
  await burst(t, 'list', [shortList], 2 * LIMIT + 1, isExcess);
  await t.control('a request too many gets 429', async () => {
    const answer = await beyond(t, 'list once more');
    holds(isExcess(answer), '429', told(answer));
  });
}
