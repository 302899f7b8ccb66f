import { expectThat } from '../core/expect.ts';
import { probe, unlisted } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { leaves, mentions, stepsTo } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { ownRecords } from '../safety/record-cleanup.ts';
import { controlHolds } from '../scenarios/controls.ts';
import type { DeliveryTopic } from '../scenarios/delivery-content.ts';
import { type CardName, deliveryScenario, mostFailures } from '../scenarios/delivery-scenario.ts';
import { controlDelivered, payloadOf } from '../scenarios/payloads.ts';
import { timedDeliveries, voidedDelivery } from '../scenarios/single-deliveries.ts';
import { deletions, registerInEveryWay } from '../scenarios/webhooks.ts';
import { dateForm, optionFor, successBody } from './responses.ts';

const needs = ['receiver'] as const;

/** Returns a function that finds deliveries by card and topic. The control is that giftcard/voided of `last` arrived, because earlier deliveries have then arrived, too. */
async function deliveriesUntilVoid(t: Trial, last: CardName) {
  const { of, boxes, cards } = await deliveryScenario(t);
  const about = (name: CardName, topic: DeliveryTopic) =>
    of(boxes.signed, cards[name], topic).map(({ payload }) => payload ?? {});
  await controlDelivered(t, last, 'giftcard/voided');
  return about;
}

/** Reports whether giftcard/updated arrived for the card's issue. Ignores payloads of voided cards, because a void may also send giftcard/updated. */
async function isUpdatedOnIssue(t: Trial, name: CardName): Promise<boolean> {
  const about = await deliveriesUntilVoid(t, name);
  return about(name, 'giftcard/updated').some(({ Status }) => Status !== 'Voided');
}

const yesOrNo = (isSo: boolean) => (isSo ? 'yes' : 'no');

probe('delivery.updated.without-notification', { needs }, async (t) =>
  (await isUpdatedOnIssue(t, 'bare')) ? 'sent' : 'not-sent',
);

probe('delivery.updated.with-gifted', { needs }, async (t) => yesOrNo(await isUpdatedOnIssue(t, 'gifted')));

probe('delivery.gifted.with-emails-disabled', { needs }, async (t) => {
  const about = await deliveriesUntilVoid(t, 'quiet');
  return yesOrNo(about('quiet', 'giftcard/gifted').length > 0);
});

probe('gift-card.void.again-delivers', { needs }, async (t) => {
  const about = await deliveriesUntilVoid(t, 'bare');
  await controlDelivered(t, 'gifted', 'giftcard/voided');
  return yesOrNo(about('gifted', 'giftcard/voided').length > 1);
});

probe('gift-card.void.update-delivery', { needs }, async (t) => {
  const about = await deliveriesUntilVoid(t, 'bare');
  const updates = [...about('notified', 'giftcard/updated'), ...about('quiet', 'giftcard/updated')];
  return yesOrNo(updates.some(({ Status }) => Status === 'Voided'));
});

probe('gift-card.void.waiting-gift', { needs: ['receiver', 'clock'] }, async (t, { clock }) => {
  const { gifted, hasVoidedGift } = await timedDeliveries(t, clock);
  controlHolds(t, 'giftcard/gifted of a gift that was not voided arrived', gifted.came);
  return hasVoidedGift ? 'sent' : 'dropped';
});

probe('delivery.failure', { needs }, async (t) => {
  const { of, boxes, webhookLists } = await deliveryScenario(t);
  const { listed } = webhookLists.last;
  const isListed = listed.has(boxes.missing);
  controlHolds(t, `${mostFailures} deliveries arrived`, !isListed || of(boxes.missing).length >= mostFailures);
  if (listed.has(boxes.failing)) return unlisted('neither 404 nor 500 is a failure');
  return isListed ? 'no-response-or-5xx' : 'anything-but-2xx';
});

probe('delivery.redirects', { needs }, async (t) => {
  const { of, boxes, webhookLists } = await deliveryScenario(t);
  controlHolds(t, 'a delivery arrived at the webhook that redirects', of(boxes.moved).length > 0);
  if (of(boxes.elsewhere).length > 0) return 'followed';
  return webhookLists.last.listed.has(boxes.moved) ? unlisted('not followed, and not a failure') : 'failed';
});

probe('delivery.order', { needs }, async (t) => {
  const { of, boxes } = await deliveryScenario(t);
  const [, next] = of(boxes.slow);
  if (!next) throw new Untested('control-failed', 'no second delivery arrived at a webhook that responds slowly');
  return next.unfinishedBefore > 0 ? 'any' : 'as-they-happened';
});

const buyer = { buyerName: 'Conformance Buyer', buyerEmailAddress: 'buyer@example.com' };
const recipient = { recipientName: 'Conformance Recipient', recipientEmailAddress: 'recipient@example.com' };

probe('delivery.payload.buyer-of-card-not-gifted', { needs }, async (t) => {
  const { BuyerName: name, BuyerEmail: email } = await voidedDelivery(t, { ...buyer, ...recipient });
  if (name === recipient.recipientName && email === recipient.recipientEmailAddress) return 'recipient';
  return name === buyer.buyerName && email === buyer.buyerEmailAddress
    ? 'buyer'
    : unlisted('neither the recipient nor the buyer, or a mixture');
});

probe('delivery.payload.buyer-unknown', { needs }, async (t) => {
  const { BuyerName, BuyerEmail } = await payloadOf(t, 'bare', 'giftcard/voided');
  const both = JSON.stringify([BuyerName, BuyerEmail]);
  return optionFor(both, { '["",""]': 'empty-string', '[null,null]': 'null' });
});

probe('delivery.payload.api-event-properties-left-out', { needs }, async (t) => {
  const payload = await payloadOf(t, 'bare', 'giftcard/voided');
  if (!('ApiEventProperties' in payload)) return 'left-out';
  expectThat(payload.ApiEventProperties === null, 'no ApiEventProperties, or null', JSON.stringify(payload.ApiEventProperties));
  return 'null';
});

const nullable = ['RecipientName', 'RecipientEmailAddress', 'GiftCardMessage', 'GiftCardBatchId', 'AutomationId', 'CampaignId'];

probe('delivery.payload.nulls', { needs }, async (t) => {
  const payload = await payloadOf(t, 'bare', 'giftcard/voided');
  const present = nullable.filter((name) => name in payload);
  if (present.length === 0) return 'left-out';
  return present.length === nullable.length ? 'present' : unlisted(`only ${present.join(', ')}`);
});

probe('delivery.payload.date-form', { needs }, async (t) => {
  const { ExpiresAtUtc } = await payloadOf(t, 'gifted', 'giftcard/voided');
  return dateForm(String(ExpiresAtUtc));
});

probe('webhook.create.body', {}, async (t) => {
  const { plain, lists } = await registerInEveryWay(t);
  const { json } = mustSucceed(plain.response, 'registering a webhook');
  if (!mentions(json, plain.url)) return successBody(plain.response);
  const [record] = ownRecords(lists.all, plain.entry);
  const urlPath = (value: unknown) => leaves(value).find((leaf) => leaf.value === plain.url)?.path ?? '';
  const [inResponse, inRecord] = [urlPath(json), urlPath(record)];
  const wrapper = inResponse.endsWith(inRecord) ? stepsTo(inResponse.slice(0, inResponse.length - inRecord.length)) : '';
  return wrapper ? { option: 'the-record', overrides: [{ wrap: 'createWebhook', in: wrapper }] } : 'the-record';
});

probe('webhook.delete.body', {}, async (t) =>
  successBody(mustSucceed((await deletions(t)).deletions.first, 'deleting a webhook')),
);

probe('webhook.delete.disabled', { needs }, async (t) => {
  const { deletionOfDisabled } = await deliveryScenario(t);
  if (!deletionOfDisabled) throw new Untested('control-failed', 'no webhook was disabled');
  return optionFor(deletionOfDisabled.status, { 200: 'deleted', 404: '404' });
});

probe('webhook.create.again-while-disabled', { needs }, async (t) => {
  const { revivedIds } = await deliveryScenario(t);
  if (!revivedIds) throw new Untested('control-failed', 'no webhook was disabled before the last void');
  return revivedIds.after.some((id) => revivedIds.before.includes(id)) ? 'same-record' : 'new-record';
});
