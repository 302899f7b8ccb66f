import { cardNames, customFieldNames } from '../core/contract.ts';
import { overrideAt } from '../core/evaluate.ts';
import { expectSame, expectThat, objectIn } from '../core/expect.ts';
import { probe, unlisted } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Violation } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { arraysIn, leaves, placeOf } from '../http/json-search.ts';
import type { ClockControl } from '../http/target.ts';
import { Untested } from '../safety/policy.ts';
import { mustAdjust, sendHistoryById } from '../scenarios/adjustments.ts';
import { expiredCards } from '../scenarios/card-dates.ts';
import { usedAfterVoid } from '../scenarios/card-views.ts';
import { byEmail, createCard, getByCode, getById, holdsCard, type TestCard, tryCreate } from '../scenarios/cards.ts';
import { channelLookup } from '../scenarios/channels.ts';
import { controlAccepts, controlHolds } from '../scenarios/controls.ts';
import {
  deletedCard,
  farExpiry,
  fullCard,
  mutableCard,
  plainCard,
  plainFields,
  sentCards,
  zeroCard,
} from '../scenarios/shared-cards.ts';
import { optionFor, statusOption, successBody } from './responses.ts';

/** Looks up a card that was created with all fields. The control is that the target finds no card for an unknown code. */
async function lookUpFullCard(t: Trial): Promise<Record<string, unknown>> {
  const { code } = await fullCard(t);
  const unknown = await getByCode(t, t.run.ledger.fresh('GCSNONE'));
  controlHolds(t, 'an unknown code finds no card', unknown.status !== 200);
  return objectIn(await getByCode(t, code), 'a lookup of the card');
}

probe('gift-card.response.recipient-nesting', {}, async (t) => {
  const shown = leaves(await lookUpFullCard(t));
  const pathOf = (given: string) => shown.find(({ value }) => value === given)?.path;
  const [name, email] = [pathOf(plainFields.recipientName), pathOf(plainFields.recipientEmailAddress)];
  if (name === '/recipientName' && email === '/recipientEmailAddress') return 'flat';
  if (name === '/recipient/name' && email === '/recipient/emailAddress') return 'nested';
  const overrides = [...overrideAt('GiftCard.recipientName', name), ...overrideAt('GiftCard.recipientEmailAddress', email)];
  return { text: name || email ? `at ${[name, email].filter(Boolean).join(' and ')}` : 'not shown', overrides };
});

const stated: readonly string[] = [...cardNames, ...customFieldNames];

probe('gift-card.response.further-properties', {}, async (t) => {
  const shown = await lookUpFullCard(t);
  const further = Object.keys(shown).filter((name) => !stated.includes(name));
  // A property that is an array is the card's history, and does not count as a further property.
  if (further.every((name) => Array.isArray(shown[name]))) return 'named-only';
  const given = ['recipientName', 'recipientEmailAddress', 'buyerName', 'buyerEmailAddress', 'giftMessage'] as const;
  const values = new Set(leaves(shown).map(({ value }) => value));
  return given.every((name) => values.has(plainFields[name])) ? 'those-of-the-request' : unlisted(further.toSorted().join(', '));
});

// The profile must name a deleted card that was Active before its deletion.
probe('gift-card.deleted-shown-as', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  const { id, record } = await deletedCard(t, deletedCode);
  const response = await getById(t, id);
  const { status } = (response.status === 200 ? response.json : record) as { status?: unknown };
  return optionFor(status, { Voided: 'Voided', Active: 'as-it-was' });
});

probe('gift-card.get-by-id.malformed-id', {}, async (t) => {
  const { id } = await plainCard(t);
  await controlAccepts(t, 'the ID of a card', getById(t, id));
  const [card, history] = [await getById(t, 'no-id-at-all'), await sendHistoryById(t, 'no-id-at-all')];
  if (card.status === history.status) return statusOption(card, '400', '404');
  return unlisted(`returns ${card.status} for a card, ${history.status} for a history`);
});

const foundOrHidden = ({ status }: TargetResponse) => optionFor(status, { 200: 'found', 404: 'hidden' }, `returns ${status}`);

probe('gift-card.get-by-code.deleted-card', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  await controlAccepts(t, 'a card that is not deleted is found', getByCode(t, (await plainCard(t)).code));
  return foundOrHidden(await getByCode(t, deletedCode));
});

probe('gift-card.get-by-id.deleted-card', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  await controlAccepts(t, 'a card that is not deleted is found', getById(t, (await plainCard(t)).id));
  return foundOrHidden(await getById(t, (await deletedCard(t, deletedCode)).id));
});

probe('gift-card.get-by-email.no-match', {}, async (t) => {
  const { address, older } = await sentCards(t);
  const search = mustSucceed(await byEmail(t, address, older), 'searching by email address');
  controlHolds(t, 'a card is found by the address to which it was sent', holdsCard(search.json, older));
  const response = await byEmail(t, `${t.run.ledger.fresh('unknown').toLowerCase()}@example.com`);
  if (response.status === 200 && arraysIn(response.json).every(({ items }) => items.length === 0)) return 'empty';
  return statusOption(response, '404');
});

probe('gift-card.get-by-source.unknown', { needs: ['channelCard'] }, async (t) => {
  const { unknown } = await channelLookup(t);
  const { status, json } = unknown;
  const isNull = status === 200 && json !== undefined && leaves(json).every(({ value }) => value === null);
  return isNull ? 'null' : statusOption(unknown, '404');
});

const activeOrRedeemed = (status: string) => optionFor(status, { Active: 'Active', Redeemed: 'Redeemed' });

function statusesByBalance(t: Trial): Promise<{ atZero: string; toppedUp: string; belowZero: string }> {
  return t.shared('statuses by balance', async (shared) => {
    const on = await createCard(shared);
    const statusAfter = async (amount: number) => {
      await mustAdjust(shared, on, amount);
      return String(objectIn(await getByCode(shared, on.code)).status);
    };
    return { atZero: await statusAfter(-1), toppedUp: await statusAfter(0.5), belowZero: await statusAfter(-0.75) };
  });
}

probe('gift-card.status.at-zero', {}, async (t) => activeOrRedeemed((await statusesByBalance(t)).atZero));

probe('gift-card.status.below-zero', {}, async (t) => activeOrRedeemed((await statusesByBalance(t)).belowZero));

probe('gift-card.status.after-top-up', {}, async (t) => {
  const { atZero, toppedUp } = await statusesByBalance(t);
  if (atZero !== 'Redeemed') return unlisted(`a card with a balance of zero is ${atZero}, not Redeemed`);
  return activeOrRedeemed(toppedUp);
});

const otherCardIsActive = (t: Trial) =>
  t.control('another card with a balance is Active', async () => {
    const { code } = await mutableCard(t);
    expectSame(objectIn(await getByCode(t, code)).status, 'Active', 'status');
  });

probe('gift-card.status.created-with-zero', {}, async (t) => {
  const { code, response } = await zeroCard(t);
  if (response.status !== 200) return unlisted(`a balance of zero is rejected with ${response.status}`);
  await otherCardIsActive(t);
  const { status } = objectIn(await getByCode(t, code));
  return optionFor(status, { Active: 'until-an-adjustment', Redeemed: 'redeemed-after-response' });
});

probe('gift-card.status.future-gift', {}, async (t) => {
  const fields = { sendAsGift: true, shouldSendNotification: true, giftScheduledForUtc: farExpiry(2) };
  const gift = await tryCreate(t, { ...plainFields, ...fields });
  await controlAccepts(t, 'the gift is created', gift.response);
  await otherCardIsActive(t);
  const { status } = objectIn(await getByCode(t, gift.code));
  if (status === 'Active' || status === 'Scheduled') return status;
  throw new Violation('a card whose gift is scheduled for later to be Active or Scheduled', String(status));
});

const needs = ['clock'] as const;

/** Returns cards after their expiry. The control is that a card is Expired one day later. */
async function expired(t: Trial, clock: ClockControl) {
  const seen = await expiredCards(t, clock);
  controlHolds(t, 'a card is Expired a day after its expiry', seen.settled.status === 'Expired');
  return seen;
}

probe('gift-card.expiry.when-noticed', { needs }, async (t, { clock }) => {
  const { listed, lookedUp } = await expired(t, clock);
  if (lookedUp !== 'Expired') return 'daily';
  return listed === 'Expired' ? 'on-time' : unlisted('Expired only after a lookup, or the list shows no status');
});

probe('gift-card.expiry.of-redeemed-card', { needs }, async (t, { clock }) => {
  const { before, settled } = (await expired(t, clock)).redeemed;
  if (before !== 'Redeemed') return unlisted(`a card with a balance of zero is ${before}, not Redeemed`);
  return optionFor(settled, { Expired: 'expires', Redeemed: 'stays' });
});

probe('gift-card.expiry.of-scheduled-card', { needs: ['expiringGift', 'clock'] }, async (t, { clock }) => {
  const { before, settled } = (await expiredCards(t, clock)).scheduled ?? {};
  if (before !== 'Scheduled') throw new Untested('fixture-missing', `the profile's card is ${before}, not Scheduled`);
  return optionFor(settled, { Expired: 'expires', Scheduled: 'stays' });
});

probe('gift-card.expiry.balance', { needs }, async (t, { clock }) => {
  const { balance } = (await expired(t, clock)).settled;
  return optionFor(balance, { 1: 'kept', 0: 'zeroed' }, `${String(balance)} instead of 1.00`);
});

const cardPath = (json: unknown, on: TestCard) => placeOf(json, ({ id, code }) => id === on.id && code === on.code);

probe('gift-card.void.body', {}, async (t) => {
  const { on, voidedByCode } = await usedAfterVoid(t);
  const path = cardPath(voidedByCode.json, on);
  return path === '' ? 'the-card' : successBody(voidedByCode, path);
});

probe('gift-card.void.again', {}, async (t) => {
  const { againByCode, againById } = await usedAfterVoid(t);
  const statuses = [againByCode.status, againById.status];
  const isResponse = statuses.every((status) => status < 500 && status !== 401);
  expectThat(isResponse, 'voiding a voided card accepted or rejected', statuses.join(' and '));
  const status = statuses[0] === statuses[1] ? statuses[0] : 'two';
  const words = `returns ${statuses.join(' by code and ')} by ID`;
  return optionFor(status, { 200: 'accepted', 400: 'refused', 404: 'not-found' }, words);
});

probe('gift-card.void.in-history', {}, async (t) => {
  const { on, historyBefore, historyAfter } = await usedAfterVoid(t);
  const [before = 0, after = 0] = [historyBefore, historyAfter].map(({ json }) => {
    // The card in the response may have arrays of its own, which do not count.
    const path = cardPath(json, on);
    const lists = arraysIn(json).filter((each) => !path || !each.path.startsWith(`${path}/`));
    return lists.reduce((sum, { items }) => sum + items.length, 0);
  });
  return optionFor(after - before, { 0: 'no', 1: 'yes' }, `${before} entries before the void, ${after} after it`);
});
