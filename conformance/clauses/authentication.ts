import { fullPage, shortList } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { accepted, giftCard, hasStatus, holds, isAbsent, same, sameAmount, told } from '../core/expect.ts';
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

/** Resolves with the look that was let in: at the list or, where there is none, at a card. */
const keyIsTaken = (t: Trial): Promise<Ask> =>
  t.control('the key of the run is taken', async () => {
    const listed = await list(t, { pageSize: 1 });
    if (!isAbsent(listed.status)) {
      accepted(listed, 'the list');
      return shortList;
    }
    const { code } = await mutableCard(t);
    accepted(await getByCode(t, code), 'looking a card up');
    return { method: 'GET', path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}` };
  });

/** Sends what a key, or none, is to be refused for. Of an endpoint that is not there for the run's own key either nothing is judged. */
async function shut(
  t: Trial,
  { what, ask, key }: { what: string; ask: EndpointRequest; key: string | null },
  judge: (answer: Answer, what: string) => void,
): Promise<void> {
  const withKey = () => sendRecorded(t, ask, (noted) => t.send('the same with the key', noted));
  const answer = await sendRecorded(t, ask, (noted) => t.send(what, { ...noted, key }));
  // What is wrong besides may be told first, so that names of no use prove nothing.
  if (answer.status === 400 && ask.otherwise === 400) t.doesNotCheck(`${ask.path}, of which not all names are found`);
  else if (isAbsent(answer.status) && ask.otherwise !== 404 && isAbsent((await withKey()).status))
    t.doesNotCheck(`${ask.path.split('/').slice(0, 4).join('/')}, which is not there for the run’s own key either`);
  else judge(answer, what);
}

clause('authentication.missing-key-is-401', {}, async (t) => {
  t.doesNotCheck('web store coupons: their paths are not shown');
  const on = await card(t);
  await keyIsTaken(t);
  for (const ask of await everyEndpoint(t, on.code, on.id))
    await shut(t, { what: `${ask.method} ${ask.path} without a key`, ask, key: null }, is401);
  hasStatus((await create(t, {}, null)).answer, 401, 'a create without a key');
  const { ask, entry } = registration(t);
  const registered = await t.send('register a webhook without a key', { ...ask, key: null });
  t.run.ledger.settle(entry, registered);
  hasStatus(registered, 401, 'a webhook’s registration without a key');
  sameAmount(await balanceOf(t, on.code), 1, `balance of ${on.name}`);
});

clause('authentication.key-is-in-header', {}, async (t) => {
  const look = await keyIsTaken(t);
  t.doesNotCheck('whether a key is taken elsewhere where the header is missing (open)');
  // So that the header counts, whatever else is looked at.
  const wrong = `wrong-${t.run.ledger.fresh()}`;
  const ask: Ask = { ...look, query: { ...look.query, 'x-api-key': t.run.key }, key: wrong };
  is401(
    await t.send('a look with the key in the query and a wrong one in the header', ask),
    'a look with a wrong key in the header',
  );
});

/** What asks for nothing that a careful run has to be allowed: a request without any key is sent to all the others, too. */
const isCautious = ({ path }: Ask) => path !== '/api/AutomationTriggerEvents';

/** That no endpoint does anything for the key: each is asked, and a card is asked for. */
async function isRefusedEverywhere(
  t: Trial,
  [what, key]: readonly [string, string],
  judge: (answer: Answer, what: string) => void,
): Promise<void> {
  t.doesNotCheck('web store coupons, whose paths are not shown; automation events and registering webhooks');
  const on = await mutableCard(t);
  const before = await balanceOf(t, on.code);
  await keyIsTaken(t);
  for (const ask of (await everyEndpoint(t, on.code, on.id)).filter(isCautious)) {
    const asked = `${ask.method} ${ask.path.split('/').slice(0, 4).join('/')} with ${what}`;
    await shut(t, { what: asked, ask, key }, judge);
  }
  judge((await create(t, {}, key)).answer, `a create with ${what}`);
  sameAmount(await balanceOf(t, on.code), before, `balance of ${on.name}`);
}

const is401 = (answer: Answer, what: string) => hasStatus(answer, 401, what);

/** Keys that are nearly the run's own, and differ from it in more than letter case (authentication.key-letter-case). */
function almost(key: string): [string, string][] {
  const middle = Math.floor(key.length / 2);
  const other = key[middle]?.toLowerCase() === 'q' ? '7' : 'q';
  return [
    ['the key and a full stop', `${key}.`],
    ['the key without its last letter', key.replace(/[a-z0-9][^a-z0-9]*$/i, '')],
    ['the key with another letter in it', key.slice(0, middle) + other + key.slice(middle + 1)],
    ['a key that is empty', ''],
  ];
}

clause('authentication.wrong-key-is-401', {}, async (t) => {
  await isRefusedEverywhere(t, ['a key that does not exist', `wrong-${t.run.ledger.fresh()}`], is401);
  for (const [what, key] of almost(t.run.key)) is401(await list(t, { pageSize: 1 }, key), `a list with ${what}`);
});

clause('authentication.deleted-key-is-401', { needs: ['deletedKey'] }, async (t, { deletedKey }) => {
  await isRefusedEverywhere(t, ['a deleted key', deletedKey], is401);
});

const othersCard = (t: Trial, secondKey: string) =>
  t.shared('card of the second account', (shared) => card(shared, { balance: 1.5 }, secondKey));

clause('authentication.key-acts-on-its-own-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const other = await othersCard(t, secondKey);
  await t.control('the second account has the card', async () =>
    same(giftCard(await getByCode(t, other.code, secondKey)).id, other.id, 'id'),
  );
  hasStatus(await getByCode(t, other.code), 404, 'a card that was created with another account’s key');
});

clause('authentication.foreign-record-is-404', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  t.doesNotCheck('webhooks, one of which authentication.lists-own-records-only asks to delete');
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

/** The webhook is gone again before anything of other checks happens that would be delivered to it. */
async function hasOwnWebhooksOnly(t: Trial, on: Card, secondKey: string): Promise<void> {
  const { url, box } = await quietUrl(t);
  const registered = (await register(t, url)).answer;
  if (registered.status !== 200) {
    t.doesNotCheck(`the list of webhooks: none could be registered (${told(registered)})`);
    return;
  }
  try {
    const own = await t.control('its own account lists the webhook', async () => {
      const { json } = await listWebhooks(t);
      holds(isListedAt(t, json, url), 'the webhook', 'a list without it');
      return json;
    });
    const others = await listWebhooks(t, secondKey);
    accepted(others, 'the list of the second account’s webhooks');
    holds(!isListedAt(t, others.json, url), 'no webhook of another account in the list', told(others));
    await isToldOfOwnCardsOnly(t, on, box, secondKey);
    const [id = ''] = idsOf(t, own, url);
    hasStatus(await deleteWebhook(t, id, secondKey), 404, 'the deletion of a webhook of another account');
    holds(
      isListedAt(t, (await listWebhooks(t)).json, url),
      'the webhook, which another account asked to delete',
      'a list without it',
    );
  } finally {
    // What this cannot delete, the end of the run does.
    await removeAll(t, [url]).catch(() => undefined);
  }
}

/** Milliseconds: for the delivery of the account's own card, and for one of the other's beside it. */
const patience = { own: 2_000, beside: 250 };

/** The other account's card is voided first, so that what is delivered of it comes before what is delivered of the account's own. */
async function isToldOfOwnCardsOnly(t: Trial, on: Card, box: Mailbox | undefined, secondKey: string): Promise<void> {
  const { receiver } = t.run;
  if (!box || !receiver) return;
  const came = (code: string) => box.arrivals.some(({ payload }) => payload?.Code === code);
  const other = await othersCard(t, secondKey);
  await voidByCode(t, other.code, secondKey);
  await voidByCode(t, on.code);
  if (await receiver.until(() => came(on.code), patience.own)) await receiver.until(() => came(other.code), patience.beside);
  else t.doesNotCheck('deliveries of another account’s cards: none came of the account’s own');
  holds(!came(other.code), 'no delivery of a card of another account', `a delivery of ${other.name}`);
}

/** All cards that the run has made with its own key, under codes of its own choice, without those that it has asked for with other keys, too. */
function cardsOnlyHere({ run: { ledger } }: Trial) {
  const isOwn = ({ account }: (typeof ledger.entries)[number]) => account === 'key';
  const elsewhere = new Set(ledger.entries.filter((entry) => !isOwn(entry)).map(({ code }) => code));
  return ledger.entries.filter((entry) => isOwn(entry) && entry.own && !elsewhere.has(entry.code));
}

clause('authentication.lists-own-records-only', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const address = `${t.run.ledger.fresh('gcs').toLowerCase()}@example.com`;
  const on = await card(t, { ...sentFields, recipientEmailAddress: address });
  await t.control('its own account lists the card', async () => holds(await isListed(t, on), 'the card', 'a list without it'));
  holds(!(await isListed(t, on, {}, secondKey)), 'no card of another account in the list', `${on.name} in it`);
  for (const query of [{ includeAll: true }, { since: new Date(Date.now() - 600_000).toISOString() }]) {
    const { json } = await list(t, { pageSize: fullPage, ...query }, secondKey);
    const others = cardsOnlyHere(t).filter(({ code }) => mentions(json, code));
    const names = others.map(({ name }) => name).join(', ');
    holds(others.length === 0, `no card of another account in the list with ${Object.keys(query)}`, `${names} in it`);
  }
  await t.control('its own account finds the card by its address', async () =>
    holds(holdsCard((await byEmail(t, address, on)).json, on), 'the card', 'a search without it'),
  );
  // What an address without cards gets, an empty answer or 404, is open.
  const found = await byEmail(t, address, undefined, secondKey);
  holds(found.status === 200 || found.status === 404, 'a search with the second key answered', told(found));
  holds(!holdsCard(found.json, on), 'no card of another account by its address', told(found));
  const channels = await orUndefined(channelLookup(t));
  if (channels) {
    const { names, values } = channels;
    const ofChannel = await byChannelId(t, { [names.platform]: values.platform, [names.source]: values.source }, secondKey);
    holds(!holdsCard(ofChannel.json, channels.on), 'no card of another account by its channel’s ID', told(ofChannel));
  }
  await hasOwnWebhooksOnly(t, on, secondKey);
});

clause('authentication.basic-plan-refused', { needs: ['basicKey'] }, async (t, { basicKey }) => {
  await isRefusedEverywhere(t, ['a Basic plan’s key', basicKey], (answer, what) =>
    holds(answer.status >= 400 && answer.status < 500, `${what} refused`, told(answer)),
  );
  t.doesNotCheck('the status of the refusal (open)');
});

const paidKeys = ['proKey', 'plusKey', 'enterpriseKey'] as const;

clause('authentication.paid-plans-admitted', { needsOneOf: paidKeys }, async (t) => {
  const { proKey, plusKey, enterpriseKey } = t.run.profile;
  const keys = Object.entries({ Pro: proKey, Plus: plusKey, Enterprise: enterpriseKey });
  const without = keys.filter(([, key]) => key === undefined).map(([plan]) => plan);
  if (without.length > 0) t.doesNotCheck(`accounts on the plan ${without.join(' and ')}: the profile gives no key of one`);
  await t.control('a key that does not exist is refused', async () =>
    is401(await list(t, { pageSize: 1 }, `wrong-${t.run.ledger.fresh()}`), 'it'),
  );
  for (const [plan, key] of keys) {
    if (key === undefined) continue;
    const { giftCards } = giftCard(await list(t, { pageSize: 1 }, key), `a list with a key of an account on the plan ${plan}`);
    holds(Array.isArray(giftCards), `a list with a key of an account on the plan ${plan}`, typeof giftCards);
  }
});
