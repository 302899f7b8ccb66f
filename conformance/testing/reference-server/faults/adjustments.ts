import { DAY_MS } from '../records.ts';
import { deliver } from '../webhooks.ts';
import { addAmounts } from '../wire.ts';
import {
  api,
  body,
  changes,
  changesResponse,
  type FaultTable,
  namedCard,
  on,
  refused,
  refusesIf,
  statusAs,
  turn,
} from './fault.ts';
import type { ServerCall } from './hooks.ts';

const amountIn = (call: Pick<ServerCall, 'body'>) => Number(call.body.adjustmentAmount);
const after = (call: ServerCall) => addAmounts(namedCard(call).balance, amountIn(call));
const withAmount = (change: (amount: number) => number) =>
  body(api.adjusts, (given) => ({ ...given, adjustmentAmount: change(Number(given.adjustmentAmount)) }));
const isAllowed = (call: ServerCall) => !namedCard(call).isVoucher;

/** Carries out an adjustment by ID as an adjustment by code. That one does not check the balance. */
const unchecked = (call: ServerCall, next: (call: ServerCall) => unknown) =>
  next({ ...call, operation: api.adjustByCode, body: { ...call.body, giftCardCode: namedCard(call).code } });

const overdraws = (isAccepted: (call: ServerCall) => boolean) =>
  on(api.adjustById, (call, next) => (isAccepted(call) ? unchecked(call, next) : next(call)));

/** Adjusts vouchers like other cards. */
const adjustsVouchers = (operations: Parameters<typeof on>[0]) =>
  on(operations, (call, next) =>
    isAllowed(call) ? next(call) : Object.assign(namedCard(call), { balance: after(call) }) && true,
  );

export const adjustmentFaults: FaultTable = {
  'delivery.payload.total-issued-counts-top-ups': {
    'counts redemptions in TotalIssuedAmount': changes(api.adjusts, (_card, call, before) => ({
      loaded: addAmounts(before.loaded, amountIn(call)),
    })),
  },
  'gift-card.custom-fields.never-change': {
    'drops a custom field at an adjustment': changes(api.adjusts, ({ fields }) => ({
      fields: { ...fields, customField3: null },
    })),
  },
  'gift-card.expiry-and-recipient.fixed-after-create': {
    'moves the expiry at an adjustment': changes(api.adjusts, ({ updatedAt }) => ({ expiresAt: updatedAt + 100 * DAY_MS })),
  },
  'adjustment.positive-tops-up': {
    'ignores adjustments': withAmount(() => 0),
    'adds every top-up twice': withAmount((amount) => (amount > 0 ? 2 * amount : amount)),
  },
  'adjustment.negative-redeems': { 'ignores redemptions': withAmount((amount) => Math.max(0, amount)) },
  'adjustment.is-relative': {
    'sets the balance to the amount': changes(api.adjusts, (_card, call) => ({ balance: amountIn(call) })),
  },
  'adjustment.by-code.names-card-by-code': {
    'adjusts the newest card by code': body(api.adjustByCode, (given, { account }) => ({
      ...given,
      giftCardCode: account.cards.at(-1)?.code,
    })),
  },
  'adjustment.by-id.names-card-by-id': {
    'adjusts the newest card by ID': body(api.adjustById, (given, { account }) => ({
      ...given,
      cardId: account.cards.at(-1)?.id,
    })),
  },
  'adjustment.by-code.unknown-card-is-404': {
    'returns 400 to an adjustment of an unknown code': statusAs(404, 400, api.adjustByCode),
  },
  'adjustment.by-id.unknown-card-is-404': {
    'returns true to an adjustment of an unknown ID': refused(api.adjustById, (refusal) => refusal.status === 404),
  },
  'adjustment.by-code.may-go-negative': {
    'checks the balance by code': refusesIf(api.adjustByCode, (call) => after(call) < 0),
    'stops at one below zero by code': changes(api.adjustByCode, ({ balance }) => ({ balance: Math.max(-1, balance) })),
    'stops at zero by code': changes(api.adjustByCode, ({ balance }) => ({ balance: Math.max(0, balance) })),
  },
  'adjustment.by-id.refuses-overdraw': {
    'allows overdraw by ID': on(api.adjustById, unchecked),
    'allows overdraw by ID by one cent': overdraws((call) => after(call) >= -0.01),
    'allows overdraw by ID of an empty card': overdraws((call) => namedCard(call).balance === 0),
    'allows large overdraw by ID': overdraws((call) => amountIn(call) <= -1_000),
  },
  'adjustment.by-id.takes-whole-balance': {
    'refuses to empty a card by ID': refusesIf(api.adjustById, (call) => amountIn(call) < 0 && after(call) === 0),
  },
  'adjustment.by-id.refuses-redemption-below-zero': {
    'checks only positive balances by ID': overdraws((call) => namedCard(call).balance < 0),
  },
  'adjustment.by-id.tops-up-below-zero': {
    'refuses every adjustment below zero by ID': refusesIf(api.adjustById, (call) => namedCard(call).balance < 0),
  },
  'adjustment.returns-true': { 'responds to adjustments with the text true': changesResponse(api.adjusts, String) },
  'adjustment.returns-200': { 'returns 201 to adjustments': statusAs(200, 201, api.adjusts) },
  'adjustment.requires-actioned-at': {
    'accepts adjustments without a time': body(api.adjusts, (given) => ({ actionedAtUtc: new Date().toISOString(), ...given })),
    'returns 422 to an adjustment without a time': refusesIf(api.adjusts, (call) => !call.body.actionedAtUtc, 422),
  },
  'adjustment.requires-unique-id': {
    'accepts adjustments without a unique ID': body(api.adjusts, (given) => ({
      uniqueAdjustmentId: crypto.randomUUID(),
      ...given,
    })),
  },
  'adjustment.notes-are-optional': { 'requires notes': refusesIf(api.adjusts, (call) => !call.body.notes) },
  'adjustment.voucher-refused': {
    'adjusts vouchers by code': adjustsVouchers(api.adjustByCode),
    'adjusts vouchers by ID': adjustsVouchers(api.adjustById),
    'returns true to an adjustment of a voucher': refused(api.adjusts, (_, call) => !isAllowed(call)),
  },
  'adjustment.parallel-all-count': {
    'loses parallel adjustments': on(api.adjustByCode, async (call, next) => {
      const balance = after(call);
      await turn();
      const json = next(call);
      namedCard(call).balance = balance;
      return json;
    }),
  },
  'adjustment.by-id.parallel-never-overdraws': {
    'checks the balance of parallel redemptions too early': on(api.adjustById, async (call, next) => {
      const isCovered = after(call) >= 0;
      await turn();
      return isCovered ? unchecked(call, next) : next(call);
    }),
  },
  'gift-card.amounts-exact': {
    'ignores adjustments below five cents': withAmount((amount) => (Math.abs(amount) < 0.05 ? 0 : amount)),
    'adds binary fractions': changes(api.adjusts, (_card, call, before) => ({ balance: before.balance + amountIn(call) })),
  },
  'gift-card.amounts-large': {
    'has a largest balance': changes(api.adjusts, ({ balance }) => ({ balance: Math.min(100_000, balance) })),
    'reads large adjustments in cents': withAmount((amount) => (Math.abs(amount) >= 1_000 ? Math.trunc(amount) / 100 : amount)),
    'keeps balances in four bytes': changes(api.adjusts, ({ balance }) => ({ balance: Number(Math.fround(balance).toFixed(2)) })),
  },
  'adjustment.delivers-no-update': {
    'delivers giftcard/updated after an adjustment': changes(api.adjusts, (card, { account }) =>
      deliver(account, card, 'updated'),
    ),
    'delivers giftcard/updated after an adjustment that empties a card': changes(api.adjusts, (card, { account }) => {
      if (card.balance === 0) deliver(account, card, 'updated');
    }),
  },
  'list.last-updated-first': {
    'does not count an adjustment as an update': changes(api.adjusts, (_, __, { updates }) => ({ updates })),
    'does not count an adjustment by ID as an update': changes(api.adjustById, (_, __, { updates }) => ({ updates })),
  },
  'gift-card.void.is-final': {
    'makes a voided card active by an adjustment': [
      changes(api.adjusts, () => ({ status: 'Active' })),
      { adjustVoidedStatus: 200 },
    ],
  },
};
