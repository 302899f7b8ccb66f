import { byCode, byId, history, historyById } from '../arrange/adjustments.ts';
import {
  balanceOf,
  byEmail,
  card,
  create,
  getByCode,
  getById,
  holdsCard,
  plainCard,
  sentFields,
  voidByCode,
  voidById,
} from '../arrange/cards.ts';
import { everyEndpoint } from '../arrange/endpoints.ts';
import { isListed, list } from '../arrange/lists.ts';
import { address, listWebhooks, register, registration } from '../arrange/webhooks.ts';
import { clause } from '../clause.ts';
import type { Ask } from '../client.ts';
import { accepted, giftCard, hasStatus, holds, same, sameAmount, told } from '../expect.ts';
import { mentions } from '../structure.ts';
import type { Trial } from '../trial.ts';

const keyIsTaken = (t: Trial) =>
  t.control('the key of the run is taken', async () => accepted(await list(t, { pageSize: 1 }), 'the list'));

clause('authentication.missing-key-is-401', {}, async (t) => {
  t.notJudged = 'web store coupons: their paths are not shown';
  const on = await card(t);
  await keyIsTaken(t);
  for (const ask of await everyEndpoint(t, on.code, on.id)) {
    const answer = await t.send(`${ask.method} ${ask.path} without a key`, { ...ask, key: null });
    // What is wrong besides may be told first, so that names of no use prove nothing.
    if (answer.status === 400 && ask.otherwise === 400) t.notJudged += `; ${ask.path}, of which not all names are found`;
    else hasStatus(answer, 401, `${ask.method} ${ask.path} without a key`);
  }
  hasStatus((await create(t, {}, null)).answer, 401, 'a create without a key');
  const { ask, entry } = registration(t);
  const registered = await t.send('register a webhook without a key', { ...ask, key: null });
  t.run.ledger.settle(entry, registered);
  hasStatus(registered, 401, 'a webhook’s registration without a key');
  sameAmount(await balanceOf(t, on.code), 1, `balance of ${on.name}`);
});

clause('authentication.key-is-in-header', {}, async (t) => {
  await keyIsTaken(t);
  t.notJudged = 'whether a key is taken elsewhere where the header is missing (open)';
  // So that the header counts, whatever else is looked at.
  const wrong = `wrong-${t.run.ledger.fresh()}`;
  const ask: Ask = { method: 'GET', path: '/api/GiftCard/List', query: { pageSize: 1, 'x-api-key': t.run.key }, key: wrong };
  const answer = await t.send('list with the key in the query and a wrong one in the header', ask);
  hasStatus(answer, 401, 'a list with the key in the query and a wrong one in the header');
});

clause('authentication.wrong-key-is-401', {}, async (t) => {
  const on = await plainCard(t);
  await keyIsTaken(t);
  const wrong = `wrong-${t.run.ledger.fresh()}`;
  hasStatus(await list(t, { pageSize: 1 }, wrong), 401, 'a list with a key that does not exist');
  hasStatus(await getByCode(t, on.code, wrong), 401, 'a card with a key that does not exist');
  hasStatus((await create(t, {}, wrong)).answer, 401, 'a create with a key that does not exist');
});

clause('authentication.deleted-key-is-401', { needs: ['deletedKey'] }, async (t, { deletedKey }) => {
  const on = await plainCard(t);
  await keyIsTaken(t);
  hasStatus(await list(t, { pageSize: 1 }, deletedKey), 401, 'a list with a deleted key');
  hasStatus(await getByCode(t, on.code, deletedKey), 401, 'a card with a deleted key');
  hasStatus((await create(t, {}, deletedKey)).answer, 401, 'a create with a deleted key');
});

clause('authentication.key-acts-on-its-own-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const other = await card(t, { balance: 1.5 }, secondKey);
  await t.control('the second account has the card', async () =>
    same(giftCard(await getByCode(t, other.code, secondKey)).id, other.id, 'id'),
  );
  hasStatus(await getByCode(t, other.code), 404, 'a card that was created with another account’s key');
});

clause('authentication.foreign-record-is-404', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const on = await card(t, { balance: 1.5 });
  await t.control('its own account has the card', async () => same(giftCard(await getByCode(t, on.code)).id, on.id, 'id'));
  await t.control('the second key is taken', async () => accepted(await list(t, { pageSize: 1 }, secondKey), 'the list'));
  const attempts = [
    () => getByCode(t, on.code, secondKey),
    () => getById(t, on.id, secondKey),
    () => history(t, on.code, secondKey),
    () => historyById(t, on.id, secondKey),
    () => byCode(t, on, 0.25, {}, secondKey),
    () => byId(t, on, 0.25, {}, secondKey),
    () => voidByCode(t, on.code, secondKey),
    () => voidById(t, on.id, secondKey),
  ];
  for (const attempt of attempts) hasStatus(await attempt(), 404, 'a card of another account');
  const found = giftCard(await getByCode(t, on.code));
  same(found.status, 'Active', 'status of the card');
  sameAmount(found.balance, 1.5, 'balance of the card');
});

/** The webhook is gone again before anything happens that would be delivered to it. */
async function listsOwnWebhooksOnly(t: Trial, secondKey: string): Promise<void> {
  const { ledger, client } = t.run;
  const url = await address(t);
  const registered = (await register(t, url)).answer;
  if (registered.status !== 200) {
    t.notJudged = `the list of webhooks: none could be registered (${told(registered)})`;
    return;
  }
  try {
    await t.control('its own account lists the webhook', async () =>
      holds(mentions((await listWebhooks(t)).json, url), 'the webhook', 'a list without it'),
    );
    const others = await listWebhooks(t, secondKey);
    accepted(others, 'the list of the second account’s webhooks');
    holds(!mentions(others.json, url), 'no webhook of another account in the list', told(others));
  } finally {
    await ledger.sweepWebhooks(client);
  }
}

clause('authentication.lists-own-records-only', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const address = `${t.run.ledger.fresh('gcs').toLowerCase()}@example.com`;
  const on = await card(t, { ...sentFields, recipientEmailAddress: address });
  await t.control('its own account lists the card', async () => holds(await isListed(t, on), 'the card', 'a list without it'));
  holds(!(await isListed(t, on, {}, secondKey)), 'no card of another account in the list', `${on.name} in it`);
  await t.control('its own account finds the card by its address', async () =>
    holds(holdsCard((await byEmail(t, address, on)).json, on), 'the card', 'a search without it'),
  );
  // What an address without cards gets, an empty answer or 404, is open.
  const found = await byEmail(t, address, undefined, secondKey);
  holds(found.status === 200 || found.status === 404, 'a search with the second key answered', told(found));
  holds(!holdsCard(found.json, on), 'no card of another account by its address', told(found));
  await listsOwnWebhooksOnly(t, secondKey);
});

clause('authentication.basic-plan-refused', { needs: ['basicKey'] }, async (t, { basicKey }) => {
  t.notJudged = 'the status of the refusal (open)';
  await keyIsTaken(t);
  const listed = await list(t, { pageSize: 1 }, basicKey);
  holds(listed.status >= 400 && listed.status < 500, 'a list with a Basic plan’s key refused', told(listed));
  const created = (await create(t, {}, basicKey)).answer;
  holds(created.status >= 400 && created.status < 500, 'a create with a Basic plan’s key refused', told(created));
});

const paidKeys = ['proKey', 'plusKey', 'enterpriseKey'] as const;

clause('authentication.paid-plans-admitted', { needsOneOf: paidKeys }, async (t) => {
  const { proKey, plusKey, enterpriseKey } = t.run.profile;
  const keys = Object.entries({ Pro: proKey, Plus: plusKey, Enterprise: enterpriseKey });
  const without = keys.filter(([, key]) => key === undefined).map(([plan]) => plan);
  if (without.length > 0) t.notJudged = `accounts on the plan ${without.join(' and ')}: the profile gives no key of one`;
  for (const [plan, key] of keys)
    if (key !== undefined)
      accepted(await list(t, { pageSize: 1 }, key), `a request with a key of an account on the plan ${plan}`);
});
