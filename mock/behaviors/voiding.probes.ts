import type { Fixture } from '../testing/fixture.ts';
import { NOON } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const DELETED = '7b0e7c9e-6a4f-4c1d-9d50-2f5a40d3c001';
const RITA = { recipientName: 'Rita', recipientEmailAddress: 'rita@example.com' };
const RECEIVER = { webhooks: [{ url: 'http://127.0.0.1:9/nobody-listens' }] };

const voidById = ({ ask }: Fixture, id: string) => ask('DELETE', `/api/GiftCard/VoidById/${id}`);

/** Every topic that was delivered, or was tried to be. */
async function topics({ sandbox, account }: Fixture): Promise<string[]> {
  await sandbox.settled();
  return account.deliveries.all().map(({ topic }) => topic);
}

async function emails({ sandbox, account }: Fixture): Promise<string[]> {
  await sandbox.settled();
  return account.outbox.emails().map(({ kind }) => kind);
}

/** The questions of openapi/clauses/voiding.yaml. */
export const voidingProbes = {
  'gift-card.void.body': {
    observe: (fixture) => {
      const { status, body } = voidById(fixture, fixture.create().id);
      return [status, typeof body, body.status];
    },
    shows: {
      'the-card': [200, 'object', 'Voided'],
      true: [200, 'boolean', undefined],
      empty: [200, 'string', undefined],
    },
  },
  'gift-card.void.again': {
    observe: (fixture) => {
      const { id, code } = fixture.create();
      voidById(fixture, id);
      return [voidById(fixture, id).status, fixture.ask('DELETE', `/api/GiftCard/VoidByCode/${code}`).status];
    },
    shows: { accepted: [200, 200], refused: [400, 400], 'not-found': [404, 404] },
  },
  'gift-card.void.again-delivers': {
    account: RECEIVER,
    observe: (fixture) => {
      const { id } = fixture.create();
      voidById(fixture, id);
      voidById(fixture, id);
      return topics(fixture);
    },
    shows: { no: ['giftcard/voided'], yes: ['giftcard/voided', 'giftcard/voided'] },
  },
  'gift-card.void.in-history': {
    observe: (fixture) => {
      const { id } = fixture.create();
      voidById(fixture, id);
      const { adjustments } = fixture.ask('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/${id}`).body;
      return adjustments.map(({ amount }: { amount: number }) => amount);
    },
    shows: { no: [], yes: [-25] },
  },
  'gift-card.void.email': {
    observe: (fixture) => {
      voidById(fixture, fixture.create(RITA).id);
      return emails(fixture);
    },
    shows: { no: [], yes: ['voided'] },
  },
  'gift-card.void.update-delivery': {
    account: RECEIVER,
    observe: (fixture) => {
      voidById(fixture, fixture.create().id);
      return topics(fixture);
    },
    shows: { no: ['giftcard/voided'], yes: ['giftcard/updated', 'giftcard/voided'] },
  },
  'gift-card.void.waiting-gift': {
    observe: (fixture) => {
      const gift = { ...RITA, buyerName: 'Ben', sendAsGift: true, shouldSendNotification: true };
      voidById(fixture, fixture.create({ ...gift, giftScheduledForUtc: '2026-01-16T00:00:00Z' }).id);
      fixture.at(NOON + 86_400_000);
      return emails(fixture);
    },
    shows: { dropped: [], sent: ['gifted'] },
  },
  'gift-card.void.deleted-card': {
    account: { cards: [{ id: DELETED, code: 'GONE', deleted: true }] },
    observe: (fixture) => [voidById(fixture, DELETED).status, fixture.ask('DELETE', '/api/GiftCard/VoidByCode/GONE').status],
    shows: { 'by-id-only': [200, 404], never: [404, 404] },
  },
} satisfies Partial<Probes>;
