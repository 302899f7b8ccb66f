import { clause } from '../core/clause.ts';
import { describeAnswer, expectAmount, expectSame, expectStatus, expectSuccess, expectThat, objectIn } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import type { Mailbox } from '../http/receiver.ts';
import { byCode, byId, history, historyById } from '../scenarios/adjustments.ts';
import { byEmail, type Card, card, getByCode, getById, holdsCard, sentFields, voidByCode, voidById } from '../scenarios/cards.ts';
import { byChannelId, channelLookup } from '../scenarios/channels.ts';
import { controlAccepts, controlFinds } from '../scenarios/controls.ts';
import { orUndefined } from '../scenarios/endpoints.ts';
import { isListed, list } from '../scenarios/lists.ts';
import { deleteWebhook, idsOf, isListedAt, listWebhooks, quietUrl, register, removeAll } from '../scenarios/webhooks.ts';

/** A key reaches the records of its own account only. */

const needs = ['secondKey'] as const;

const cardOfSecondAccount = (t: Trial, secondKey: string) =>
  t.shared('card of the second account', (shared) => card(shared, { balance: 1.5 }, secondKey));

clause('authentication.key-acts-on-its-own-account', { needs }, async (t, { secondKey }) => {
  const other = await cardOfSecondAccount(t, secondKey);
  await controlFinds(t, other, secondKey);
  expectStatus(await getByCode(t, other.code), 404, 'a card of another account');
});

clause('authentication.foreign-record-is-404', { needs }, async (t, { secondKey }) => {
  t.doesNotCheck('webhooks, which authentication.lists-own-records-only checks');
  const on = await card(t, { balance: 1.5 });
  await controlFinds(t, on);
  await controlAccepts(t, 'a list with the second key', list(t, { pageSize: 1 }, secondKey));
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

clause('authentication.lists-own-records-only', { needs }, async (t, { secondKey }) => {
  const address = `${t.run.ledger.fresh('gcs').toLowerCase()}@example.com`;
  const on = await card(t, { ...sentFields, recipientEmailAddress: address });
  await isInNoOtherList(t, on, secondKey);
  await isInNoOtherSearch(t, on, address, secondKey);
  const { url, box } = await quietUrl(t);
  const { answer } = await register(t, url);
  if (answer.status !== 200) {
    t.doesNotCheck(`the list of webhooks: none could be registered (${describeAnswer(answer)})`);
    return;
  }
  try {
    await isNoOtherWebhook(t, url, secondKey);
    await getsNoOtherDeliveries(t, on, box, secondKey);
  } finally {
    // Other tests cause deliveries. Cleanup deletes what this cannot delete.
    await removeAll(t, [url]).catch(() => undefined);
  }
});

async function isInNoOtherList(t: Trial, on: Card, secondKey: string): Promise<void> {
  await t.control('its own account lists the card', async () =>
    expectThat(await isListed(t, on), 'the card', 'a list without it'),
  );
  const recent = new Date(Date.now() - 600_000).toISOString();
  for (const query of [{}, { includeAll: true }, { since: recent }])
    expectThat(!(await isListed(t, on, query, secondKey)), 'no card of another account in the list', `${on.name} in it`);
}

async function isInNoOtherSearch(t: Trial, on: Card, address: string, secondKey: string): Promise<void> {
  await t.control('its own account finds the card by its address', async () =>
    expectThat(holdsCard((await byEmail(t, address, on)).json, on), 'the card', 'a search without it'),
  );
  // The response to an address without cards is open.
  const found = await byEmail(t, address, undefined, secondKey);
  expectThat([200, 404].includes(found.status), 'a search with the second key answered with 200 or 404', describeAnswer(found));
  expectThat(!holdsCard(found.json, on), 'no card of another account by its address', describeAnswer(found));
  const channel = await orUndefined(channelLookup(t));
  if (!channel) return;
  const answer = await byChannelId(t, channel.query, secondKey);
  expectThat(!holdsCard(answer.json, channel.on), "no card of another account by its channel's ID", describeAnswer(answer));
}

/** The second account neither lists nor deletes the webhook. */
async function isNoOtherWebhook(t: Trial, url: string, secondKey: string): Promise<void> {
  const own = await t.control('its own account lists the webhook', async () => {
    const { json } = await listWebhooks(t);
    expectThat(isListedAt(t, json, url), 'the webhook', 'a list without it');
    return json;
  });
  const others = await listWebhooks(t, secondKey);
  expectSuccess(others, 'the list of webhooks of the second account');
  expectThat(!isListedAt(t, others.json, url), 'no webhook of another account in the list', describeAnswer(others));
  const [id = ''] = idsOf(t, own, url);
  expectStatus(await deleteWebhook(t, id, secondKey), 404, 'deleting a webhook of another account');
  const { json } = await listWebhooks(t);
  expectThat(isListedAt(t, json, url), 'the webhook that another account tried to delete', 'a list without it');
}

/** Voids a card of the second account first, so that a delivery about it would arrive first. */
async function getsNoOtherDeliveries(t: Trial, on: Card, box: Mailbox | undefined, secondKey: string): Promise<void> {
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
