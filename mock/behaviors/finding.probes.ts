import { type Fixture, NOON } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const GONE = {
  id: '0b9f6a52-6c1e-4b5e-9a57-2f1f4d1c7e10',
  code: 'GONE',
  initialValue: 25,
  recipientEmailAddress: 'rita@example.com',
  deleted: true,
  inChannels: { shop: { sourceId: '840021' } },
} as const;
const WITH_GONE = { channels: [{ id: 'shop', name: 'Shop' }], cards: [GONE] };

const BY_EMAIL = '/api/GiftCard/GetByEmail';
const BY_SOURCE = '/api/GiftCard/GetByAccountPlatformIdAndSourceId';
const OF_RITA = `${BY_EMAIL}?emailAddress=rita@example.com`;

/** The codes of Rita's cards. */
function codesOf({ ask }: Fixture): string[] {
  return ask('GET', OF_RITA).body.map(({ code }: { code: string }) => code);
}

/** The questions of openapi/clauses/finding.yaml. */
export const findingProbes = {
  'gift-card.get-by-id.malformed-id': {
    observe: ({ ask }) => [
      ask('GET', '/api/GiftCard/GetById/seven').status,
      ask('DELETE', '/api/GiftCard/VoidById/seven').status,
      ask('GET', '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/seven').status,
      ask('GET', '/api/GiftCard/GetById/00000000-0000-4000-8000-000000000000').status,
    ],
    shows: { '404': [404, 404, 404, 404], '400': [400, 400, 400, 404] },
  },
  'gift-card.get-by-code.deleted-card': {
    account: WITH_GONE,
    observe: ({ ask }) => ask('GET', '/api/GiftCard/GetByCode/GONE').status,
    shows: { hidden: 404, found: 200 },
  },
  'gift-card.get-by-id.deleted-card': {
    account: WITH_GONE,
    observe: ({ ask }) => ask('GET', `/api/GiftCard/GetById/${GONE.id}`).status,
    shows: { found: 200, hidden: 404 },
  },
  'gift-card.get-by-email.deleted-card': {
    account: WITH_GONE,
    observe: codesOf,
    shows: { hidden: [], found: ['GONE'] },
  },
  'gift-card.get-by-email.shape': {
    observe: ({ ask }) => ask('GET', OF_RITA).body,
    shows: { array: [], giftCards: { giftCards: [] } },
  },
  'gift-card.get-by-email.no-match': {
    observe: ({ ask }) => ask('GET', OF_RITA).status,
    shows: { empty: 200, '404': 404 },
  },
  'gift-card.get-by-email.no-parameter': {
    observe: ({ ask }) => [ask('GET', BY_EMAIL).status, ask('GET', `${BY_EMAIL}?emailAddress=`).status],
    shows: { refused: [400, 400], empty: [200, 200] },
  },
  'gift-card.get-by-email.letter-case': {
    observe: (fixture) => {
      fixture.create({ code: 'CASE', recipientEmailAddress: 'Rita@example.com' });
      return codesOf(fixture);
    },
    shows: { ignored: ['CASE'], counts: [] },
  },
  'gift-card.get-by-email.which-cards': {
    observe: (fixture) => {
      const recipientEmailAddress = 'rita@example.com';
      const gift = { sendAsGift: true, recipientName: 'Rita', buyerName: 'Ben', giftScheduledForUtc: '2026-01-16T12:00:00Z' };
      fixture.create({ code: 'QUIET', recipientEmailAddress });
      fixture.create({ code: 'SENT', recipientEmailAddress, shouldSendNotification: true });
      fixture.create({ code: 'DISABLED', recipientEmailAddress, shouldSendNotification: true, disableEmails: true });
      fixture.create({ code: 'LATER', recipientEmailAddress, shouldSendNotification: true, ...gift });
      const before = codesOf(fixture);
      fixture.at(NOON + 86_400_000);
      return [before, codesOf(fixture)];
    },
    shows: {
      'all-with-the-address': [
        ['LATER', 'DISABLED', 'SENT', 'QUIET'],
        ['LATER', 'DISABLED', 'SENT', 'QUIET'],
      ],
      delivered: [['SENT'], ['LATER', 'SENT']],
    },
  },
  'gift-card.get-by-email.order': {
    observe: (fixture) => {
      for (const [minute, code] of ['FIRST', 'SECOND', 'THIRD'].entries()) {
        fixture.at(NOON + minute * 60_000);
        fixture.create({ code, recipientEmailAddress: 'rita@example.com' });
      }
      fixture.at(NOON + 180_000);
      fixture.adjust('SECOND', 5);
      return codesOf(fixture);
    },
    shows: {
      'last-updated-first': ['SECOND', 'THIRD', 'FIRST'],
      'newest-first': ['THIRD', 'SECOND', 'FIRST'],
      'oldest-first': ['FIRST', 'SECOND', 'THIRD'],
    },
  },
  'gift-card.get-by-source.platform-parameter': {
    observe: ({ ask }) =>
      ['accountPlatformId', 'platformId'].filter((name) => ask('GET', `${BY_SOURCE}?${name}=shop&sourceId=1`).status === 404),
    shows: { accountPlatformId: ['accountPlatformId'], platformId: ['platformId'] },
  },
  'gift-card.get-by-source.source-parameter': {
    observe: ({ ask }) =>
      ['sourceId', 'giftCardSourceId'].filter(
        (name) => ask('GET', `${BY_SOURCE}?accountPlatformId=shop&${name}=1`).status === 404,
      ),
    shows: { sourceId: ['sourceId'], giftCardSourceId: ['giftCardSourceId'] },
  },
  'gift-card.get-by-source.answer': {
    account: { channels: [{ id: 'shop', name: 'Shop' }], cards: [{ ...GONE, deleted: false }] },
    observe: ({ ask }) => Object.keys(ask('GET', `${BY_SOURCE}?accountPlatformId=shop&sourceId=840021`).body).length,
    shows: { 'the-card': 27, giftCard: 1 },
  },
  'gift-card.get-by-source.missing-parameter': {
    observe: ({ ask }) => [
      ask('GET', `${BY_SOURCE}?accountPlatformId=shop`).status,
      ask('GET', `${BY_SOURCE}?sourceId=1`).status,
      ask('GET', `${BY_SOURCE}?accountPlatformId=shop&sourceId=`).status,
    ],
    shows: { refused: [400, 400, 400], 'not-found': [404, 404, 404] },
  },
  'gift-card.get-by-source.unknown': {
    observe: ({ ask }) => {
      const { status, body } = ask('GET', `${BY_SOURCE}?accountPlatformId=shop&sourceId=1`);
      return [status, body === null];
    },
    shows: { '404': [404, false], null: [200, true] },
  },
  'gift-card.get-by-source.deleted-card': {
    account: WITH_GONE,
    observe: ({ ask }) => ask('GET', `${BY_SOURCE}?accountPlatformId=shop&sourceId=840021`).status,
    shows: { hidden: 404, found: 200 },
  },
} satisfies Partial<Probes>;
