import { expectAmount, expectSame, expectThat, objectIn } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { entriesWith } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { adjustByCode, adjustFunctions, mustAdjust, sendHistory } from '../scenarios/adjustments.ts';
import { shownValues } from '../scenarios/card-views.ts';
import { createdCard, getByCode, getById, type TestCard, tryCreate, voidByCode } from '../scenarios/cards.ts';
import { controlAccepts } from '../scenarios/controls.ts';
import { pastCard, plainCard, zeroCard } from '../scenarios/shared-cards.ts';

function wasAccepted(response: TargetResponse, what: string): void {
  if (response.status === 400 || response.status === 422)
    throw new Untested('fact-missing', `the target rejects ${what}, which the specification allows`);
  mustSucceed(response, what);
}

rule('gift-card.create.active-when-empty-or-expired', {}, async (t) => {
  await controlAccepts(t, 'a plain create', (await plainCard(t)).response);
  const created = [
    ['a card with a balance of zero', await zeroCard(t)],
    ['a card with a past expiry', await pastCard(t)],
  ] as const;
  const accepts = created.filter(([, { response }]) => response.status === 200);
  for (const [what, { response }] of accepts) expectSame(objectIn(response).status, 'Active', `status of ${what}`);
  if (accepts.length === 0) for (const [what, { response }] of created) wasAccepted(response, what);
});

const oddFields = {
  customField1: 'gift 🎁, Cafe\u0301',
  customField2: 'first line\nsecond line',
  customField3: 'ORDER-0042-0043-0044-0045-0046-0047-0048-0049-0050-0051-0052-0053',
};

rule('gift-card.custom-fields.never-change', {}, async (t) => {
  const created = await tryCreate(t, oddFields);
  wasAccepted(created.response, 'a card with letters beyond ASCII, a line break and 65 characters in its custom fields');
  const on = createdCard(created);
  const keeps = (response: TargetResponse, when: string) => {
    const shown = objectIn(response);
    for (const [name, value] of Object.entries(oddFields)) expectSame(shown[name], value, `${name} ${when}`);
  };
  keeps(on.response, 'in the response to the creation');
  keeps(await getByCode(t, on.code), 'by code');
  await mustAdjust(t, on, -0.1);
  keeps(await getByCode(t, on.code), 'after an adjustment');
  mustSucceed(await voidByCode(t, on.code), `voiding ${on.name}`);
  keeps(mustSucceed(await getById(t, on.id), `looking ${on.name} up after its void`), 'by ID, after a void');
});

/** A float of four bytes cannot hold the sum of these amounts exactly. */
const [initial, added, redeemed] = [1234.57, 234567.83, 2345.68];

rule('gift-card.amounts-large', { needs: ['playMoney'] }, async (t) => {
  const last = (await adjustFunctions(t)).at(-1) ?? adjustByCode;
  const created = await tryCreate(t, { balance: initial });
  wasAccepted(created.response, `a card of ${initial}`);
  const on = createdCard(created);
  await showsBalance(t, on, initial);
  wasAccepted(await adjustByCode(t, on, added), `a top-up of ${added}`);
  await showsBalance(t, on, initial + added);
  wasAccepted(await last(t, on, -redeemed), `a redemption of ${redeemed}`);
  await showsBalance(t, on, initial + added - redeemed);
  const { json } = mustSucceed(await sendHistory(t, on.code), 'the history');
  expectThat(entriesWith(json, [added, redeemed]) !== undefined, `entries of ${added} and of ${redeemed}`, JSON.stringify(json));
});

async function showsBalance(t: Trial, on: TestCard, balance: number): Promise<void> {
  for (const { how, read } of await shownValues(t, on, 'balance')) expectAmount(read(), balance, `balance ${how}`);
}
