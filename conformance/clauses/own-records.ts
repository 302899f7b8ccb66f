import { fullPage } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { describeAnswer, expectAmount, expectSame, expectStatus, expectSuccess, expectThat, objectIn } from '../core/expect.ts';
import type { Answer } from '../http/exchange.ts';
import { byCode, byId, history, historyById } from '../scenarios/adjustments.ts';
import { byEmail, type Card, card, getByCode, getById, holdsCard, sentFields, voidByCode, voidById } from '../scenarios/cards.ts';
import { byChannelId, channelLookup } from '../scenarios/channels.ts';
import { controlAccepts, controlHolds, orUndefined } from '../scenarios/controls.ts';
import { recipient } from '../scenarios/events.ts';
import { list } from '../scenarios/lists.ts';
import { deleteWebhook, idsOf, isListedAt, listWebhooks, quietUrl, register, removeAll } from '../scenarios/webhooks.ts';

const needs = ['secondKey'] as const;

clause('authentication.key-acts-on-its-own-account', { needs }, async (t, { secondKey }) => {
  const other = await card(t, { balance: 1.5 }, secondKey);
  // A target may create the card on the run's account, so this lookup comes before the control.
  expectStatus(await getByCode(t, other.code), 404, 'a request for a card of another account');
  await controlAccepts(t, 'the card on its own account', getByCode(t, other.code, secondKey));
});

clause('authentication.foreign-record-is-404', { needs }, async (t, { secondKey }) => {
  t.doesNotCheck('webhooks, which authentication.lists-own-records-only checks');
  const on = await card(t, { balance: 1.5 });
  await controlAccepts(t, 'the card on its own account', getByCode(t, on.code));
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
  for (const request of requests) expectStatus(await request(), 404, 'a request for a card of another account');
  const found = objectIn(await getByCode(t, on.code));
  expectSame(found.status, 'Active', 'status of the card');
  expectAmount(found.balance, 1.5, 'balance of the card');
});

clause('authentication.lists-own-records-only', { needs }, async (t, { secondKey }) => {
  const address = recipient(t);
  const on = await card(t, { ...sentFields, recipientEmailAddress: address });
  await controlAccepts(t, 'a list with the second key', list(t, { pageSize: 1 }, secondKey));
  /** Checks that the run's key finds the card, and the second key does not. */
  const isHidden = async (what: string, look: (key?: string) => Promise<Answer>, wanted: Pick<Card, 'code' | 'id'> = on) => {
    controlHolds(t, `its own account finds the card in ${what}`, holdsCard((await look()).json, wanted));
    const answer = await look(secondKey);
    expectThat(!holdsCard(answer.json, wanted), `no card of another account in ${what}`, describeAnswer(answer));
  };
  for (const query of [{}, { includeAll: true }, { since: '2000-01-01T00:00:00Z' }])
    await isHidden('the list', (key) => list(t, { pageSize: fullPage, ...query }, key));
  await isHidden('a search by address', (key) => byEmail(t, address, key === undefined ? on : undefined, key));
  const channel = await orUndefined(channelLookup(t));
  if (channel)
    await isHidden("a lookup by the card's ID in the channel", (key) => byChannelId(t, channel.query, key), channel.on);
  const url = await quietUrl(t);
  const { answer } = await register(t, url);
  if (answer.status !== 200)
    return t.doesNotCheck(`the list of webhooks: no webhook could be registered (${describeAnswer(answer)})`);
  const own = (await listWebhooks(t)).json;
  controlHolds(t, 'its own account lists the webhook', isListedAt(t, own, url));
  const others = await listWebhooks(t, secondKey);
  expectSuccess(others, 'the list of webhooks of the second account');
  expectThat(!isListedAt(t, others.json, url), 'no webhook of another account in the list', describeAnswer(others));
  const [id = ''] = idsOf(t, own, url);
  expectStatus(await deleteWebhook(t, id, secondKey), 404, 'deleting a webhook of another account');
  await removeAll(t, [url]);
});
