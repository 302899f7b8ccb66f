import { fullPage } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { cardNames, cardStatuses } from '../core/contract.ts';
import { describeAnswer, expectAmount, expectSame, expectStatus, expectSuccess, expectThat, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { entriesWith, leaves, recordWith, unknownIdLike } from '../http/json-search.ts';
import { cardWithBalance, history, mustAdjust, redeemedCard } from '../scenarios/adjustments.ts';
import { byEmail, card, getByCode, getById, holdsCard, sentFields, voidByCode } from '../scenarios/cards.ts';
import { channelLookup } from '../scenarios/channels.ts';
import { findListed, list } from '../scenarios/lists.ts';
import { plainCard, sentCards, voidedCards } from '../scenarios/shared-cards.ts';

const createdAndLookedUp = async (t: Trial) => {
  const on = await plainCard(t);
  return [on.answer, await getByCode(t, on.code), await getById(t, on.id)];
};

/** Checks the responses with status 200. Blocked if there are others: other clauses report these. */
function eachCard(answers: readonly Answer[], check: (shown: Record<string, unknown>, answer: Answer) => void): void {
  for (const answer of answers) if (answer.status === 200) check(objectIn(answer), answer);
  for (const answer of answers) mustSucceed(answer, 'a gift card');
}

clause('gift-card.response.has-named-fields', {}, async (t) => {
  eachCard(await createdAndLookedUp(t), (shown, answer) => {
    const missing = cardNames.filter((field) => !(field in shown));
    expectThat(
      missing.length === 0,
      `a card with ${cardNames.join(', ')}`,
      `none of ${missing.join(', ')} in ${describeAnswer(answer)}`,
    );
  });
});

clause('gift-card.response.status-is-one-of-five', {}, async (t) => {
  const { expiredCode, scheduledCode, redeemedCode } = t.run.profile;
  const given = [expiredCode, scheduledCode, redeemedCode].filter((code) => code !== undefined);
  const made = [...(await voidedCards(t)), await redeemedCard(t), await cardWithBalance(t, -0.5)];
  const answers = await createdAndLookedUp(t);
  for (const code of [...made.map((on) => on.code), ...given]) answers.push(await getByCode(t, code));
  const isStatus = (status: unknown, where = '') =>
    expectThat(cardStatuses.includes(String(status)), `one of ${cardStatuses.join(', ')} as status${where}`, String(status));
  eachCard(answers, ({ status }) => isStatus(status));
  // The list need not show a status.
  const { json } = await list(t, { pageSize: fullPage });
  for (const { code } of [await plainCard(t), ...made]) {
    const { status } = (recordWith(json, code) ?? {}) as { status?: unknown };
    if (typeof status === 'string') isStatus(status, ' in the list');
  }
});

clause('gift-card.amounts-in-account-currency', {}, async (t) => {
  const on = await card(t, { balance: 1.25 });
  const { currency } = objectIn(on.answer, 'the created card');
  await mustAdjust(t, on, -0.5);
  const listed = ((await findListed(t, on)) ?? {}) as { currency?: unknown; balance?: unknown };
  for (const shown of [objectIn(await getByCode(t, on.code)), objectIn(await getById(t, on.id))]) {
    expectSame(shown.currency, currency, 'currency');
    expectAmount(shown.balance, 0.75, 'balance of 1.25 after a redemption of 0.50');
  }
  // The list need not show currency and balance, and the history need not show a currency.
  if (listed.currency !== undefined) expectSame(listed.currency, currency, 'currency in the list');
  if (listed.balance !== undefined) expectAmount(listed.balance, 0.75, 'balance in the list');
  const { json } = await history(t, on.code);
  expectThat(entriesWith(json, [-0.5]) !== undefined, 'a redemption of 0.50 in the history', JSON.stringify(json));
  const currencies = leaves(json).filter(({ path, value }) => /currency/i.test(path) && supported.has(String(value)));
  for (const { value } of currencies) expectSame(value, currency, 'currency in the history');
});

const supported = new Set(Intl.supportedValuesOf('currency'));

/** The plain card, and an older or younger one, each found by its own name. */
async function findsEach(t: Trial, by: 'code' | 'id'): Promise<void> {
  const look = async (on: { code: string; id: string | number }) =>
    objectIn(await (by === 'code' ? getByCode(t, on.code) : getById(t, on.id)));
  const [on, other] = [await plainCard(t), await redeemedCard(t)];
  const [found, foundOther] = [await look(on), await look(other)];
  expectSame([found.id, found.code], [on.id, on.code], 'ID and code');
  expectSame([foundOther.id, foundOther.code], [other.id, other.code], 'ID and code of another card');
  expectAmount(foundOther.balance, 0, 'balance of the other card');
}

clause('gift-card.get-by-code.returns-the-card', {}, (t) => findsEach(t, 'code'));

clause('gift-card.get-by-id.returns-the-card', {}, (t) => findsEach(t, 'id'));

const codeFindsCard = (t: Trial, code: string) =>
  t.control('the code of the card', async () => expectSame(objectIn(await getByCode(t, code)).code, code, 'code'));

clause('gift-card.get-by-code.matches-exactly', {}, async (t) => {
  const { code } = await plainCard(t);
  await codeFindsCard(t, code);
  for (const [what, other] of [
    ['in lower case', code.toLowerCase()],
    ['without its last character', code.slice(0, -1)],
    ['with a trailing blank', `${code} `],
    ['with a leading blank', ` ${code}`],
    ['with a hyphen in it', `${code.slice(0, 4)}-${code.slice(4)}`],
  ] as const)
    expectStatus(await getByCode(t, other), 404, `the code ${what}`);
});

clause('gift-card.get-by-code.unknown-is-404', {}, async (t) => {
  await codeFindsCard(t, (await plainCard(t)).code);
  expectStatus(await getByCode(t, t.run.ledger.fresh('GCSNONE')), 404, 'an unknown code');
});

clause('gift-card.get-by-id.unknown-is-404', {}, async (t) => {
  const { id, code } = await plainCard(t);
  await t.control('the ID of the card', async () => expectSame(objectIn(await getById(t, id)).code, code, 'code'));
  expectStatus(await getById(t, unknownIdLike(id)), 404, 'an unknown ID');
});

clause('gift-card.get-by-email.finds-cards-sent-to-recipient', {}, async (t) => {
  const { address, older, younger } = await sentCards(t);
  // The other address ends with this one, and its buyer has this one.
  const otherAddress = `other-${address}`;
  const other = await card(t, { ...sentFields, recipientEmailAddress: otherAddress, buyerEmailAddress: address });
  for (const on of [older, younger]) await byEmail(t, address, on);
  const answer = await byEmail(t, address);
  expectSuccess(answer, 'searching by email address');
  for (const on of [older, younger])
    expectThat(holdsCard(answer.json, on), `${on.name}, by its recipient's address`, describeAnswer(answer));
  expectThat(!holdsCard(answer.json, other), 'no card of another recipient', describeAnswer(answer));
  const findsOther = async (when: string) => {
    const found = await byEmail(t, otherAddress, other);
    expectThat(holdsCard(found.json, other), `${other.name}, by its recipient's address${when}`, describeAnswer(found));
    return (recordWith(found.json, other.code) ?? {}) as { balance?: unknown };
  };
  await t.control('the other card is found by its own address', () => findsOther(''));
  const like = await byEmail(t, otherAddress.replace('gcs', '_cs'));
  expectThat(!holdsCard(like.json, other), 'no card by an address with _ in place of a letter', describeAnswer(like));
  await mustAdjust(t, other, -1);
  const { balance } = await findsOther(' after it was redeemed');
  if (typeof balance === 'number') expectAmount(balance, 0, 'balance of the redeemed card');
  mustSucceed(await voidByCode(t, other.code), `voiding ${other.name}`);
  await findsOther(' after it was voided');
});

clause('gift-card.get-by-source.finds-channel-card', { needs: ['channelCard'] }, async (t) => {
  const { found, unknown, on } = await channelLookup(t);
  expectSuccess(found, "a lookup by a channel's ID");
  expectThat(holdsCard(found.json, on), 'the card that has the ID in the channel', describeAnswer(found));
  expectThat(!holdsCard(found.json, await plainCard(t)), 'no card that has another ID there', describeAnswer(found));
  expectThat(!holdsCard(unknown.json, on), 'no card by an unknown ID', describeAnswer(unknown));
});
