import { didYouMean } from '../../openapi/input/closest.ts';
import { booksOf } from './books.ts';
import { datesThatContradict } from './check-dates.ts';
import type { Card } from './description.ts';
import type * as filled from './generated/filled.ts';
import { amountProblem, currencies } from './money-as-described.ts';
import type { Problem } from './places.ts';

export function complaintsAboutCard(card: Card, account: filled.Account): Problem[] {
  const problem = (sentence: string): Problem => ({ path: [], sentence });
  const amounts = amountProblems(card, account.currency);
  const problems = [...datesThatContradict(card), ...amounts];
  if (card.sendAsGift && !(card.recipientName?.trim() && card.buyerName?.trim()))
    problems.push(problem('sendAsGift is true, which needs recipientName and buyerName.'));

  if (card.code !== undefined && UNSEEN.test(card.code))
    problems.push(problem(`code ${JSON.stringify(card.code)} has signs that nobody can see, which no code has; leave them out.`));

  const channels = account.channels.map(({ id }) => id);
  for (const id of Object.keys(card.inChannels).filter((id) => !channels.includes(id)))
    problems.push(problem(`inChannels names "${id}", which is no channel of the account. ${known(id, channels)}`));
  const automations = account.automations.map(({ name }) => name);
  if (card.automation !== null && !automations.includes(card.automation))
    problems.push(
      problem(`automation "${card.automation}" is no automation of the account. ${known(card.automation, automations)}`),
    );

  const books = amounts.length === 0 && currencies().has(account.currency) ? booksOf(card, account.currency) : undefined;
  if (typeof books === 'string') problems.push(problem(books));
  return problems;
}

/** gift-card.create.code-characters */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function known(name: string, names: readonly string[]): string {
  return names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.${didYouMean(name, names)}`;
}

function amountProblems({ initialValue, balance, adjustments, inChannels }: Card, currency: string): Problem[] {
  return [
    ...amountProblem(initialValue, currency, ['initialValue']),
    ...amountProblem(balance, currency, ['balance']),
    ...adjustments.flatMap(({ amount }, index) => amountProblem(amount, currency, ['adjustments', index, 'amount'])),
    ...Object.entries(inChannels).flatMap(([id, each]) => amountProblem(each.balance, currency, ['inChannels', id, 'balance'])),
  ];
}
