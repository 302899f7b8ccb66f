import { probe, somethingElse } from '../core/clause.ts';
import { accepted, giftCard, same } from '../core/expect.ts';
import type { ClockControl } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { Untested, Violation } from '../core/verdict.ts';
import { booked } from '../scenarios/adjustments.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { card, create } from '../scenarios/cards.ts';
import { expired } from '../scenarios/expiring.ts';
import { plainFields, purse, zeroCard } from '../scenarios/shared-cards.ts';
import { called } from './names.ts';

/** One card's status as its balance goes from 1.00 to zero, above it, and below it. */
function upsAndDowns(t: Trial): Promise<{ atZero: string; toppedUp: string; belowZero: string }> {
  return t.shared('ups and downs', async (shared) => {
    const on = await card(shared);
    const statusAfter = async (amount: number) => {
      await booked(shared, on, amount);
      return String(giftCard(await getByCode(shared, on.code)).status);
    };
    return { atZero: await statusAfter(-1), toppedUp: await statusAfter(0.5), belowZero: await statusAfter(-0.75) };
  });
}

probe('gift-card.status.at-zero', {}, async (t) => called((await upsAndDowns(t)).atZero, ['Redeemed', 'Active']));

probe('gift-card.status.below-zero', {}, async (t) => called((await upsAndDowns(t)).belowZero, ['Redeemed', 'Active']));

probe('gift-card.status.after-top-up', {}, async (t) => {
  const { atZero, toppedUp } = await upsAndDowns(t);
  if (atZero !== 'Redeemed') return somethingElse(`no card is Redeemed: at zero it is ${atZero}`);
  return called(toppedUp, ['Active', 'Redeemed']);
});

const otherCardActive = (t: Trial) =>
  t.control('a card that is no gift and has a balance is Active', async () => {
    const { code } = await purse(t);
    same(giftCard(await getByCode(t, code)).status, 'Active', 'status');
  });

probe('gift-card.status.created-with-zero', {}, async (t) => {
  const { code, answer } = await zeroCard(t);
  if (answer.status !== 200) return somethingElse(`a balance of zero is refused with ${answer.status}`);
  await otherCardActive(t);
  const { status } = giftCard(await getByCode(t, code));
  if (status === 'Active') return 'until-an-adjustment';
  return status === 'Redeemed' ? 'redeemed-after-answer' : somethingElse(`is ${String(status)}`);
});

probe('gift-card.status.future-gift', {}, async (t) => {
  const moment = new Date(Date.now() + 400 * 86_400_000).toISOString();
  const gift = await create(t, { ...plainFields, sendAsGift: true, shouldSendNotification: true, giftScheduledForUtc: moment });
  await t.control('the gift is created', async () => accepted(gift.answer, 'it'));
  await otherCardActive(t);
  const { status } = giftCard(await getByCode(t, gift.code));
  if (status === 'Active' || status === 'Scheduled') return status;
  throw new Violation('a card whose gift waits to be Active or Scheduled', String(status));
});

/** What became of the cards, where at least one whose expiry came is Expired in the end. */
async function seenExpired(t: Trial, clock: ClockControl) {
  const seen = await expired(t, clock);
  if (seen.settled.status !== 'Expired')
    throw new Untested('control-failed', `a day after its expiry a card is ${seen.settled.status}`);
  return seen;
}

probe('gift-card.expiry.when-noticed', { needs: ['clock'] }, async (t, { clock }) => {
  const { unasked, asked } = await seenExpired(t, clock);
  if (asked !== 'Expired') return 'daily';
  if (unasked === undefined) return somethingElse('Expired when it is looked up; the list does not tell whether before');
  return unasked === 'Expired' ? 'at-its-moment' : 'next-use';
});

probe('gift-card.expiry.of-redeemed-card', { needs: ['clock'] }, async (t, { clock }) => {
  const { before, settled } = (await seenExpired(t, clock)).redeemed;
  if (before !== 'Redeemed') return somethingElse(`no card is Redeemed: at zero it is ${before}`);
  if (settled === 'Expired') return 'expires';
  return settled === 'Redeemed' ? 'stays' : somethingElse(`is ${settled}`);
});

probe('gift-card.expiry.balance', { needs: ['clock'] }, async (t, { clock }) => {
  const { balance } = (await seenExpired(t, clock)).settled;
  if (balance === 0.5) return 'kept';
  return balance === 0 ? 'zeroed' : somethingElse(`0.50 became ${balance}`);
});
