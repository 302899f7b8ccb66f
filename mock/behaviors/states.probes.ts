import { type Fixture, NOON } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(NOON + hours * HOUR).toISOString();

const GIFT = {
  sendAsGift: true,
  shouldSendNotification: true,
  buyerName: 'Ben',
  recipientName: 'Rita',
  recipientEmailAddress: 'rita@example.com',
};

const statusOf = ({ ask }: Fixture, id: string) => ask('GET', `/api/GiftCard/GetById/${id}`).body.status;

const afterExpiry = (fixture: Fixture, id: string) => {
  fixture.at(NOON + 2 * HOUR);
  return statusOf(fixture, id);
};

// Cards of a world are as they stand on the machine's clock, so what is to come lies far ahead.
const ID = '7b0e7c9e-6a4f-4c1d-9d50-2f5a40d3c001';
const LATER = '2090-01-01T00:00:00Z';
const muchLater = (fixture: Fixture) => {
  fixture.at(Date.parse(LATER));
  return statusOf(fixture, ID);
};

/** The questions of openapi/clauses/states.yaml. */
export const statesProbes = {
  'gift-card.status.at-zero': {
    observe: (fixture) => {
      const { id, code } = fixture.create();
      fixture.adjust(code, -25);
      return statusOf(fixture, id);
    },
    shows: { Redeemed: 'Redeemed', Active: 'Active' },
  },
  'gift-card.status.below-zero': {
    observe: (fixture) => {
      const { id, code } = fixture.create();
      fixture.adjust(code, -26);
      return statusOf(fixture, id);
    },
    shows: { Redeemed: 'Redeemed', Active: 'Active' },
  },
  'gift-card.status.after-top-up': {
    observe: (fixture) => {
      const { id, code } = fixture.create();
      fixture.adjust(code, -25);
      fixture.adjust(code, 5);
      return statusOf(fixture, id);
    },
    shows: { Active: 'Active', Redeemed: 'Redeemed' },
  },
  'gift-card.status.created-with-zero': {
    observe: (fixture) => {
      const { id, status } = fixture.create({ balance: 0 });
      return [status, statusOf(fixture, id)];
    },
    shows: { 'until-an-adjustment': ['Active', 'Active'], 'redeemed-after-answer': ['Active', 'Redeemed'] },
  },
  'gift-card.status.future-gift': {
    observe: async (fixture) => {
      const { id, status } = fixture.create({ ...GIFT, giftScheduledForUtc: inHours(1) });
      const waiting = statusOf(fixture, id);
      fixture.at(NOON + HOUR);
      const given = statusOf(fixture, id);
      await fixture.sandbox.settled();
      return [status, waiting, given, fixture.account.outbox.emails().map(({ kind }) => kind)];
    },
    shows: {
      Active: ['Active', 'Active', 'Active', ['gifted']],
      Scheduled: ['Active', 'Scheduled', 'Active', ['gifted']],
    },
  },
  'gift-card.status.scheduled-becomes': {
    account: { cards: [{ id: ID, status: 'Scheduled', giftScheduledForUtc: LATER, ...GIFT, disableEmails: true }] },
    observe: muchLater,
    shows: { 'its-moment': 'Active', delivery: 'Scheduled' },
  },
  'gift-card.status.voided-leaves': {
    observe: (fixture) => {
      const { id } = fixture.create({ expiresAtUtc: inHours(1) });
      fixture.ask('DELETE', `/api/GiftCard/VoidById/${id}`);
      return afterExpiry(fixture, id);
    },
    shows: { nothing: 'Voided', expiry: 'Expired' },
  },
  'gift-card.expiry.when-noticed': {
    account: { timeZone: 'Asia/Tokyo' },
    observe: (fixture) => {
      const { id } = fixture.create({ expiresAtUtc: inHours(1) });
      const listed = () => fixture.ask('GET', '/api/GiftCard/List').body.giftCards[0].status;
      fixture.at(NOON + 1.5 * HOUR);
      const unused = listed();
      const used = statusOf(fixture, id);
      fixture.at(NOON + 3 * HOUR); // midnight in Tokyo
      return [unused, used, listed()];
    },
    shows: {
      'at-its-moment': ['Expired', 'Expired', 'Expired'],
      'next-use': ['Active', 'Expired', 'Expired'],
      daily: ['Active', 'Active', 'Expired'],
    },
  },
  'gift-card.expiry.of-redeemed-card': {
    observe: (fixture) => {
      const { id, code } = fixture.create({ expiresAtUtc: inHours(1) });
      fixture.adjust(code, -25);
      return afterExpiry(fixture, id);
    },
    shows: { expires: 'Expired', stays: 'Redeemed' },
  },
  'gift-card.expiry.of-scheduled-card': {
    account: {
      cards: [{ id: ID, status: 'Scheduled', giftScheduledForUtc: '2095-01-01T00:00:00Z', expiresAtUtc: LATER, ...GIFT }],
    },
    observe: muchLater,
    shows: { expires: 'Expired', stays: 'Scheduled' },
  },
  'gift-card.expiry.of-deleted-card': {
    account: { cards: [{ id: ID, deleted: true, expiresAtUtc: LATER }] },
    observe: muchLater,
    shows: { stays: 'Active', expires: 'Expired' },
  },
  'gift-card.expiry.balance': {
    observe: (fixture) => {
      const { id } = fixture.create({ expiresAtUtc: inHours(1) });
      fixture.at(NOON + 2 * HOUR);
      return fixture.ask('GET', `/api/GiftCard/GetById/${id}`).body.balance;
    },
    shows: { kept: 25, zeroed: 0 },
  },
} satisfies Partial<Probes>;
