import { cardNames, cardStatuses } from '../core/contract.ts';
import { describeResponse, expectAmount, expectSame, expectStatus, expectSuccess, expectThat, objectIn } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { recordWith } from '../http/json-search.ts';
import { cardWithBalance, mustAdjust } from '../scenarios/adjustments.ts';
import { byEmail, createCard, getByCode, getById, holdsCard, sentFields, type TestCard } from '../scenarios/cards.ts';
import { channelLookup } from '../scenarios/channels.ts';
import { controlAccepts, eachSuccess, unknownIs404 } from '../scenarios/controls.ts';
import { acceptedVoidings, mutableCard, plainCard, sentCards, viewByCode } from '../scenarios/shared-cards.ts';

async function createdAndLookedUp(t: Trial): Promise<[string, TargetResponse][]> {
  const { response, code, id } = await plainCard(t);
  return [response, await viewByCode(t, code), await getById(t, id)].map((each) => ['a gift card', each]);
}

rule('gift-card.response.has-named-fields', {}, async (t) => {
  eachSuccess(await createdAndLookedUp(t), (response) => {
    const shown = objectIn(response);
    const missing = cardNames.filter((field) => !(field in shown));
    expectSame(missing, [], 'missing fields of a gift card');
  });
});

rule('gift-card.response.status-is-one-of-five', { isLast: true }, async (t) => {
  const { expiredCode, scheduledCode, redeemedCode } = t.run.profile;
  const given = [expiredCode, scheduledCode, redeemedCode].filter((code) => code !== undefined);
  const responses = await createdAndLookedUp(t);
  for (const code of given) responses.push(['a gift card', await getByCode(t, code)]);
  if (t.isReadOnly) t.doesNotCheck('cards that a run voids or redeems');
  else {
    for (const { byCode } of await acceptedVoidings(t)) responses.push(['a voided card', byCode]);
    for (const balance of [0, -0.5])
      responses.push(['a redeemed card', await getByCode(t, (await cardWithBalance(t, balance)).code)]);
  }
  eachSuccess(responses, (response) => {
    const { status } = objectIn(response);
    expectThat(cardStatuses.includes(String(status)), `one of ${cardStatuses.join(', ')} as status`, String(status));
  });
});

rule('gift-card.amounts-in-account-currency', {}, async (t) => {
  const on = await cardWithBalance(t, 1.25);
  const { currency } = objectIn(on.response, 'the created card');
  await mustAdjust(t, on, -0.5);
  for (const response of [await getByCode(t, on.code), await getById(t, on.id)]) {
    const shown = objectIn(response);
    expectSame(shown.currency, currency, 'currency');
    expectAmount(shown.balance, 0.75, 'balance after 1.25 - 0.50');
  }
});

async function findsEach(t: Trial, lookUp: (on: TestCard) => Promise<TargetResponse>): Promise<void> {
  for (const on of [await plainCard(t), await mutableCard(t)]) {
    const response = await lookUp(on);
    const { id, code } = objectIn(response);
    // A wrong target may return the card of another client, so a failure shows the response without its values.
    expectThat(id === on.id && code === on.code, `the ID and the code of ${on.name}`, describeResponse(response));
  }
}

rule('gift-card.get-by-code.returns-the-card', {}, (t) => findsEach(t, ({ code }) => viewByCode(t, code)));

rule('gift-card.get-by-id.returns-the-card', {}, (t) => findsEach(t, ({ id }) => getById(t, id)));

rule('gift-card.get-by-code.matches-exactly', {}, async (t) => {
  const { code, name } = await plainCard(t);
  await controlAccepts(t, 'the code of the card', viewByCode(t, code));
  for (const [what, other] of [
    ['in lower case', code.toLowerCase()],
    ['without its last character', code.slice(0, -1)],
    ['with a trailing blank', `${code} `],
  ] as const) {
    if (t.isReadOnly) t.run.redactor.learn(other, `${name} ${what}`);
    const response = await getByCode(t, other);
    // Another client may have a card with exactly this code.
    if (response.status !== 200 || Object(response.json).code !== other) expectStatus(response, 404, `the code ${what}`);
  }
});

rule('gift-card.get-by-code.unknown-is-404', {}, (t) => unknownIs404(t, ({ code }) => getByCode(t, code)));

rule('gift-card.get-by-id.unknown-is-404', {}, (t) => unknownIs404(t, ({ id }) => getById(t, id)));

rule('gift-card.get-by-email.finds-cards-sent-to-recipient', {}, async (t) => {
  const { address, older, younger } = await sentCards(t);
  // A search by `address` must not find the other card, although its recipient's address ends with `address` and its buyer has `address`.
  const otherAddress = `other-${address}`;
  const other = await createCard(t, { ...sentFields, recipientEmailAddress: otherAddress, buyerEmailAddress: address });
  const findsOther = async () => {
    const found = await byEmail(t, otherAddress, other);
    expectThat(holdsCard(found.json, other), `${other.name} in a search by its recipient's address`, describeResponse(found));
    return found;
  };
  for (const on of [older, younger]) {
    const response = await byEmail(t, address, on);
    expectSuccess(response, 'searching by email address');
    expectThat(holdsCard(response.json, on), `${on.name} in a search by its recipient's address`, describeResponse(response));
  }
  await t.control("the other card is found by its own recipient's address", findsOther);
  const response = await byEmail(t, address);
  expectThat(!holdsCard(response.json, other), 'no card of another recipient', describeResponse(response));
  await mustAdjust(t, other, -1);
  const { balance } = Object(recordWith((await findsOther()).json, other.code));
  if (typeof balance === 'number') expectAmount(balance, 0, 'balance of the redeemed card');
});

rule('gift-card.get-by-source.finds-channel-card', { needs: ['channelCard'] }, async (t) => {
  const other = await plainCard(t);
  const { found, unknown, on } = await channelLookup(t);
  expectSuccess(found, "a lookup by the card's ID in the channel");
  expectThat(holdsCard(found.json, on), 'the card that has the ID in the channel', describeResponse(found));
  expectThat(!holdsCard(found.json, other), 'no card with another ID in the channel', describeResponse(found));
  expectThat(!holdsCard(unknown.json, on), 'no card for an unknown ID in the channel', describeResponse(unknown));
});
