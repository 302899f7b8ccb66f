import { expectStatus } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { unknownIdLike } from '../http/json-search.ts';
import type { Card } from './cards.ts';
import { mutableCard } from './shared-cards.ts';

/** A request that the target must accept before its rejection of a similar one counts. */
export const controlAccepts = (t: Trial, what: string, answer: Answer | Promise<Answer>): Promise<void> =>
  t.control(what, async () => expectStatus(await answer, 200, 'it'));

/** A request that the target must reject before its acceptance of a similar one counts. */
export const controlRejects = (t: Trial, what: string, answer: Answer | Promise<Answer>, status = 400): Promise<void> =>
  t.control(what, async () => expectStatus(await answer, status, 'it'));

/** The target finds a card by the request, and no card that does not exist. */
export async function unknownIs404(t: Trial, request: (on: Pick<Card, 'code' | 'id'>) => Promise<Answer>): Promise<void> {
  const on = await mutableCard(t);
  await controlAccepts(t, 'the same request for a card', request(on));
  const unknown = { code: t.run.ledger.fresh('GCSNONE'), id: unknownIdLike(on.id) };
  expectStatus(await request(unknown), 404, 'a request for an unknown card');
}

/** The result, or undefined if it is Untested or Blocked. */
export async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Untested || error instanceof Blocked) return undefined;
    throw error;
  }
}
