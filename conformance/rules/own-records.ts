import { describeResponse, expectAmount, expectSame, expectStatus, expectSuccess, expectThat, objectIn } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { unknownIdLike } from '../http/json-search.ts';
import { fullPage } from '../safety/card-search.ts';
import { adjustByCode, adjustById, sendHistory, sendHistoryById } from '../scenarios/adjustments.ts';
import {
  byEmail,
  createCard,
  getByCode,
  getById,
  holdsCard,
  sentFields,
  type TestCard,
  voidByCode,
  voidById,
} from '../scenarios/cards.ts';
import { byChannelId, channelLookup } from '../scenarios/channels.ts';
import { controlAccepts, controlHolds, orUndefined } from '../scenarios/controls.ts';
import { topicsOf } from '../scenarios/delivery-content.ts';
import { recipient } from '../scenarios/events.ts';
import { isListed, sendList } from '../scenarios/lists.ts';
import { deliveriesToOtherAccount } from '../scenarios/single-deliveries.ts';
import { idsOf, isListedAt, quietUrl, register, removeAll, sendDeleteWebhook, sendListWebhooks } from '../scenarios/webhooks.ts';

const needs = ['secondKey'] as const;

rule('authentication.key-acts-on-its-own-account', { needs }, async (t, { secondKey }) => {
  const other = await createCard(t, { balance: 1.5 }, secondKey);
  const found = await getByCode(t, other.code);
  // Lookups may find cards of other accounts, which another rule reports. So the card must also be in the list.
  const isOnAccount = found.status === 200 && (await isListed(t, other));
  expectThat(!isOnAccount, 'the card that secondKey created not on the account of the run', describeResponse(found));
  await controlAccepts(t, 'the card on its own account', getByCode(t, other.code, secondKey));
  if (t.mustLeaveOut('deliveries to webhooks of other accounts')) return;
  const foreign = await orUndefined(deliveriesToOtherAccount(t, secondKey));
  if (foreign) expectThat(foreign.length === 0, 'no delivery to a webhook of another account', topicsOf(foreign));
  else t.doesNotCheck('deliveries to webhooks of other accounts: the second account got no delivery of its own');
});

/** Expects 404 to a request for a record of another account. If an unknown record gets the same status, does not check the request, because another rule reports that status. */
async function isUnknown(
  t: Trial,
  what: string,
  response: TargetResponse,
  ofUnknown: () => Promise<TargetResponse>,
): Promise<void> {
  if (response.status === 404) return;
  if ((await ofUnknown()).status === response.status) t.doesNotCheck(`${what}: an unknown record gets ${response.status}, too`);
  else expectStatus(response, 404, what);
}

rule('authentication.foreign-record-is-404', { needs }, async (t, { secondKey }) => {
  t.doesNotCheck('webhooks, which authentication.lists-own-records-only checks');
  const on = await createCard(t, { balance: 1.5 });
  await controlAccepts(t, 'the card on its own account', getByCode(t, on.code));
  await controlAccepts(t, 'a list with the second key', sendList(t, { pageSize: 1 }, secondKey));
  const unknown = { ...on, code: t.run.ledger.fresh('GCSNONE'), id: unknownIdLike(on.id) };
  const requests: Record<string, (of: TestCard) => Promise<TargetResponse>> = {
    'a lookup by code': ({ code }) => getByCode(t, code, secondKey),
    'a lookup by ID': ({ id }) => getById(t, id, secondKey),
    'the history by code': ({ code }) => sendHistory(t, code, secondKey),
    'the history by ID': ({ id }) => sendHistoryById(t, id, secondKey),
    'an adjustment by code': (of) => adjustByCode(t, of, 0.25, {}, secondKey),
    'an adjustment by ID': (of) => adjustById(t, of, 0.25, {}, secondKey),
    'a void by code': ({ code }) => voidByCode(t, code, secondKey),
    'a void by ID': ({ id }) => voidById(t, id, secondKey),
  };
  for (const [what, request] of Object.entries(requests))
    await isUnknown(t, `${what} of another account's card`, await request(on), () => request(unknown));
  const found = objectIn(await getByCode(t, on.code));
  expectSame(found.status, objectIn(on.response).status, 'status of the card');
  expectAmount(found.balance, 1.5, 'balance of the card');
});

rule('authentication.lists-own-records-only', { needs }, async (t, { secondKey }) => {
  const address = recipient(t);
  const on = await createCard(t, { ...sentFields, recipientEmailAddress: address });
  await controlAccepts(t, 'a list with the second key', sendList(t, { pageSize: 1 }, secondKey));
  const isHidden = async (
    what: string,
    look: (key?: string) => Promise<TargetResponse>,
    wanted: Pick<TestCard, 'code' | 'id'> = on,
  ) => {
    controlHolds(t, `its own account finds the card in ${what}`, holdsCard((await look()).json, wanted));
    const response = await look(secondKey);
    expectThat(!holdsCard(response.json, wanted), `no card of another account in ${what}`, describeResponse(response));
  };
  for (const query of [{}, { includeAll: true }, { since: '2000-01-01T00:00:00Z' }])
    await isHidden('the list', (key) => sendList(t, { pageSize: fullPage, ...query }, key));
  await isHidden('a search by address', (key) => byEmail(t, address, key === undefined ? on : undefined, key));
  const channel = await orUndefined(channelLookup(t));
  if (channel)
    await isHidden("a lookup by the card's ID in the channel", (key) => byChannelId(t, channel.query, key), channel.on);
  const url = await quietUrl(t);
  const { response } = await register(t, url);
  if (response.status !== 200)
    return t.doesNotCheck(`the list of webhooks: no webhook could be registered (${describeResponse(response)})`);
  const own = (await sendListWebhooks(t)).json;
  controlHolds(t, 'its own account lists the webhook', isListedAt(t, own, url));
  const others = await sendListWebhooks(t, secondKey);
  expectSuccess(others, 'the list of webhooks of the second account');
  expectThat(!isListedAt(t, others.json, url), 'no webhook of another account in the list', describeResponse(others));
  const [id = ''] = idsOf(t, own, url);
  const remove = (which: string | number) => sendDeleteWebhook(t, which, secondKey);
  await isUnknown(t, 'deleting a webhook of another account', await remove(id), () => remove(unknownIdLike(id)));
  await removeAll(t, [url]);
});
