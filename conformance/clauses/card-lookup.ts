import { fullPage } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { accepted, giftCard, hasStatus, holds, same, sameAmount, told } from '../core/expect.ts';
import { cardNames, cardStatuses } from '../core/spec-constants.ts';
import { arranged, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { entriesWith, leaves, recordWith, unknownIdLike } from '../http/structure.ts';
import { cardWithBalance, history, mustAdjust, redeemedCard } from '../scenarios/adjustments.ts';
import { byEmail, card, getByCode, getById, holdsCard, sentFields, voidByCode } from '../scenarios/cards.ts';
import { channelLookup, lookupByProfile } from '../scenarios/endpoints.ts';
import { findListed, list } from '../scenarios/lists.ts';
import { plainCard, sentCards, voidedCards } from '../scenarios/shared-cards.ts';

const threeAnswers = async (t: Trial) => {
  const on = await plainCard(t);
  return [on.answer, await getByCode(t, on.code), await getById(t, on.id)];
};

/** Judges the answers that are there; Blocked after that where one is not, for that it should be is another statement. */
function eachCard(answers: readonly Answer[], judge: (answer: Answer) => void): void {
  for (const answer of answers) if (answer.status === 200) judge(answer);
  for (const answer of answers) arranged(answer, 'a gift card');
}

clause('gift-card.response.has-named-fields', {}, async (t) => {
  eachCard(await threeAnswers(t), (answer) => {
    const missing = cardNames.filter((field) => !(field in giftCard(answer)));
    holds(missing.length === 0, `a card with ${cardNames.join(', ')}`, `none of ${missing.join(', ')} in ${told(answer)}`);
  });
});

clause('gift-card.response.status-is-one-of-five', {}, async (t) => {
  const { expiredCode, scheduledCode, redeemedCode } = t.run.profile;
  const given = [expiredCode, scheduledCode, redeemedCode].filter((code) => code !== undefined);
  const made = [...(await voidedCards(t)), await redeemedCard(t), await cardWithBalance(t, -0.5)];
  const codes = [...made.map(({ code }) => code), ...given];
  const answers = await threeAnswers(t);
  for (const code of codes) answers.push(await getByCode(t, code));
  eachCard(answers, (answer) => {
    const { status } = giftCard(answer);
    holds(cardStatuses.includes(String(status)), `a status out of ${cardStatuses.join(', ')}`, String(status));
  });
  // The list shows of a card what it likes.
  const { json } = await list(t, { pageSize: fullPage });
  for (const { code } of [await plainCard(t), ...made]) {
    const { status } = (recordWith(json, code) ?? {}) as { status?: unknown };
    if (typeof status === 'string')
      holds(cardStatuses.includes(status), `a status out of ${cardStatuses.join(', ')} in the list`, status);
  }
});

clause('gift-card.amounts-in-account-currency', {}, async (t) => {
  const on = await card(t, { balance: 1.25 });
  const currency = giftCard(on.answer, 'the created card').currency;
  await mustAdjust(t, on, -0.5);
  const listed = (await findListed(t, on)) as { currency?: unknown; balance?: unknown } | undefined;
  const told = (await history(t, on.code)).json;
  for (const found of [giftCard(await getByCode(t, on.code)), giftCard(await getById(t, on.id))]) {
    same(found.currency, currency, 'currency');
    sameAmount(found.balance, 0.75, 'balance of 1.25 after a redemption of 0.50');
  }
  // Neither has to show a currency or a balance; where it does, they are the card's.
  if (listed?.currency !== undefined) same(listed.currency, currency, 'currency in the list');
  if (listed?.balance !== undefined) sameAmount(listed.balance, 0.75, 'balance in the list');
  holds(entriesWith(told, [-0.5]) !== undefined, 'a redemption of 0.50 in the history', JSON.stringify(told));
  const others = leaves(told).filter(({ path, value }) => /currency/i.test(path) && isCurrency(value) && value !== currency);
  holds(others.length === 0, `amounts in ${currency} in the history`, others.map(({ value }) => value).join(', '));
});

const known = new Set(Intl.supportedValuesOf('currency'));
const isCurrency = (value: unknown) => typeof value === 'string' && known.has(value);

clause('gift-card.get-by-code.returns-the-card', {}, async (t) => {
  const on = await plainCard(t);
  const other = await redeemedCard(t);
  const found = giftCard(await getByCode(t, on.code));
  same([found.id, found.code], [on.id, on.code], 'id and code');
  const foundOther = giftCard(await getByCode(t, other.code));
  same(foundOther.id, other.id, 'id of the other card');
  sameAmount(foundOther.balance, 0, 'balance of the other card');
});

clause('gift-card.get-by-code.matches-exactly', {}, async (t) => {
  const { code } = await plainCard(t);
  await t.control('the exact code finds the card', async () => same(giftCard(await getByCode(t, code)).code, code, 'code'));
  hasStatus(await getByCode(t, code.toLowerCase()), 404, 'the code in small letters');
  hasStatus(await getByCode(t, code.slice(0, -1)), 404, 'the code without its last character');
  hasStatus(await getByCode(t, `${code} `), 404, 'the code with a blank behind it');
  hasStatus(await getByCode(t, ` ${code}`), 404, 'the code with a blank before it');
  hasStatus(await getByCode(t, `${code.slice(0, 4)}-${code.slice(4)}`), 404, 'the code with a hyphen in it');
});

clause('gift-card.get-by-code.unknown-is-404', {}, async (t) => {
  const { code } = await plainCard(t);
  await t.control('a code that a card has', async () => same(giftCard(await getByCode(t, code)).code, code, 'code'));
  hasStatus(await getByCode(t, t.run.ledger.fresh('GCSNONE')), 404, 'a code that no card has');
});

clause('gift-card.get-by-id.returns-the-card', {}, async (t) => {
  const on = await plainCard(t);
  const other = await redeemedCard(t);
  const found = giftCard(await getById(t, on.id));
  same([found.id, found.code], [on.id, on.code], 'id and code');
  const foundOther = giftCard(await getById(t, other.id));
  same(foundOther.code, other.code, 'code of the other card');
  sameAmount(foundOther.balance, 0, 'balance of the other card');
});

clause('gift-card.get-by-id.unknown-is-404', {}, async (t) => {
  const { id, code } = await plainCard(t);
  await t.control('an ID that a card has', async () => same(giftCard(await getById(t, id)).code, code, 'code'));
  hasStatus(await getById(t, unknownIdLike(id)), 404, 'an ID that no card has');
});

clause('gift-card.get-by-email.finds-cards-sent-to-recipient', {}, async (t) => {
  const { address, older, younger } = await sentCards(t);
  // One address is the end of the other.
  const otherAddress = `other-${address}`;
  const other = await card(t, { ...sentFields, recipientEmailAddress: otherAddress, buyerEmailAddress: address });
  for (const on of [older, younger]) await byEmail(t, address, on);
  const answer = await byEmail(t, address);
  accepted(answer, 'looking up an address');
  for (const on of [older, younger]) holds(holdsCard(answer.json, on), `${on.name} under its recipient’s address`, told(answer));
  holds(!holdsCard(answer.json, other), `no card of another recipient`, told(answer));
  await t.control('the other card is under its own address', async () =>
    holds(holdsCard((await byEmail(t, otherAddress, other)).json, other), 'it', 'others'),
  );
  const like = await byEmail(t, otherAddress.replace('gcs', '_cs'));
  holds(!holdsCard(like.json, other), 'no card under an address with _ in place of a letter', told(like));
  await mustAdjust(t, other, -1);
  const redeemed = await byEmail(t, otherAddress, other);
  holds(holdsCard(redeemed.json, other), `${other.name} under its recipient’s address when it is redeemed`, told(redeemed));
  // What is shown of the card there is open; its balance, where that is shown, is none.
  const { balance } = (recordWith(redeemed.json, other.code) ?? {}) as { balance?: unknown };
  if (typeof balance === 'number') sameAmount(balance, 0, 'balance of the redeemed card');
  arranged(await voidByCode(t, other.code), `voiding ${other.name}`);
  const voided = await byEmail(t, otherAddress, other);
  holds(holdsCard(voided.json, other), `${other.name} under its recipient’s address when it is voided`, told(voided));
});

clause('gift-card.get-by-source.finds-channel-card', { needs: ['channelCard'] }, async (t, { channelCard }) => {
  const { found, unknown, on } = await channelLookup(t).catch((error: unknown) => lookupByProfile(t, channelCard, error));
  accepted(found, 'the ID that a channel gave');
  holds(holdsCard(found.json, on), 'the card to which the channel gave the ID', told(found));
  holds(!holdsCard(found.json, await plainCard(t)), 'no card that the channel calls otherwise', told(found));
  holds(!holdsCard(unknown.json, on), 'the card under no other ID', told(unknown));
});
