import { type Fixture, NOON } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const RITA = { recipientName: 'Rita', recipientEmailAddress: 'rita@example.com' };
const GIFT = { ...RITA, buyerName: 'Ben', sendAsGift: true, shouldSendNotification: true };
const DELETED = '7b0e7c9e-6a4f-4c1d-9d50-2f5a40d3c001';

const created = ({ ask }: Fixture, fields: object) => ask('POST', '/api/GiftCard/Create', { balance: 25, ...fields });
const statusOf = (fixture: Fixture, fields: object) => created(fixture, fields).status;

async function emails({ sandbox, account }: Fixture): Promise<string[]> {
  await sandbox.settled();
  return account.outbox.emails().map(({ kind }) => kind);
}

/** The questions of openapi/clauses/creating.yaml. */
export const creatingProbes = {
  'gift-card.create.balance-required': {
    observe: ({ ask }) => {
      const { status, body } = ask('POST', '/api/GiftCard/Create', {});
      return [status, body.balance];
    },
    shows: { required: [400, undefined], 'zero-when-omitted': [200, 0] },
  },
  'gift-card.create.gifted-names-without-notification': {
    observe: (fixture) => statusOf(fixture, { sendAsGift: true }),
    shows: { needed: 400, 'not-needed': 200 },
  },
  'gift-card.create.blank-gifted-name': {
    observe: (fixture) => statusOf(fixture, { ...GIFT, buyerName: ' ' }),
    shows: { missing: 400, accepted: 200 },
  },
  'gift-card.create.notification-without-address': {
    observe: (fixture) => statusOf(fixture, { shouldSendNotification: true }),
    shows: { 'nothing-is-sent': 200, refused: 400 },
  },
  'gift-card.create.zero-balance': {
    observe: (fixture) => statusOf(fixture, { balance: 0 }),
    shows: { accepted: 200, refused: 400 },
  },
  'gift-card.create.negative-balance': {
    observe: (fixture) => {
      const { status, body } = created(fixture, { balance: -25 });
      return [status, body.balance];
    },
    shows: { refused: [400, undefined], accepted: [200, -25] },
  },
  'gift-card.create.largest-balance': {
    observe: (fixture) => [1e9, 1e9 + 0.01, 1e13, 1e15].map((balance) => statusOf(fixture, { balance })),
    shows: { '1000000000': [200, 400, 400, 400], unlimited: [200, 200, 200, 400] },
  },
  'gift-card.create.malformed-address': {
    observe: (fixture) => ['recipientEmailAddress', 'buyerEmailAddress'].map((name) => statusOf(fixture, { [name]: 'nobody' })),
    shows: { refused: [400, 400], accepted: [200, 200] },
  },
  'gift-card.create.excess-decimals': {
    observe: (fixture) => {
      const { status, body } = created(fixture, { balance: 1.005 });
      return [status, body.balance];
    },
    shows: { refused: [400, undefined], rounded: [200, 1.01] },
  },
  'gift-card.create.past-expiry': {
    observe: (fixture) => statusOf(fixture, { expiresAtUtc: '2026-01-15T11:59:59Z' }),
    shows: { 'expires-after-answer': 200, refused: 400 },
  },
  'gift-card.create.code-letter-case': {
    observe: (fixture) => {
      fixture.create({ code: 'Ab-1' });
      const status = statusOf(fixture, { code: 'aB-1' });
      return [status, ...['Ab-1', 'aB-1'].map((code) => fixture.ask('GET', `/api/GiftCard/GetByCode/${code}`).status)];
    },
    shows: { same: [400, 200, 404], different: [200, 200, 200] },
  },
  'gift-card.create.code-of-voided-card': {
    observe: (fixture) => {
      const { code } = fixture.create();
      fixture.ask('DELETE', `/api/GiftCard/VoidByCode/${code}`);
      const status = statusOf(fixture, { code });
      return [status, fixture.ask('GET', `/api/GiftCard/GetByCode/${code}`).body.status];
    },
    shows: { taken: [400, 'Voided'], free: [200, 'Active'] },
  },
  'gift-card.create.code-of-deleted-card': {
    account: { cards: [{ id: DELETED, code: 'GONE', deleted: true }] },
    observe: (fixture) => [statusOf(fixture, { code: 'GONE' }), fixture.ask('GET', `/api/GiftCard/GetById/${DELETED}`).status],
    shows: { taken: [400, 200], free: [200, 200] },
  },
  'gift-card.create.code-characters': {
    observe: (fixture) => ['A_1', 'A-1'].map((code) => statusOf(fixture, { code })),
    shows: { printable: [200, 200], 'letters-digits-hyphens': [400, 200] },
  },
  'gift-card.create.code-outer-blanks': {
    observe: (fixture) => created(fixture, { code: ' A 1 ' }).body.code,
    shows: { 'part-of-it': ' A 1 ', trimmed: 'A 1' },
  },
  'gift-card.create.gift-scheduled-in-past': {
    observe: async (fixture) => [
      statusOf(fixture, { ...GIFT, giftScheduledForUtc: '2026-01-15T11:59:59Z' }),
      await emails(fixture),
    ],
    shows: { 'at-once': [200, ['gifted']], refused: [400, []] },
  },
  'gift-card.create.gift-scheduled-without-gift': {
    observe: async (fixture) => {
      const status = statusOf(fixture, { ...RITA, shouldSendNotification: true, giftScheduledForUtc: '2026-01-15T13:00:00Z' });
      const before = await emails(fixture);
      fixture.at(NOON + 3_600_000);
      return [status, before, await emails(fixture)];
    },
    shows: {
      nothing: [200, ['gift-card'], ['gift-card']],
      'defers-usual-email': [200, [], ['gift-card']],
      refused: [400, [], []],
    },
  },
  'gift-card.create.default-expiry-counting': {
    // Clocks go forward in the night of 29 March: the last day there ends at 22:00 in UTC.
    account: { defaultExpiryDays: 80, timeZone: 'Europe/Berlin' },
    observe: (fixture) => created(fixture, {}).body.expiresAtUtc,
    shows: { '24-hours-each': '2026-04-05T12:00:00.000Z', 'end-of-day': '2026-04-05T21:59:59.999Z' },
  },
  'gift-card.create.null-expiry': {
    account: { defaultExpiryDays: 1 },
    observe: (fixture) => created(fixture, { expiresAtUtc: null }).body.expiresAtUtc,
    shows: { 'default-applies': '2026-01-16T12:00:00.000Z', 'never-expires': null },
  },
} satisfies Partial<Probes>;
