import type { Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { byCode } from './adjustments.ts';
import { create } from './cards.ts';
import { purse, repeatedCard } from './shared-cards.ts';

/** Requests that are to be refused with 400, each sent once for all checks that look at what is said then. */

export const takenCode = (t: Trial): Promise<Answer> =>
  t.shared('create with a code that is taken', async (shared) => {
    const { code } = await repeatedCard(shared);
    return (await create(shared, { balance: 0.5, code })).answer;
  });

export const withoutMoment = (t: Trial): Promise<Answer> =>
  t.shared('adjustment without its time', async (shared) =>
    byCode(shared, await purse(shared), 0.25, { actionedAtUtc: undefined }),
  );
