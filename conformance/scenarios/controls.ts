import { expectSame, expectSuccess, objectIn } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { type Card, getByCode } from './cards.ts';

/** Controls that many clauses use: a request that the target must accept before its rejection of a similar one counts. */

export const controlAccepts = (t: Trial, what: string, answer: Answer | Promise<Answer>): Promise<void> =>
  t.control(what, async () => expectSuccess(await answer, 'it'));

/** The account of the key has the card. */
export const controlFinds = (t: Trial, { code, id }: Pick<Card, 'code' | 'id'>, key?: string): Promise<void> =>
  t.control('the card is found by its code', async () => expectSame(objectIn(await getByCode(t, code, key)).id, id, 'ID'));
