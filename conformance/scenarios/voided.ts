import { arranged, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { byCode, history } from './adjustments.ts';
import { balanceOf, voidByCode, voidById } from './card-requests.ts';
import { type Look, looksAt } from './card-views.ts';
import { type Card, card } from './cards.ts';
import { voidings } from './shared-cards.ts';

/** A card that was voided and then tried in every way, with what each try answered. */
interface Voided {
  on: Card;
  voidedByCode: Answer;
  historyBefore: Answer;
  historyAfter: Answer;
  againByCode: Answer;
  againById: Answer;
  /** Topping it up by 0.25, and what it holds then. */
  adjusted: Answer;
  balanceAfter: number;
}

/** One card that several questions ask about, since what is tried on it leaves it voided. */
export function voidedThenTried(t: Trial): Promise<Voided> {
  return t.shared('voided card that is tried again', async (shared) => {
    const on = await card(shared);
    const historyBefore = arranged(await history(shared, on.code), 'the history');
    const voidedByCode = arranged(await voidByCode(shared, on.code), 'voiding it');
    const historyAfter = arranged(await history(shared, on.code), 'the history of the voided card');
    const againByCode = await voidByCode(shared, on.code);
    const againById = await voidById(shared, on.id);
    const adjusted = await byCode(shared, on, 0.25);
    const balanceAfter = await balanceOf(shared, on.code);
    return { on, voidedByCode, historyBefore, historyAfter, againByCode, againById, adjusted, balanceAfter };
  });
}

/** What the cards show that could be voided, in whichever way. Blocked where none could be. */
export async function allVoidedLooks(t: Trial): Promise<Look[]> {
  const tried = await voidings(t);
  const able = (['byCode', 'byId'] as const).filter((way) => tried[way].answer.status === 200);
  const looks: Look[] = [];
  for (const way of able.length > 0 ? able : (['byCode'] as const)) looks.push(...(await voidedLooks(t, way)));
  return looks;
}

/** What the card shows that was voided in that way, looked at once for several clauses. */
export function voidedLooks(t: Trial, way: 'byCode' | 'byId'): Promise<Look[]> {
  return t.shared(`looks at the card voided ${way}`, async (shared) => {
    const { on, answer } = (await voidings(shared))[way];
    arranged(answer, `voiding ${on.name}`);
    return looksAt(shared, on);
  });
}
