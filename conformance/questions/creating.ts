import { advance } from '../core/clock.ts';
import { objectIn } from '../core/expect.ts';
import { probe, unlisted } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { instantOf, issueTime } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { cardOfAccountWith, expiryOf } from '../scenarios/card-dates.ts';
import { usedAfterVoid } from '../scenarios/card-views.ts';
import { type CreateFields, createCard, getByCode, tryCreate } from '../scenarios/cards.ts';
import { controlAccepts } from '../scenarios/controls.ts';
import { oneDecimalTooMany } from '../scenarios/currency.ts';
import { pastCard, plainCard, plainFields, zeroCard } from '../scenarios/shared-cards.ts';
import { giftScheduledInPast } from '../scenarios/single-deliveries.ts';
import { rejectedOr } from './responses.ts';

const validCreate = async (t: Trial) => controlAccepts(t, 'a valid create', (await plainCard(t)).response);

async function oddCreate(t: Trial, fields: CreateFields) {
  await validCreate(t);
  return (await tryCreate(t, fields)).response;
}

probe('gift-card.create.gifted-names-without-notification', {}, async (t) =>
  rejectedOr(await oddCreate(t, { ...plainFields, sendAsGift: true, buyerName: undefined }), 'needed', 'not-needed'),
);

probe('gift-card.create.notification-without-address', {}, async (t) =>
  rejectedOr(await oddCreate(t, { shouldSendNotification: true, disableEmails: false }), 'refused', 'nothing-is-sent'),
);

probe('gift-card.create.zero-balance', {}, async (t) => {
  await validCreate(t);
  return rejectedOr((await zeroCard(t)).response, 'refused', 'accepted');
});

probe('gift-card.create.excess-decimals', {}, async (t) => {
  const { amount, rounded } = oneDecimalTooMany(t, objectIn((await plainCard(t)).response).currency);
  const response = await oddCreate(t, { balance: amount });
  const { balance } = (response.json ?? {}) as { balance?: unknown };
  if (response.status === 200 && balance !== rounded) return unlisted(`creates a card of ${String(balance)} for ${amount}`);
  return rejectedOr(response, 'refused', 'rounded');
});

probe('gift-card.create.malformed-address', {}, async (t) => {
  const recipient = await oddCreate(t, { recipientEmailAddress: 'no-address' });
  const buyer = await oddCreate(t, { buyerEmailAddress: 'no-address' });
  return recipient.status === buyer.status
    ? rejectedOr(buyer, 'refused', 'accepted')
    : unlisted(`returns ${recipient.status} for the recipient, ${buyer.status} for the buyer`);
});

probe('gift-card.create.past-expiry', {}, async (t) => {
  await validCreate(t);
  const { code, response } = await pastCard(t);
  if (response.status !== 200) return rejectedOr(response, 'refused', 'expires-after-response');
  const created = objectIn(response).status;
  const status = async () => String(objectIn(await getByCode(t, code)).status);
  const { clock } = t.run.profile;
  // Some targets expire cards only once a day, so the clock advances by more than a day.
  if (clock && (await status()) === 'Active') await advance(t, clock, 90_000);
  const later = await status();
  return created === 'Active' && later === 'Expired' ? 'expires-after-response' : unlisted(`created ${created}, then ${later}`);
});

probe('gift-card.create.code-of-voided-card', {}, async (t) => {
  const { on } = await usedAfterVoid(t);
  return rejectedOr(await oddCreate(t, { code: on.code }), 'taken', 'free');
});

probe('gift-card.create.gift-scheduled-in-past', { needs: ['receiver'] }, async (t) => {
  const { status, topics } = await giftScheduledInPast(t);
  if (status !== 200) return rejectedOr({ status }, 'refused', 'at-once');
  if (topics.includes('giftcard/gifted')) return 'at-once';
  return unlisted(topics.length > 0 ? `sends ${topics.join(' and ')}` : 'is accepted, and nothing is delivered');
});

const day = 86_400_000;

probe('gift-card.create.default-expiry-counting', {}, async (t) => {
  const { days, on } = await cardOfAccountWith(t, 'a default expiry');
  const expires = await expiryOf(t, on);
  const issued = instantOf(issueTime(on.response.json));
  if (expires === undefined || issued === undefined)
    throw new Untested('fact-missing', 'the card does not show when it was issued and when it expires');
  if (Math.abs(expires - issued - days * day) < 2_000) return '24-hours-each';
  // In every time zone, midnight is at a full quarter of an hour in UTC. An expiry at such a time counts as the end of a day.
  const isEndOfDay = (expires + 1_000) % 900_000 <= 1_000 && Math.abs(expires - issued - days * day) <= 1.05 * day;
  return isEndOfDay ? 'end-of-day' : unlisted(`after ${((expires - issued) / day).toFixed(3)} days instead of ${days}`);
});

probe('gift-card.create.null-expiry', {}, async (t) => {
  const { key } = await cardOfAccountWith(t, 'a default expiry');
  const on = await createCard(t, { expiresAtUtc: null }, key);
  return (await expiryOf(t, on)) === undefined ? 'never-expires' : 'default-applies';
});
