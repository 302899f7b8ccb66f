import type { Fixture } from '../testing/fixture.ts';
import { BUYER, NOTIFIED, RECIPIENT } from '../testing/shop-fixture.ts';
import type { Probes } from './probe.ts';
import { receiving } from './receiving.ts';

const DATED = { expiresAtUtc: '2026-03-01T12:00:00Z' };

/** What is delivered when a card of these fields is voided. */
async function delivered(fixture: Fixture, fields: Readonly<Record<string, unknown>> = {}) {
  const receiver = await receiving(fixture);
  const { code } = fixture.create(fields);
  fixture.ask('DELETE', `/api/GiftCard/VoidByCode/${code}`);
  await fixture.sandbox.settled();
  return receiver.payloads.at(-1);
}

/** The questions of openapi/clauses/payload.yaml. */
export const payloadProbes = {
  'delivery.payload.buyer-of-card-not-gifted': {
    observe: async (fixture) => {
      const { BuyerName, BuyerEmail } = await delivered(fixture, { ...NOTIFIED, ...BUYER });
      return [BuyerName, BuyerEmail];
    },
    shows: {
      recipient: [RECIPIENT.recipientName, RECIPIENT.recipientEmailAddress],
      buyer: [BUYER.buyerName, BUYER.buyerEmailAddress],
    },
  },
  'delivery.payload.buyer-unknown': {
    observe: async (fixture) => {
      const { BuyerName, BuyerEmail } = await delivered(fixture);
      return [BuyerName, BuyerEmail];
    },
    shows: { 'empty-string': ['', ''], null: [null, null] },
  },
  'delivery.payload.formatted-form': {
    account: { currency: 'EUR', locale: 'en-US' },
    observe: async (fixture) => (await delivered(fixture, { balance: 1234.5 })).FormattedInitialValue,
    shows: { 'account-currency-style': '€1,234.50', 'code-and-number': 'EUR 1234.50' },
  },
  'delivery.payload.api-event-properties-left-out': {
    observe: async (fixture) => (await delivered(fixture))?.ApiEventProperties,
    shows: { 'left-out': undefined, null: null },
  },
  'delivery.payload.nulls': {
    observe: async (fixture) => {
      const payload = await delivered(fixture);
      return ['ExpiresAtUtc', 'RecipientName', 'AutomationId', 'BuyerName'].filter((name) => name in payload);
    },
    shows: { present: ['ExpiresAtUtc', 'RecipientName', 'AutomationId', 'BuyerName'], 'left-out': ['BuyerName'] },
  },
  'delivery.payload.date-form': {
    observe: async (fixture) => {
      const { CreatedAt, ExpiresAtUtc } = await delivered(fixture, DATED);
      return [CreatedAt, ExpiresAtUtc];
    },
    shows: {
      'milliseconds-and-z': ['2026-01-15T12:00:00.000Z', '2026-03-01T12:00:00.000Z'],
      'seconds-and-z': ['2026-01-15T12:00:00Z', '2026-03-01T12:00:00Z'],
      'without-zone': ['2026-01-15T12:00:00.000', '2026-03-01T12:00:00.000'],
    },
  },
} satisfies Partial<Probes>;
