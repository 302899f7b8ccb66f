import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import { giftCard, hasStatus, holds, same, sameAmount } from '../../core/expect.ts';
import { cardStatuses } from '../../core/spec-constants.ts';
import type { Answer } from '../../http/exchange.ts';
import { getByCode, getById } from '../../scenarios/card-requests.ts';
import type { ModelCard } from './model.ts';
import type { By } from './steps.ts';
import { states, type Walker } from './walker.ts';

/** What a card is held against: the clause that says what its balance is, where a step has just been taken. */
export async function look(walker: Walker, card: ModelCard, by: By = 'code', balance?: ClauseName): Promise<void> {
  const { t } = walker;
  const answer = by === 'code' ? await getByCode(t, card.code) : await getById(t, card.id);
  shows(walker, answer, card, by, balance);
}

function shows(walker: Walker, answer: Answer, card: ModelCard, by: By, balance: ClauseName | undefined): void {
  const found: ClauseName = card.voided
    ? 'gift-card.void.still-found'
    : by === 'code'
      ? 'gift-card.get-by-code.returns-the-card'
      : 'gift-card.get-by-id.returns-the-card';
  const what = `${card.name}, looked up by ${by},`;
  const shown = states(found, () => {
    const object = giftCard(answer, what);
    holds(object.code === card.code, `${what} with its own code`, 'another code');
    holds(object.id === card.id, `${what} with the id that its create answered`, 'another id');
    return object;
  });
  if (card.voided) {
    states('gift-card.void.zeroes-balance', () => sameAmount(shown.balance, 0, `the balance of ${card.name}, which is voided,`));
    states('gift-card.void.is-final', () => same(shown.status, 'Voided', `the status of ${card.name}`));
    return;
  }
  states(balance, () => holdsBalance(walker, shown.balance, card));
  states('gift-card.response.status-is-one-of-five', () =>
    holds(
      cardStatuses.includes(shown.status as string),
      `${card.name} with one of the five statuses`,
      JSON.stringify(shown.status),
    ),
  );
}

/** Equal to well below the smallest unit. */
export function holdsBalance(walker: Walker, got: unknown, { name, balance }: Pick<ModelCard, 'name' | 'balance'>): void {
  const wanted = walker.amount(balance);
  const is = typeof got === 'number' && Math.abs(got - wanted) < 1e-6;
  holds(is, `the balance of ${name} = ${walker.money(balance)}`, JSON.stringify(got));
}

/** All cards of the story, which nothing but its own steps has touched. */
export async function lookAtAll(walker: Walker): Promise<void> {
  for (const card of walker.model.cards) await look(walker, card, 'code');
}

/** Refused with that status, and the card as it was. */
export async function refusedWith(
  walker: Walker,
  answer: Answer,
  status: number,
  what: string,
  clause: ClauseName,
  on: ModelCard,
) {
  states(clause, () => hasStatus(answer, status, what));
  await look(walker, on, 'code', 'errors.refusal-changes-nothing');
}
