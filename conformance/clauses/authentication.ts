import { fullPage, shortList } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import {
  expectAmount,
  expectSame,
  expectStatus,
  expectSuccess,
  expectThat,
  inWords,
  isAbsent,
  objectIn,
} from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import type { Mailbox } from '../http/receiver.ts';
import { mentions } from '../http/structure.ts';
import { byCode, byId, history, historyById } from '../scenarios/adjustments.ts';
import {
  balanceOf,
  byEmail,
  type Card,
  card,
  create,
  getByCode,
  getById,
  holdsCard,
  sentFields,
  voidByCode,
  voidById,
} from '../scenarios/cards.ts';
import {
  byChannelId,
  channelLookup,
  type EndpointRequest,
  everyEndpoint,
  orUndefined,
  sendRecorded,
} from '../scenarios/endpoints.ts';
import { isListed, list } from '../scenarios/lists.ts';
import { mutableCard } from '../scenarios/shared-cards.ts';
import {
  deleteWebhook,
  idsOf,
  isListedAt,
  listWebhooks,
  quietUrl,
  register,
  registration,
  removeAll,
} from '../scenarios/webhooks.ts';

type Expect = (answer: Answer, what: string) => void;

const is401: Expect = (answer, what) => expectStatus(answer, 401, what);

/** A request that the target accepts with the run's key: the list, or if there is none, a look-up. */
const acceptedRequest = (t: Trial): Promise<Ask> =>
  t.control("the target accepts the run's key", async () => {
    const listed = await list(t, { pageSize: 1 });
    if (!isAbsent(listed.status)) {
      expectSuccess(listed, 'the list');
      return shortList;
    }
    const { code } = await mutableCard(t);
    expectSuccess(await getByCode(t, code), 'looking a card up');
    return { method: 'GET', path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}` };
  });

const shortPath = ({ path }: Ask) => path.split('/').slice(0, 4).join('/');

/** Sends a request with another key, and expects something of the response, unless the endpoint is missing for the run's key, too. */
async function sendWith(t: Trial, key: string | null, keyName: string, request: EndpointRequest, expect: Expect): Promise<void> {
  const what = `${request.method} ${shortPath(request)} with ${keyName}`;
  const answer = await sendRecorded(t, request, (ask) => t.send(what, { ...ask, key }));
  const withOwnKey = () => sendRecorded(t, request, (ask) => t.send("the same with the run's key", ask));
  // The target may report another reason first.
  if (answer.status === 400 && request.otherwise === 400) t.doesNotCheck(`${request.path}, some of whose names were not found`);
  else if (isAbsent(answer.status) && request.otherwise !== 404 && isAbsent((await withOwnKey()).status))
    t.doesNotCheck(`${shortPath(request)}, which is missing for the run's key, too`);
  else expect(answer, what);
}

clause('authentication.missing-key-is-401', {}, async (t) => {
  t.doesNotCheck('web store coupons, whose paths are unknown');
  const on = await card(t);
  await acceptedRequest(t);
  for (const request of await everyEndpoint(t, on.code, on.id)) await sendWith(t, null, 'no key', request, is401);
  is401((await create(t, {}, null)).answer, 'a create without a key');
  const { ask, entry } = registration(t);
  const registered = await t.send('register a webhook without a key', { ...ask, key: null });
  t.run.ledger.settle(entry, registered);
  is401(registered, 'a registration of a webhook without a key');
  expectAmount(await balanceOf(t, on.code), 1, `balance of ${on.name}`);
});

clause('authentication.key-is-in-header', {}, async (t) => {
  const request = await acceptedRequest(t);
  t.doesNotCheck('whether the target accepts a key elsewhere if the header is missing');
  const ask: Ask = { ...request, query: { ...request.query, 'x-api-key': t.run.key }, key: `wrong-${t.run.ledger.fresh()}` };
  const answer = await t.send('a request with the key in the query and a wrong one in the header', ask);
  is401(answer, 'a request with a wrong key in the header');
});

/** Sends requests to all endpoints with another key, and a create. */
async function isRejectedEverywhere(t: Trial, key: string, keyName: string, expect: Expect): Promise<void> {
  t.doesNotCheck('web store coupons, whose paths are unknown; automation events and registering webhooks');
  const on = await mutableCard(t);
  const before = await balanceOf(t, on.code);
  await acceptedRequest(t);
  // A safe run may send no events. Requests without a key include one.
  const requests = (await everyEndpoint(t, on.code, on.id)).filter(({ path }) => path !== '/api/AutomationTriggerEvents');
  for (const request of requests) await sendWith(t, key, keyName, request, expect);
  expect((await create(t, {}, key)).answer, `a create with ${keyName}`);
  expectAmount(await balanceOf(t, on.code), before, `balance of ${on.name}`);
}

/** Keys that are similar to the run's own. */
function similarKeys(key: string): [string, string][] {
  const middle = Math.floor(key.length / 2);
  const other = key[middle]?.toLowerCase() === 'q' ? '7' : 'q';
  return [
    ['the key and a period', `${key}.`],
    ['the key without its last letter', key.replace(/[a-z0-9][^a-z0-9]*$/i, '')],
    ['the key with another letter in it', key.slice(0, middle) + other + key.slice(middle + 1)],
    ['an empty key', ''],
  ];
}

clause('authentication.wrong-key-is-401', {}, async (t) => {
  await isRejectedEverywhere(t, `wrong-${t.run.ledger.fresh()}`, 'an unknown key', is401);
  for (const [what, key] of similarKeys(t.run.key)) is401(await list(t, { pageSize: 1 }, key), `a list with ${what}`);
});

clause('authentication.deleted-key-is-401', { needs: ['deletedKey'] }, async (t, { deletedKey }) => {
  await isRejectedEverywhere(t, deletedKey, 'a deleted key', is401);
});

const cardOfSecondAccount = (t: Trial, secondKey: string) =>
  t.shared('card of the second account', (shared) => card(shared, { balance: 1.5 }, secondKey));

clause('authentication.key-acts-on-its-own-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const other = await cardOfSecondAccount(t, secondKey);
  await t.control('the second account has the card', async () =>
    expectSame(objectIn(await getByCode(t, other.code, secondKey)).id, other.id, 'ID'),
  );
  expectStatus(await getByCode(t, other.code), 404, 'a card of another account');
});

clause('authentication.foreign-record-is-404', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  t.doesNotCheck('webhooks, which authentication.lists-own-records-only checks');
  const on = await card(t, { balance: 1.5 });
  await t.control('its own account has the card', async () => expectSame(objectIn(await getByCode(t, on.code)).id, on.id, 'ID'));
  await t.control('the target accepts the second key', async () =>
    expectSuccess(await list(t, { pageSize: 1 }, secondKey), 'the list'),
  );
  const requests = [
    () => getByCode(t, on.code, secondKey),
    () => getById(t, on.id, secondKey),
    () => history(t, on.code, secondKey),
    () => historyById(t, on.id, secondKey),
    () => byCode(t, on, 0.25, {}, secondKey),
    () => byId(t, on, 0.25, {}, secondKey),
    () => voidByCode(t, on.code, secondKey),
    () => voidById(t, on.id, secondKey),
  ];
  for (const request of requests) expectStatus(await request(), 404, 'a card of another account');
  const found = objectIn(await getByCode(t, on.code));
  expectSame(found.status, 'Active', 'status of the card');
  expectAmount(found.balance, 1.5, 'balance of the card');
});

/** The second account neither lists nor deletes a webhook of the first. The webhook is deleted before other tests cause deliveries to it. */
async function hidesWebhooks(t: Trial, on: Card, secondKey: string): Promise<void> {
  const { url, box } = await quietUrl(t);
  const registered = (await register(t, url)).answer;
  if (registered.status !== 200) {
    t.doesNotCheck(`the list of webhooks: none could be registered (${inWords(registered)})`);
    return;
  }
  try {
    const own = await t.control('its own account lists the webhook', async () => {
      const { json } = await listWebhooks(t);
      expectThat(isListedAt(t, json, url), 'the webhook', 'a list without it');
      return json;
    });
    const others = await listWebhooks(t, secondKey);
    expectSuccess(others, 'the list of webhooks of the second account');
    expectThat(!isListedAt(t, others.json, url), 'no webhook of another account in the list', inWords(others));
    await getsOwnDeliveriesOnly(t, on, box, secondKey);
    const [id = ''] = idsOf(t, own, url);
    expectStatus(await deleteWebhook(t, id, secondKey), 404, 'deleting a webhook of another account');
    const { json } = await listWebhooks(t);
    expectThat(isListedAt(t, json, url), 'the webhook that another account tried to delete', 'a list without it');
  } finally {
    // Cleanup deletes what this cannot delete.
    await removeAll(t, [url]).catch(() => undefined);
  }
}

/** Voids a card of the other account before one of its own, so that a delivery about it would arrive first. */
async function getsOwnDeliveriesOnly(t: Trial, on: Card, box: Mailbox | undefined, secondKey: string): Promise<void> {
  const { receiver } = t.run;
  if (!box || !receiver) return;
  const came = (code: string) => box.arrivals.some(({ payload }) => payload?.Code === code);
  const other = await cardOfSecondAccount(t, secondKey);
  await voidByCode(t, other.code, secondKey);
  await voidByCode(t, on.code);
  if (await receiver.until(() => came(on.code), 2_000)) await receiver.until(() => came(other.code), 250);
  else t.doesNotCheck("deliveries about another account's cards: none arrived about the account's own");
  expectThat(!came(other.code), 'no delivery about a card of another account', `a delivery about ${other.name}`);
}

/** The cards that the run created with its own key only, under codes that it chose. */
function cardsOfOwnAccount({ run: { ledger } }: Trial) {
  const isOwn = ({ account }: (typeof ledger.entries)[number]) => account === 'key';
  const elsewhere = new Set(ledger.entries.filter((entry) => !isOwn(entry)).map(({ code }) => code));
  return ledger.entries.filter((entry) => isOwn(entry) && entry.own && !elsewhere.has(entry.code));
}

clause('authentication.lists-own-records-only', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const address = `${t.run.ledger.fresh('gcs').toLowerCase()}@example.com`;
  const on = await card(t, { ...sentFields, recipientEmailAddress: address });
  await t.control('its own account lists the card', async () =>
    expectThat(await isListed(t, on), 'the card', 'a list without it'),
  );
  expectThat(!(await isListed(t, on, {}, secondKey)), 'no card of another account in the list', `${on.name} in it`);
  for (const query of [{ includeAll: true }, { since: new Date(Date.now() - 600_000).toISOString() }]) {
    const { json } = await list(t, { pageSize: fullPage, ...query }, secondKey);
    const names = cardsOfOwnAccount(t).flatMap(({ code, name }) => (mentions(json, code) ? [name] : []));
    expectSame(names, [], `cards of another account in the list with ${Object.keys(query).join()}`);
  }
  await t.control('its own account finds the card by its address', async () =>
    expectThat(holdsCard((await byEmail(t, address, on)).json, on), 'the card', 'a search without it'),
  );
  // The response to an address without cards is open.
  const found = await byEmail(t, address, undefined, secondKey);
  expectThat(
    found.status === 200 || found.status === 404,
    'a search with the second key answered with 200 or 404',
    inWords(found),
  );
  expectThat(!holdsCard(found.json, on), 'no card of another account by its address', inWords(found));
  const channel = await orUndefined(channelLookup(t));
  if (channel) {
    const { names, values } = channel;
    const answer = await byChannelId(t, { [names.platform]: values.platform, [names.source]: values.source }, secondKey);
    expectThat(!holdsCard(answer.json, channel.on), "no card of another account by its channel's ID", inWords(answer));
  }
  await hidesWebhooks(t, on, secondKey);
});

clause('authentication.basic-plan-refused', { needs: ['basicKey'] }, async (t, { basicKey }) => {
  await isRejectedEverywhere(t, basicKey, 'a key of the Basic plan', (answer, what) =>
    expectThat(answer.status >= 400 && answer.status < 500, `${what} rejected`, inWords(answer)),
  );
  t.doesNotCheck('the status of the rejection (open)');
});

const paidKeys = ['proKey', 'plusKey', 'enterpriseKey'] as const;

clause('authentication.paid-plans-admitted', { needsOneOf: paidKeys }, async (t) => {
  const { proKey, plusKey, enterpriseKey } = t.run.profile;
  await t.control('the target rejects an unknown key', async () =>
    is401(await list(t, { pageSize: 1 }, `wrong-${t.run.ledger.fresh()}`), 'it'),
  );
  for (const [plan, key] of Object.entries({ Pro: proKey, Plus: plusKey, Enterprise: enterpriseKey })) {
    if (key === undefined) {
      t.doesNotCheck(`an account on the plan ${plan}: the profile has no key of one`);
      continue;
    }
    const what = `a list with a key of an account on the plan ${plan}`;
    const { giftCards } = objectIn(await list(t, { pageSize: 1 }, key), what);
    expectThat(Array.isArray(giftCards), what, typeof giftCards);
  }
});
