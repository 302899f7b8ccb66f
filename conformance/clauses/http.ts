import { fullPage } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { camelCase } from '../core/contract.ts';
import { describeAnswer, expectSame, expectThat, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { recordWith, spelledNamesIn } from '../http/json-search.ts';
import { byCode, history, historyById } from '../scenarios/adjustments.ts';
import { create, getByCode, getById, holdsCard } from '../scenarios/cards.ts';
import { list } from '../scenarios/lists.ts';
import { mutableCard, plainCard } from '../scenarios/shared-cards.ts';
import { listWebhooks, ownRecord } from '../scenarios/webhooks.ts';

/** A response of every endpoint whose response has a body, by what it answers. */
async function answers(t: Trial): Promise<[string, Answer][]> {
  const [on, adjusted] = [await plainCard(t), await mutableCard(t)];
  return [
    ['the create', on.answer],
    ['the card by its code', await getByCode(t, on.code)],
    ['the card by its ID', await getById(t, on.id)],
    ['the list', await list(t, { pageSize: fullPage })],
    ['an adjustment', await byCode(t, adjusted, 0.25)],
    ['the history', await history(t, adjusted.code)],
    ['the history by its ID', await historyById(t, adjusted.id)],
    ['the list of webhooks', await listWebhooks(t)],
    ['the business profile', await t.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' })],
  ];
}

/** Checks the responses with status 200. Blocked if there are others: other clauses report these. */
async function eachAnswer(t: Trial, check: (what: string, answer: Answer) => void): Promise<void> {
  const all = await answers(t);
  for (const [what, answer] of all) if (answer.status === 200) check(what, answer);
  for (const [what, answer] of all) mustSucceed(answer, what);
}

clause('http.json-bodies', {}, async (t) => {
  t.doesNotCheck('bodies that the specification does not show, such as those of voids');
  await eachAnswer(t, (what, answer) =>
    expectThat(answer.json !== undefined, `JSON in the response to ${what}`, describeAnswer(answer)),
  );
});

const notCamelCase = (names: readonly string[]) => names.filter((name) => !camelCase.test(name));

clause('http.camel-case-names', {}, async (t) => {
  const { code, id } = await plainCard(t);
  await eachAnswer(t, (what, answer) => {
    // Other records of the list may hold data under names of their own.
    const isList = what === 'the list';
    const top = isList ? Object.keys(objectIn(answer, what)) : [];
    const own = isList ? (recordWith(answer.json, code) ?? recordWith(answer.json, id)) : answer.json;
    expectSame(notCamelCase([...top, ...spelledNamesIn(own)]), [], `names in the response to ${what} that are not in camelCase`);
  });
  expectSame(notCamelCase(spelledNamesIn(await ownRecord(t))), [], 'names in the record of a webhook that are not in camelCase');
  const fields = { balance: 1, customField1: 'camel', isPromotional: true };
  expectSame(objectIn((await create(t, fields)).answer).customField1, 'camel', 'customField1');
});

/** The response at this path does not contain the card. */
async function findsNoCard(t: Trial, what: string, path: (code: string) => string): Promise<void> {
  const on = await plainCard(t);
  await t.control('the card is found below /api/', async () => expectSame(objectIn(await getByCode(t, on.code)).id, on.id, 'ID'));
  const answer = await t.send(`GET the card ${what}`, { method: 'GET', path: path(encodeURIComponent(on.code)), odd: true });
  expectThat(answer.status !== 200 || !holdsCard(answer.json, on), `no card at a path ${what}`, describeAnswer(answer));
}

clause('http.paths-under-api', {}, async (t) => {
  await findsNoCard(t, 'without /api', (code) => `/GiftCard/GetByCode/${code}`);
});

clause('http.paths-carry-no-version', {}, async (t) => {
  await findsNoCard(t, 'with v1 after /api', (code) => `/api/v1/GiftCard/GetByCode/${code}`);
  await findsNoCard(t, 'with v1 before /api', (code) => `/v1/api/GiftCard/GetByCode/${code}`);
  await findsNoCard(t, 'with v2 after /api', (code) => `/api/v2/GiftCard/GetByCode/${code}`);
});
