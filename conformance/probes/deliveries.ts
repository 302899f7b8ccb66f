import { probe, type Unlisted, unlisted } from '../core/clause.ts';
import { expectThat } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { leaves, mentions, stepsTo } from '../http/json-search.ts';
import { ownRecords } from '../safety/record-cleanup.ts';
import {
  type CardName,
  type DeliveryScenario,
  deliveryScenario,
  mostFailures,
  payloadOf,
} from '../scenarios/delivery-scenario.ts';
import { timedDeliveries, voidedDelivery } from '../scenarios/single-deliveries.ts';
import { deletions, registrations } from '../scenarios/webhooks.ts';
import { optionFor, otherBody } from './responses.ts';

const needs = ['receiver'] as const;

/** The scenario, in which the card's void arrived: earlier deliveries about the card would have arrived, too. */
async function scenarioWithVoid(t: Trial, ...names: CardName[]): Promise<DeliveryScenario> {
  const scenario = await deliveryScenario(t);
  for (const on of names.map((name) => scenario.cards[name]))
    if (scenario.of(scenario.boxes.signed, on, 'giftcard/voided').length === 0)
      throw new Untested('control-failed', `giftcard/voided of ${on.name} did not arrive`);
  return scenario;
}

/** Whether giftcard/updated arrived for the card's issue. A void may send it, too; then it shows a voided card. */
async function updatedOnIssue(t: Trial, name: CardName): Promise<boolean> {
  const { of, boxes, cards } = await scenarioWithVoid(t, name);
  return of(boxes.signed, cards[name], 'giftcard/updated').some(({ payload }) => payload?.Status !== 'Voided');
}

probe('delivery.updated.without-notification', { needs }, async (t) => ((await updatedOnIssue(t, 'bare')) ? 'sent' : 'not-sent'));

probe('delivery.updated.with-gifted', { needs }, async (t) => ((await updatedOnIssue(t, 'gifted')) ? 'yes' : 'no'));

probe('delivery.gifted.with-emails-disabled', { needs }, async (t) => {
  const { of, boxes, cards } = await scenarioWithVoid(t, 'quiet');
  return of(boxes.signed, cards.quiet, 'giftcard/gifted').length > 0 ? 'yes' : 'no';
});

probe('gift-card.void.again-delivers', { needs }, async (t) => {
  const { of, boxes, cards } = await scenarioWithVoid(t, 'gifted', 'bare');
  return of(boxes.signed, cards.gifted, 'giftcard/voided').length > 1 ? 'yes' : 'no';
});

probe('gift-card.void.update-delivery', { needs }, async (t) => {
  const { of, boxes, cards } = await scenarioWithVoid(t, 'bare');
  const updates = [cards.notified, cards.quiet].flatMap((on) => of(boxes.signed, on, 'giftcard/updated'));
  return updates.some(({ payload }) => payload?.Status === 'Voided') ? 'yes' : 'no';
});

probe('gift-card.void.waiting-gift', { needs: ['receiver', 'clock'] }, async (t, { clock }) => {
  const { gifted, hasVoidedGift } = await timedDeliveries(t, clock);
  if (!gifted.came) throw new Untested('control-failed', 'no giftcard/gifted of a gift that was not voided arrived');
  return hasVoidedGift ? 'sent' : 'dropped';
});

probe('delivery.failure', { needs }, async (t) => {
  const { of, boxes, looks } = await deliveryScenario(t);
  const listed = looks.at(-1)?.listed;
  if (of(boxes.missing).length < mostFailures && listed?.has(boxes.missing))
    throw new Untested('control-failed', `fewer than ${mostFailures} deliveries arrived, which disable a webhook`);
  if (listed?.has(boxes.failing)) return unlisted('500 is not a failure either');
  return listed?.has(boxes.missing) ? 'no-answer-or-5xx' : 'anything-but-2xx';
});

probe('delivery.redirects', { needs }, async (t) => {
  const { of, boxes, looks } = await deliveryScenario(t);
  if (of(boxes.moved).length === 0) throw new Untested('control-failed', 'no delivery arrived at the webhook that redirects');
  if (of(boxes.elsewhere).length > 0) return 'followed';
  return looks.at(-1)?.listed.has(boxes.moved) ? unlisted('not followed, and not a failure') : 'failed';
});

probe('delivery.order', { needs }, async (t) => {
  const { of, boxes } = await deliveryScenario(t);
  const [, next] = of(boxes.slow);
  if (!next) throw new Untested('control-failed', 'no second delivery arrived at a webhook that responds slowly');
  return next.unanswered > 0 ? 'any' : 'as-they-happened';
});

const buyer = { buyerName: 'Conformance Buyer', buyerEmailAddress: 'buyer@example.com' };
const recipient = { recipientName: 'Conformance Recipient', recipientEmailAddress: 'recipient@example.com' };

probe('delivery.payload.buyer-of-card-not-gifted', { needs }, async (t) => {
  const { BuyerName: name, BuyerEmail: email } = await voidedDelivery(t, { ...buyer, ...recipient });
  if (name === recipient.recipientName && email === recipient.recipientEmailAddress) return 'recipient';
  return name === buyer.buyerName && email === buyer.buyerEmailAddress ? 'buyer' : unlisted('neither, or some of each');
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
  const text = String((await payloadOf(t, 'gifted', 'giftcard/voided')).ExpiresAtUtc);
  if (/T\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return 'milliseconds-and-z';
  if (/T\d\d:\d\d:\d\dZ$/.test(text)) return 'seconds-and-z';
  return /T\d\d:\d\d:\d\d(\.\d+)?$/.test(text) ? 'without-zone' : unlisted(`for example ${text}`);
});

const trueOrEmpty = ({ json, body }: Answer): 'true' | 'empty' | Unlisted => {
  if (json === true) return 'true';
  return body.trim() === '' ? 'empty' : otherBody(json);
};

probe('webhook.create.body', {}, async (t) => {
  const { plain, lists } = await registrations(t);
  const { json } = mustSucceed(plain.answer, 'registering a webhook');
  if (!mentions(json, plain.url)) return trueOrEmpty(plain.answer);
  const [record] = ownRecords(lists.all, plain.entry);
  const urlPath = (value: unknown) => leaves(value).find((leaf) => leaf.value === plain.url)?.path ?? '';
  const [inResponse, inRecord] = [urlPath(json), urlPath(record)];
  const wrapper = inResponse.endsWith(inRecord) ? stepsTo(inResponse.slice(0, inResponse.length - inRecord.length)) : '';
  return wrapper ? { option: 'the-record', overrides: [{ wrap: 'createWebhook', in: wrapper }] } : 'the-record';
});

probe('webhook.delete.body', {}, async (t) =>
  trueOrEmpty(mustSucceed((await deletions(t)).deletions.first, 'deleting a webhook')),
);

probe('webhook.delete.disabled', { needs }, async (t) => {
  const { deletionOfDisabled } = await deliveryScenario(t);
  if (!deletionOfDisabled) throw new Untested('control-failed', 'no webhook was disabled');
  const { status } = deletionOfDisabled;
  return optionFor(status, { 200: 'deleted', 404: '404' }, `answers ${status}`);
});

probe('webhook.create.again-while-disabled', { needs }, async (t) => {
  const { revivedIds } = await deliveryScenario(t);
  if (!revivedIds) throw new Untested('control-failed', 'no webhook was disabled before the last void');
  return revivedIds.after.some((id) => revivedIds.before.includes(id)) ? 'same-record' : 'new-record';
});
