import { didYouMean } from '../../openapi/input/closest.ts';
import type { Path } from '../../openapi/input/text.ts';
import { decimalsOf, toMinor } from '../domain/money.ts';
import { amountsOf } from './card-history.ts';
import type { Card } from './description.ts';
import type * as filled from './generated/filled.ts';
import type { Problem } from './problem.ts';

/** gift-card.create.code-characters */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export function cardProblems(card: Card, account: filled.Account): Problem[] {
  const amounts = amountProblems(card, account.currency);
  const sentences = contradictions(card);
  if (card.sendAsGift && !(card.recipientName?.trim() && card.buyerName?.trim()))
    sentences.push('sendAsGift true needs recipientName and buyerName.');
  if (card.code !== undefined && INVISIBLE.test(card.code))
    sentences.push(`code must have visible characters only, got ${JSON.stringify(card.code)}.`);
  const channels = account.channels.map(({ id }) => id);
  for (const id of Object.keys(card.inChannels).filter((id) => !channels.includes(id)))
    sentences.push(`inChannels names "${id}", but ${notAmong(id, 'channels', channels)}`);
  const automations = account.automations.map(({ name }) => name);
  if (card.automation !== null && !automations.includes(card.automation))
    sentences.push(`automation is "${card.automation}", but ${notAmong(card.automation, 'automations', automations)}`);
  const problem = amounts.length === 0 && currencies().has(account.currency) ? amountsOf(card, account.currency) : undefined;
  if (typeof problem === 'string') sentences.push(problem);
  return [...dateProblems(card), ...amounts, ...sentences.map((sentence) => ({ path: [], sentence }))];
}

function notAmong(name: string, kind: string, names: readonly string[]): string {
  if (names.length === 0) return `the account has no ${kind}.`;
  return `the account's ${kind} are ${names.join(', ')}.${didYouMean(name, names)}`;
}

function amountProblems({ initialValue, balance, adjustments, inChannels }: Card, currency: string): Problem[] {
  return [
    ...amountProblem(initialValue, currency, ['initialValue']),
    ...amountProblem(balance, currency, ['balance']),
    ...adjustments.flatMap(({ amount }, index) => amountProblem(amount, currency, ['adjustments', index, 'amount'])),
    ...Object.entries(inChannels).flatMap(([id, each]) => amountProblem(each.balance, currency, ['inChannels', id, 'balance'])),
  ];
}

/** A problem if the amount cannot be represented in the currency; none if the currency itself is unknown. */
export function amountProblem(amount: number | undefined, currency: string, path: Path): Problem[] {
  if (amount === undefined || !currencies().has(currency) || toMinor(amount, currency) !== undefined) return [];
  const sentence = `${path.at(-1)} must have at most ${decimalsOf(currency)} decimals in ${currency} and be small enough to be exact, got ${amount}.`;
  return [{ path, sentence }];
}

let known: ReadonlySet<string> | undefined;

/** The currencies of the runtime's Intl data. */
export function currencies(): ReadonlySet<string> {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known;
}

function dateProblems(card: Card): Problem[] {
  return [
    ...bothGiven(card, 'expiresAtUtc', 'expiresInDays'),
    ...bothGiven(card, 'giftScheduledForUtc', 'giftScheduledInDays'),
    ...bothGiven(card, 'createdAtUtc', 'createdDaysAgo'),
    ...bothGiven(card, 'updatedAtUtc', 'updatedDaysAgo'),
    ...card.adjustments.flatMap((adjustment, index) =>
      bothGiven(adjustment, 'actionedAtUtc', 'actionedDaysAgo').map((each) => ({ ...each, path: ['adjustments', index] })),
    ),
  ];
}

/** A date is either absolute or in days. */
export function bothGiven(record: object, absolute: string, relative: string): Problem[] {
  const given = record as Readonly<Record<string, unknown>>;
  if (given[absolute] === undefined || given[relative] === undefined) return [];
  return [{ path: [], sentence: `${absolute} and ${relative} exclude each other; leave one out.` }];
}

/**
 * Dates that contradict each other or the status, whenever the mock starts. A date that has passed at the start is not a contradiction: its
 * consequence has happened.
 */
function contradictions(card: Card): string[] {
  const { status, expiresInDays, giftScheduledInDays, createdDaysAgo, updatedDaysAgo } = card;
  const sentences: string[] = [];
  if (status === 'Expired' && (card.expiresAtUtc === null || (expiresInDays ?? -1) > 0))
    sentences.push('status Expired contradicts an expiry in the future or none; leave one of the two out.');
  if (status !== undefined && status !== 'Expired' && status !== 'Voided' && (expiresInDays ?? 1) <= 0)
    sentences.push(`status ${status} contradicts expiresInDays ${expiresInDays}; leave status out, or let it expire later.`);
  if (status === 'Scheduled' && (card.giftScheduledForUtc === null || (giftScheduledInDays ?? 1) <= 0))
    sentences.push('status Scheduled needs giftScheduledInDays above 0; leave it out for 7.');
  if (createdDaysAgo !== undefined && updatedDaysAgo !== undefined && updatedDaysAgo > createdDaysAgo)
    sentences.push(`updatedDaysAgo must be at most createdDaysAgo (${createdDaysAgo}), got ${updatedDaysAgo}.`);
  return sentences;
}
