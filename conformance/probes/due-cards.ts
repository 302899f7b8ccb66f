import { probe, somethingElse } from '../core/clause.ts';
import { Untested } from '../core/verdict.ts';
import { dueCard } from '../scenarios/due-cards.ts';

/** What becomes of cards that only an account has that already has them. */

function scheduledBefore(status: string): void {
  if (status !== 'Scheduled') throw new Untested('fixture-missing', `the profile's card is ${status}, not Scheduled`);
}

probe('gift-card.expiry.of-scheduled-card', { needs: ['expiringGift', 'clock'] }, async (t, { clock }) => {
  const { before, after } = await dueCard(t, clock, 'expiringGift');
  scheduledBefore(before);
  if (after === 'Expired') return 'expires';
  return after === 'Scheduled' ? 'stays' : somethingElse(`is ${after}`);
});
