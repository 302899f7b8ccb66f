import { camelCase } from '../core/contract.ts';
import { describeResponse, expectSame, expectThat, objectIn } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { recordWith, spelledNamesIn } from '../http/json-search.ts';
import { fullPage } from '../safety/card-search.ts';
import { adjustByCode, sendHistory, sendHistoryById } from '../scenarios/adjustments.ts';
import { getById, holdsCard, tryCreate } from '../scenarios/cards.ts';
import { controlHolds, eachSuccess, ifAllowed } from '../scenarios/controls.ts';
import { profileResponse } from '../scenarios/currency.ts';
import { sendList } from '../scenarios/lists.ts';
import { mutableCard, plainCard, viewByCode } from '../scenarios/shared-cards.ts';
import { firstWebhook, sendListWebhooks } from '../scenarios/webhooks.ts';

async function responses(t: Trial): Promise<[string, TargetResponse][]> {
  const [on, adjusted] = [await plainCard(t), await mutableCard(t)];
  const adjustment = await ifAllowed(t, 'an adjustment', () => adjustByCode(t, adjusted, 0.25));
  return [
    ['the create', on.response],
    ['the card by its code', await viewByCode(t, on.code)],
    ['the card by its ID', await getById(t, on.id)],
    ['the list', await sendList(t, { pageSize: fullPage })],
    ...(adjustment ? [['an adjustment', adjustment] as [string, TargetResponse]] : []),
    ['the history', await sendHistory(t, adjusted.code)],
    ["the history by the card's ID", await sendHistoryById(t, adjusted.id)],
    ['the list of webhooks', await sendListWebhooks(t)],
    ['the business profile', await profileResponse(t)],
  ];
}

rule('http.json-bodies', {}, async (t) => {
  t.doesNotCheck('bodies that the specification does not show, such as the response to a void');
  eachSuccess(await responses(t), (response, what) =>
    expectThat(response.json !== undefined, `JSON in the response to ${what}`, describeResponse(response)),
  );
});

const notCamelCase = (names: readonly string[]) => names.filter((name) => !camelCase.test(name));

rule('http.camel-case-names', {}, async (t) => {
  const { code, id } = await plainCard(t);
  eachSuccess(await responses(t), (response, what) => {
    // Records of other clients may have properties with other names, so only the record of the run's card is checked.
    const isList = what === 'the list';
    const top = isList ? Object.keys(objectIn(response, what)) : [];
    const own = isList ? (recordWith(response.json, code) ?? recordWith(response.json, id)) : response.json;
    expectSame(notCamelCase([...top, ...spelledNamesIn(own)]), [], `names in the response to ${what} that are not in camelCase`);
  });
  expectSame(
    notCamelCase(spelledNamesIn((await firstWebhook(t)).record)),
    [],
    'names in the record of a webhook that are not in camelCase',
  );
  const fields = { balance: 1, customField1: 'camel', isPromotional: true };
  expectSame(objectIn((await tryCreate(t, fields)).response).customField1, 'camel', 'customField1');
});

async function findsNoCard(t: Trial, what: string, prefix: string): Promise<void> {
  const on = await plainCard(t);
  const found = await viewByCode(t, on.code);
  controlHolds(t, 'the card is found at a path that starts with /api/', Object(found.json).id === on.id);
  const path = `${prefix}/GiftCard/GetByCode/${encodeURIComponent(on.code)}`;
  const response = await t.send(`GET the card ${what}`, { method: 'GET', path, odd: true });
  expectThat(response.status !== 200 || !holdsCard(response.json, on), `no card at a path ${what}`, describeResponse(response));
}

rule('http.paths-under-api', {}, (t) => findsNoCard(t, 'without /api', ''));

rule('http.paths-carry-no-version', {}, async (t) => {
  await findsNoCard(t, 'with v1 after /api', '/api/v1');
  await findsNoCard(t, 'with v1 before /api', '/v1/api');
  await findsNoCard(t, 'with v2 after /api', '/api/v2');
});
