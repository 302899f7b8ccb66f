import { probe, somethingElse } from '../core/clause.ts';
import { Untested } from '../core/verdict.ts';
import { lateGift, timedGifts } from '../scenarios/timed-gifts.ts';

const timed = { needs: ['receiver', 'clock'] } as const;
const isRefusal = (status: number) => status === 400 || status === 422;

probe('gift-card.void.waiting-gift', timed, async (t, { clock }) => {
  const { deferred, waiting } = await timedGifts(t, clock);
  if (!deferred.after.includes('giftcard/gifted'))
    throw new Untested('control-failed', 'no giftcard/gifted arrived of a gift that was not voided');
  return waiting.after.includes('giftcard/gifted') ? 'sent' : 'dropped';
});

probe('gift-card.create.gift-scheduled-in-past', { needs: ['receiver'] }, async (t) => {
  const { status, topics } = await lateGift(t);
  if (isRefusal(status)) return 'refused';
  if (status !== 200) return somethingElse(`answers ${status}`);
  return topics.includes('giftcard/gifted')
    ? 'at-once'
    : somethingElse(topics.length > 0 ? `sends ${topics.join(' and ')}` : 'is taken, and nothing is delivered');
});
