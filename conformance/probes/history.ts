import { probe, somethingElse } from '../core/clause.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested, Violation } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arraysIn, at, entriesWith, isAmount, leaves } from '../http/structure.ts';
import { byCode, history } from '../scenarios/adjustments.ts';
import { card } from '../scenarios/cards.ts';
import { amounts, entriesOf, issued, storied, typeAt } from '../scenarios/histories.ts';

const told = async (t: Trial): Promise<Answer> => history(t, (await storied(t)).code);

/** Where the history holds its entries, and how many. */
function entriesIn(answer: Answer): { path: string; items: unknown[] } {
  entriesOf(answer);
  const found = arraysIn(answer.json).find(({ items }) => entriesWith(items, amounts));
  if (!found) throw new Untested('fact-missing', 'no array of the history holds the adjustments');
  return found;
}

probe('adjustment.history.type-values', {}, async (t) => {
  const answer = await told(t);
  const path = typeAt(answer, await storied(t));
  if (path === undefined) throw new Untested('fact-missing', 'no property of an entry tells its type');
  const types = entriesOf(answer).map(({ amount, entry }) => ({ topUp: amount > 0, type: String(at(entry, path)) }));
  if (types.every(({ topUp, type }) => type === (topUp ? 'TopUp' : 'Redemption'))) return 'TopUp-and-Redemption';
  return types.every(({ type }) => type === 'Api')
    ? 'by-source'
    : somethingElse(types.map(({ topUp, type }) => `${type} for a ${topUp ? 'top-up' : 'redemption'}`).join(', '));
});

probe('adjustment.history.order', {}, async (t) => {
  const on = await card(t);
  const days = [20, 18, 19];
  for (const [index, amount] of amounts.entries()) {
    const answer = await byCode(t, on, amount, { actionedAtUtc: new Date(Date.UTC(2024, 0, days[index])).toISOString() });
    if (index === 0 && [400, 409, 422].includes(answer.status))
      throw new Untested('needs-control', 'the target takes no adjustment that happened years ago');
    arranged(answer, `adjusting ${on.name}`);
  }
  const order = entriesOf(await history(t, on.code)).map(({ amount }) => amounts.indexOf(amount));
  if (order.join() === '2,1,0') return 'recorded';
  if (order.join() === '0,2,1') return 'actioned';
  throw new Violation(
    'the newest adjustment first, by recording (3, 2, 1) or by its own time (1, 3, 2)',
    order.map((index) => index + 1).join(', '),
  );
});

probe('adjustment.history.issue-entry', {}, async (t) => {
  const { items } = entriesIn(await told(t));
  const others = items.filter((entry) => !amounts.some((amount) => holdsAmount(entry, amount)));
  if (others.length === 0) return 'no';
  return others.length === 1 && holdsAmount(others[0], issued)
    ? 'yes'
    : somethingElse(`${others.length} entries beside the adjustments`);
});

const holdsAmount = (entry: unknown, amount: number) => leaves(entry).some(({ value }) => isAmount(value, amount));
