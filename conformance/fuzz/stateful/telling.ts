import { setTimeout as pause } from 'node:timers/promises';
import { accepted, holds } from '../../core/expect.ts';
import type { Answer } from '../../http/exchange.ts';
import { arrays, isAmount, leaves, mentions } from '../../http/structure.ts';
import { history as historyByCode, historyById } from '../../scenarios/adjustments.ts';
import { adjust } from './adjusting.ts';
import type { ModelCard } from './model.ts';
import type { By } from './steps.ts';
import { Contradiction, states, type Walker } from './walker.ts';

/** Every adjustment that was taken stands once in the card's history, none that was refused, and the newest first. */
export async function history(walker: Walker, card: ModelCard, by: By): Promise<void> {
  const answer = await asked(walker, card, by);
  const found = entries(walker, answer, card, by);
  const order = found.map(({ index }) => index);
  const isNewestFirst = order.every((index, at) => at === 0 || index < (order[at - 1] ?? 0));
  if (!isNewestFirst && !card.voided) await confirm(walker, card, by);
}

async function asked(walker: Walker, card: ModelCard, by: By): Promise<Answer> {
  const { t } = walker;
  const answer = by === 'ID' ? await historyById(t, card.id) : await historyByCode(t, card.code);
  walker.tell(`look at the history of ${card.name} by ${by} → ${answer.status}`);
  return answer;
}

/** The places of the adjustments' entries, oldest adjustment first, each known by its notes. */
function entries(walker: Walker, answer: Answer, card: ModelCard, by: By): { index: number }[] {
  const what = `the history of ${card.name} by ${by}`;
  const clause =
    by === 'ID' ? 'adjustment.history.by-id-shows-card-and-entries' : 'adjustment.history.by-code-shows-card-and-entries';
  states(clause, () => {
    accepted(answer, what);
    const isThere = mentions(answer.json, card.code) || mentions(answer.json, card.id);
    holds(isThere, `${card.name} itself in ${what}`, 'nothing of it');
  });
  const rows = arrays(answer.json).flat();
  for (const notes of walker.model.refusedNotes)
    states('errors.refusal-changes-nothing', () =>
      holds(!rows.some((row) => mentions(row, notes)), `no entry of a refused adjustment in ${what}`, 'one'),
    );
  return card.adjustments.map(({ amount, notes }) => {
    const told = `${amount > 0 ? '+' : ''}${walker.money(amount)}`;
    const those = rows.flatMap((row, index) => (mentions(row, notes) ? [{ row, index }] : []));
    const [only] = those;
    states('adjustment.recorded-in-history', () =>
      holds(those.length === 1, `one entry of the adjustment of ${told} in ${what}`, String(those.length)),
    );
    const isThere = leaves(only?.row).some(({ value }) => isAmount(value, walker.amount(amount)));
    states('adjustment.history.entry-tells-amount-type-notes-time', () =>
      holds(isThere, `the amount ${told} in its entry in ${what}`, JSON.stringify(only?.row)),
    );
    return { index: only?.index ?? 0 };
  });
}

/** Two adjustments within one tick may stand in any order: with time between, there is no doubt. */
async function confirm(walker: Walker, card: ModelCard, by: By): Promise<void> {
  await pause(1_100);
  walker.tell('wait 1.1 s');
  await adjust(walker, card, 'code', 1);
  const found = entries(walker, await asked(walker, card, by), card, by);
  const newest = found.at(-1)?.index ?? 0;
  if (found.slice(0, -1).every(({ index }) => index > newest)) return;
  throw new Contradiction(
    'adjustment.history.newest-first',
    `the newest adjustment of ${card.name} first in its history`,
    'another before it',
  );
}
