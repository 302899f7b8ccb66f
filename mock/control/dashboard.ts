import { parseDateTime } from '../../openapi/date-time.ts';
import { addInDashboard } from '../domain/adjustments.ts';
import * as orders from '../domain/channels.ts';
import * as decisions from '../domain/dashboard.ts';
import type { CardRecord } from '../state/records.ts';
import { act, minorOf } from './act.ts';
import type { DashboardAdjustment, Gift, Payment, Redemption } from './generated/types.ts';
import { ControlError, type ControlledAccount } from './resources.ts';

const actor = 'the dashboard';

export function adjust(account: ControlledAccount, card: CardRecord, { amount, notes = null }: DashboardAdjustment) {
  const minor = minorOf(account, 'amount', amount);
  if (minor === 0) throw new ControlError(400, 'amount must not be 0, which changes nothing.');
  const wanted = { amount: minor, notes, uniqueAdjustmentId: null, madeThrough: 'dashboard' } as const;
  return act(account, card, { what: 'adjustCard', actor }, (current, context) =>
    addInDashboard(current, { ...wanted, actionedAt: context.now }, context),
  );
}

export function voidCard(account: ControlledAccount, card: CardRecord) {
  return act(account, card, { what: 'voidCard', actor }, decisions.voidInDashboard);
}

export function deleteCard(account: ControlledAccount, card: CardRecord) {
  return act(account, card, { what: 'deleteCard', actor }, decisions.remove);
}

export function remind(account: ControlledAccount, card: CardRecord) {
  return act(account, card, { what: 'remindOfCard', actor }, decisions.remind);
}

export function give(account: ControlledAccount, card: CardRecord, gift: Gift) {
  const { giftScheduledForUtc, buyerEmailAddress = null, giftMessage = null, ...names } = gift;
  const giftScheduledFor = giftScheduledForUtc ? (parseDateTime(giftScheduledForUtc) ?? null) : null;
  const wanted = { ...names, buyerEmailAddress, giftMessage, giftScheduledFor };
  return act(account, card, { what: 'giveCard', actor }, (current, context) => decisions.give(current, wanted, context));
}

export function pay(account: ControlledAccount, card: CardRecord, { amount, ...order }: Payment) {
  const minor = minorOf(account, 'amount', amount);
  return act(account, card, { what: 'payWithCard', actor: actorOf(order) }, (current, context) =>
    orders.pay(current, minor, notesOf(order), context),
  );
}

export function refund(account: ControlledAccount, card: CardRecord, { amount, ...order }: Payment) {
  const minor = minorOf(account, 'amount', amount);
  return act(account, card, { what: 'refundToCard', actor: actorOf(order) }, (current, context) =>
    orders.refund(current, minor, notesOf(order), context),
  );
}

export function redeem(account: ControlledAccount, card: CardRecord, order: Redemption = {}) {
  return act(account, card, { what: 'redeemVoucher', actor: actorOf(order) }, (current, context) =>
    orders.redeem(current, notesOf(order), context),
  );
}

function actorOf({ order }: Redemption): string {
  return order === undefined ? 'an order' : `the order ${order}`;
}

function notesOf({ order, notes }: Redemption): string | null {
  return notes ?? (order === undefined ? null : `Order ${order}`);
}
