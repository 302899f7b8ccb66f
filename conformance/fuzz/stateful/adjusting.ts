import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import { accepted, hasStatus, refused, same } from '../../core/expect.ts';
import type { Answer } from '../../http/exchange.ts';
import { byCode, byId } from '../../scenarios/adjustments.ts';
import { look } from './look.ts';
import type { ModelAdjustment, ModelCard } from './model.ts';
import type { By } from './steps.ts';
import { states, type Walker } from './walker.ts';

type Asked = ModelAdjustment & { readonly actionedAtUtc: string };

/** Books an amount, positive or negative, and holds the card against it. */
export async function adjust(walker: Walker, card: ModelCard, by: By, amount: number): Promise<void> {
  const asked = walker.adjustment(amount);
  const words = amount > 0 ? `top ${card.name} up by ${walker.money(amount)}` : `redeem ${walker.money(-amount)} of ${card.name}`;
  const before = card.balance;
  const answer = await send(walker, card, by, asked);
  walker.tell(`${words} by ${by} → ${answer.status}`);
  if (by === 'ID' && amount < 0 && -amount > before) {
    const clause = before < 0 ? 'adjustment.by-id.refuses-redemption-below-zero' : 'adjustment.by-id.refuses-overdraw';
    states(clause, () => refused(answer, `${words} by ID, which holds ${walker.money(before)},`));
    walker.model.refusedNotes.push(asked.notes);
    return look(walker, card, 'code', clause);
  }
  states(takenBy(by, amount, before), () => accepted(answer, `${words} by ${by}`));
  states('adjustment.answers-true', () => same(answer.json, true, `the answer to ${words} by ${by}`));
  walker.model.adjust(card, asked);
  await look(walker, card, 'code', amount > 0 ? 'adjustment.positive-tops-up' : 'adjustment.negative-redeems');
}

function takenBy(by: By, amount: number, before: number): ClauseName {
  if (by === 'code') return amount + before < 0 ? 'adjustment.by-code.may-go-negative' : 'adjustment.answers-200';
  if (amount > 0 && before < 0) return 'adjustment.by-id.tops-up-below-zero';
  return amount + before === 0 ? 'adjustment.by-id.takes-whole-balance' : 'adjustment.answers-200';
}

/** An adjustment with the unique value of an earlier one, on the same card or on another; always a top-up, which no balance refuses. */
export async function adjustAgain(
  walker: Walker,
  card: ModelCard,
  by: By,
  earlier: { readonly on: ModelCard; readonly adjustment: ModelAdjustment },
  amount: number,
): Promise<void> {
  const asked = { ...walker.adjustment(amount), uniqueAdjustmentId: earlier.adjustment.uniqueAdjustmentId };
  const answer = await send(walker, card, by, asked);
  const words = `top ${card.name} up by ${walker.money(amount)} by ${by} with a unique value that was used on ${earlier.on.name}`;
  walker.tell(`${words} → ${answer.status}`);
  const clause =
    card === earlier.on ? 'idempotency.adjustment.refuses-repeat' : 'idempotency.adjustment.repeat-on-other-card-refused';
  states(clause, () => hasStatus(answer, 400, words));
  walker.model.refusedNotes.push(asked.notes);
  await look(walker, card, 'code', clause);
}

export function send(walker: Walker, card: ModelCard, by: By, asked: Asked, key?: string): Promise<Answer> {
  const { uniqueAdjustmentId, notes, actionedAtUtc } = asked;
  const way = by === 'ID' ? byId : byCode;
  return way(walker.t, card, walker.amount(asked.amount), { uniqueAdjustmentId, notes, actionedAtUtc }, key);
}
