import type { Card } from './description.ts';
import type { Problem } from './places.ts';

/** A date is given absolutely or in days, not both. */
export function bothGiven(record: object, absolute: string, relative: string): Problem[] {
  const given = record as Readonly<Record<string, unknown>>;
  if (given[absolute] === undefined || given[relative] === undefined) return [];
  return [{ path: [], sentence: `${absolute} and ${relative} are both given; leave one out.` }];
}

/**
 * Dates of a card that contradict each other or its status whenever the mock starts. What depends on the start is no contradiction: a date
 * that has passed by then has had its consequence.
 */
export function datesThatContradict(card: Card): Problem[] {
  const problem = (sentence: string): Problem => ({ path: [], sentence });
  const problems = [
    ...bothGiven(card, 'expiresAtUtc', 'expiresInDays'),
    ...bothGiven(card, 'giftScheduledForUtc', 'giftScheduledInDays'),
    ...bothGiven(card, 'createdAtUtc', 'createdDaysAgo'),
    ...bothGiven(card, 'updatedAtUtc', 'updatedDaysAgo'),
    ...card.adjustments.flatMap((adjustment, index) =>
      bothGiven(adjustment, 'actionedAtUtc', 'actionedDaysAgo').map((each) => ({ ...each, path: ['adjustments', index] })),
    ),
  ];
  const { status, expiresInDays, giftScheduledInDays, createdDaysAgo, updatedDaysAgo } = card;
  if (status === 'Expired' && (card.expiresAtUtc === null || (expiresInDays ?? -1) > 0))
    problems.push(problem('status is Expired, but its expiry has not come; leave one of the two out.'));
  if (status !== undefined && status !== 'Expired' && status !== 'Voided' && (expiresInDays ?? 1) <= 0)
    problems.push(
      problem(`status is ${status}, but expiresInDays ${expiresInDays} has passed; leave status out, or let it expire later.`),
    );
  if (status === 'Scheduled' && (card.giftScheduledForUtc === null || (giftScheduledInDays ?? 1) <= 0))
    problems.push(
      problem(
        'status is Scheduled, but nothing is ahead of it; give giftScheduledInDays a number above 0, or leave it out for 7.',
      ),
    );
  if (createdDaysAgo !== undefined && updatedDaysAgo !== undefined && updatedDaysAgo > createdDaysAgo)
    problems.push(
      problem(
        `updatedDaysAgo ${updatedDaysAgo} is before createdDaysAgo ${createdDaysAgo}; a card changes after it was created.`,
      ),
    );
  return problems;
}
