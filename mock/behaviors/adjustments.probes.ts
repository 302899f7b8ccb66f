import type { Asked, Fixture } from '../testing/fixture.ts';
import type { AccountFile } from '../world/description.ts';
import type { Probes } from './probe.ts';

const ID = '7b0e7c9e-6a4f-4c1d-9d50-2f5a40d3c001';

/** An account with this one card, which has initially 25 on it. */
const only = (card: object): AccountFile => ({ cards: [{ id: ID, code: 'ONLY', ...card }] });

const byId = ({ ask }: Fixture, fields: object): Asked =>
  ask('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', {
    ...{ giftCardId: ID, adjustmentAmount: 5, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'by-id' },
    ...fields,
  });

/** What an adjustment by 5 of the only card comes to. */
function adjusted(fixture: Fixture) {
  const { status } = fixture.adjust('ONLY', 5);
  const card = fixture.ask('GET', `/api/GiftCard/GetById/${ID}`).body;
  return [status, card.status, card.balance];
}

/** The questions of openapi/clauses/adjustments.yaml. */
export const adjustmentsProbes = {
  'adjustment.by-id.field': {
    account: only({}),
    observe: ({ ask }) =>
      ['giftCardId', 'id', 'giftCardID'].map((field) => {
        const body = { [field]: ID, adjustmentAmount: 5, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: field };
        return ask('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', body).status;
      }),
    shows: { giftCardId: [200, 400, 400], id: [400, 200, 400], giftCardID: [400, 400, 200] },
  },
  'adjustment.by-id.overdraw-status': {
    account: only({}),
    observe: (fixture) => byId(fixture, { adjustmentAmount: -26 }).status,
    shows: { '400': 400, '409': 409, '422': 422 },
  },
  'adjustment.missing-amount': {
    account: only({}),
    observe: (fixture) => {
      const byCode = fixture.adjust('ONLY', 0, { adjustmentAmount: undefined });
      const all = [byCode, byId(fixture, { adjustmentAmount: undefined })].map(({ status }) => status);
      const { giftCard, adjustments } = fixture.ask('GET', '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/ONLY').body;
      return [...all, giftCard.balance, adjustments.length];
    },
    shows: { refused: [400, 400, 25, 0], 'nothing-changes': [200, 200, 25, 0] },
  },
  'adjustment.largest-amount': {
    observe: (fixture) => {
      const { code } = fixture.create();
      return [1e9, 1e9 + 0.01, -1e9 - 0.01, 1e15].map((amount) => fixture.adjust(code, amount).status);
    },
    shows: { '1000000000': [200, 400, 400, 400], unlimited: [200, 200, 200, 400] },
  },
  'adjustment.unreadable-actioned-at': {
    account: only({}),
    observe: (fixture) => {
      const { status } = fixture.adjust('ONLY', 5, { actionedAtUtc: 'this morning' });
      const { adjustments } = fixture.ask('GET', '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/ONLY').body;
      return [status, adjustments[0]?.actionedAtUtc];
    },
    shows: { refused: [400, undefined], accepted: [200, '2026-01-15T12:00:00.000Z'] },
  },
  'adjustment.voided-card': {
    account: only({ status: 'Voided' }),
    observe: adjusted,
    shows: { '400': [400, 'Voided', 0], '409': [409, 'Voided', 0], '422': [422, 'Voided', 0], accepted: [200, 'Voided', 5] },
  },
  'adjustment.expired-card': {
    account: only({ status: 'Expired', expiresAtUtc: '2020-01-01T00:00:00Z' }),
    observe: adjusted,
    shows: {
      '400': [400, 'Expired', 25],
      '409': [409, 'Expired', 25],
      '422': [422, 'Expired', 25],
      accepted: [200, 'Expired', 30],
    },
  },
  'adjustment.zero-amount': {
    observe: (fixture) => fixture.adjust(fixture.create().code, 0).status,
    shows: { refused: 400, accepted: 200 },
  },
  'adjustment.excess-decimals': {
    observe: (fixture) => {
      const { code } = fixture.create();
      const { status } = fixture.adjust(code, -1.005);
      return [status, fixture.ask('GET', `/api/GiftCard/GetByCode/${code}`).body.balance];
    },
    shows: { refused: [400, 25], rounded: [200, 23.99] },
  },
  'adjustment.future-actioned-at': {
    observe: (fixture) => fixture.adjust(fixture.create().code, 5, { actionedAtUtc: '2026-01-15T12:00:01Z' }).status,
    shows: { accepted: 200, refused: 400 },
  },
  'adjustment.scheduled-card': {
    account: only({ status: 'Scheduled', giftScheduledForUtc: '2090-01-01T00:00:00Z', buyerName: 'Ben', recipientName: 'Rita' }),
    observe: adjusted,
    shows: { accepted: [200, 'Scheduled', 30], refused: [400, 'Scheduled', 25] },
  },
  'adjustment.store-credit': {
    account: only({ kind: 'store-credit' }),
    observe: adjusted,
    shows: { accepted: [200, 'Active', 30], refused: [400, 'Active', 25] },
  },
  'adjustment.deleted-card': {
    account: only({ deleted: true }),
    observe: (fixture) => [fixture.adjust('ONLY', 5).status, byId(fixture, {}).status],
    shows: { 'not-found': [404, 404], 'by-id-accepted': [404, 200] },
  },
} satisfies Partial<Probes>;
