import { fullPage } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { giftCard, holds, same, told } from '../core/expect.ts';
import { camelCase } from '../core/spec-constants.ts';
import { arranged, type Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { recordWith, spelledNamesIn } from '../http/structure.ts';
import { byCode, history, historyById } from '../scenarios/adjustments.ts';
import { create, getByCode, getById, holdsCard } from '../scenarios/cards.ts';
import { list } from '../scenarios/lists.ts';
import { mutableCard, plainCard } from '../scenarios/shared-cards.ts';
import { listWebhooks, ownRecord } from '../scenarios/webhooks.ts';

/** One answer of every endpoint that surely has something to say, by what was asked. */
async function answers(t: Trial): Promise<[string, Answer][]> {
  const on = await plainCard(t);
  const moved = await mutableCard(t);
  return [
    ['the create', on.answer],
    ['the card by its code', await getByCode(t, on.code)],
    ['the card by its id', await getById(t, on.id)],
    ['the list', await list(t, { pageSize: fullPage })],
    ['an adjustment', await byCode(t, moved, 0.25)],
    ['the history', await history(t, moved.code)],
    ['the history by its id', await historyById(t, moved.id)],
    ['the list of webhooks', await listWebhooks(t)],
    ['the business profile', await t.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' })],
  ];
}

clause('http.json-bodies', {}, async (t) => {
  t.doesNotCheck('bodies that are not shown, such as those of voiding');
  const all = await answers(t);
  for (const [what, answer] of all) {
    if (answer.status !== 200) continue;
    holds(answer.json !== undefined, `JSON in the answer to ${what}`, told(answer));
  }
  for (const [what, answer] of all) arranged(answer, what);
});

clause('http.camel-case-names', {}, async (t) => {
  const { code, id } = await plainCard(t);
  const all = await answers(t);
  for (const [what, answer] of all) {
    if (answer.status !== 200) continue;
    // Records of others may hold data of theirs under names of theirs.
    const outside = what === 'the list' ? Object.keys(giftCard(answer, 'the list')) : [];
    const own = what === 'the list' ? (recordWith(answer.json, code) ?? recordWith(answer.json, id)) : answer.json;
    const others = [...outside, ...spelledNamesIn(own)].filter((name) => !camelCase.test(name));
    same(others, [], `names in the answer to ${what} that are not in camelCase`);
  }
  for (const [what, answer] of all) arranged(answer, what);
  const inList = spelledNamesIn(await ownRecord(t)).filter((name) => !camelCase.test(name));
  same(inList, [], 'names in the record of a webhook that are not in camelCase');
  const asked = { balance: 1, customField1: 'camel', isPromotional: true };
  same(giftCard((await create(t, asked)).answer).customField1, 'camel', 'customField1 as it was sent');
});

/** That the path is no way to the card, whatever it answers; the card is found where it should be. */
async function leadsNowhere(t: Trial, what: string, path: (code: string) => string): Promise<void> {
  const on = await plainCard(t);
  await t.control('the card is found under /api/ without a version', async () =>
    same(giftCard(await getByCode(t, on.code)).id, on.id, 'id'),
  );
  const answer = await t.send(`GET the card ${what}`, { method: 'GET', path: path(encodeURIComponent(on.code)), odd: true });
  holds(answer.status !== 200 || !holdsCard(answer.json, on), `no card at a path ${what}`, told(answer));
}

clause('http.paths-under-api', {}, async (t) => {
  await leadsNowhere(t, 'without /api', (code) => `/GiftCard/GetByCode/${code}`);
});

clause('http.paths-carry-no-version', {}, async (t) => {
  await leadsNowhere(t, 'with v1 after /api', (code) => `/api/v1/GiftCard/GetByCode/${code}`);
  await leadsNowhere(t, 'with v1 before /api', (code) => `/v1/api/GiftCard/GetByCode/${code}`);
  await leadsNowhere(t, 'with v2 after /api', (code) => `/api/v2/GiftCard/GetByCode/${code}`);
});
