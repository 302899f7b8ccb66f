import { probe, somethingElse } from '../core/clause.ts';
import { holds } from '../core/expect.ts';
import { delivered } from '../scenarios/arrivals.ts';
import { voidedDelivery } from '../scenarios/one-delivery.ts';

const needs = ['receiver'] as const;

const buyer = { buyerName: 'Conformance Buyer', buyerEmailAddress: 'buyer@example.com' };
const recipient = { recipientName: 'Conformance Recipient', recipientEmailAddress: 'recipient@example.com' };

probe('delivery.payload.buyer-of-card-not-gifted', { needs }, async (t) => {
  const { BuyerName: name, BuyerEmail: email } = (await voidedDelivery(t, { ...buyer, ...recipient }))?.payload ?? {};
  if (name === recipient.recipientName && email === recipient.recipientEmailAddress) return 'recipient';
  return name === buyer.buyerName && email === buyer.buyerEmailAddress ? 'buyer' : somethingElse('neither, or some of each');
});

probe('delivery.payload.buyer-unknown', { needs }, async (t) => {
  const { BuyerName: name, BuyerEmail: email } = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  if (name === '' && email === '') return 'empty-string';
  return name === null && email === null ? 'null' : somethingElse('something else than nothing');
});

probe('delivery.payload.api-event-properties-left-out', { needs }, async (t) => {
  const { payload } = await delivered(t, 'bare', 'giftcard/voided');
  if (!('ApiEventProperties' in payload)) return 'left-out';
  // What is excluded under every reading is something that holds nothing, or that no event can have brought.
  holds(payload.ApiEventProperties === null, 'no ApiEventProperties, or null', JSON.stringify(payload.ApiEventProperties));
  return 'null';
});

const nullable = ['RecipientName', 'RecipientEmailAddress', 'GiftCardMessage', 'GiftCardBatchId', 'AutomationId', 'CampaignId'];

probe('delivery.payload.nulls', { needs }, async (t) => {
  const { payload } = await delivered(t, 'bare', 'giftcard/voided');
  const there = nullable.filter((name) => name in payload);
  if (there.length === 0) return 'left-out';
  return there.length === nullable.length ? 'present' : somethingElse(`only ${there.join(', ')}`);
});

probe('delivery.payload.date-form', { needs }, async (t) => {
  const { payload } = await delivered(t, 'gifted', 'giftcard/voided');
  const text = String(payload.ExpiresAtUtc);
  if (/T\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return 'milliseconds-and-z';
  if (/T\d\d:\d\d:\d\dZ$/.test(text)) return 'seconds-and-z';
  return /T\d\d:\d\d:\d\d(\.\d+)?$/.test(text) ? 'without-zone' : somethingElse(`such as ${text}`);
});
