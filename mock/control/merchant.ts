import { parseDateTime } from '../../openapi/date-time.ts';
import { addByMerchant } from '../domain/adjustments.ts';
import * as orders from '../domain/channels.ts';
import * as decisions from '../domain/merchant.ts';
import { act, minorOf } from './act.ts';
import type { Redemption } from './generated/types.ts';
import type { Body } from './operation-types.ts';
import { ControlError, type OfCard } from './resources.ts';

export function adjustCard(given: OfCard & Body<'adjustCard'>) {
  const { amount, notes = null } = given.body;
  const minor = minorOf(given.account, 'amount', amount);
  if (minor === 0) throw new ControlError(400, 'amount must not be 0, because 0 changes nothing.');
  const wanted = { amount: minor, notes, uniqueAdjustmentId: null, madeThrough: 'merchant' } as const;
  return act(given, 'adjustCard', (card, context) => addByMerchant(card, { ...wanted, actionedAt: context.now }, context));
}

export const voidCard = (given: OfCard) => act(given, 'voidCard', decisions.voidByMerchant);

export const deleteCard = (given: OfCard) => act(given, 'deleteCard', decisions.deleteByMerchant);

export const remindOfCard = (given: OfCard) => act(given, 'remindOfCard', decisions.remind);

export function giveCard(given: OfCard & Body<'giveCard'>) {
  const { giftScheduledForUtc, buyerEmailAddress = null, giftMessage = null, ...names } = given.body;
  const giftScheduledFor = giftScheduledForUtc ? (parseDateTime(giftScheduledForUtc) ?? null) : null;
  const gift = { ...names, buyerEmailAddress, giftMessage, giftScheduledFor };
  return act(given, 'giveCard', (card, context) => decisions.give(card, gift, context));
}

export const payWithCard = (given: OfCard & Body<'payWithCard'>) => actByOrder(given, 'payWithCard', orders.pay);

export const refundToCard = (given: OfCard & Body<'refundToCard'>) => actByOrder(given, 'refundToCard', orders.refund);

function actByOrder(given: OfCard & Body<'payWithCard'>, what: 'payWithCard' | 'refundToCard', decide: typeof orders.pay) {
  const { account, body } = given;
  const amount = minorOf(account, 'amount', body.amount);
  return act(given, what, (card, context) => decide(card, amount, notesOf(body), context), actorOf(body));
}

export function redeemVoucher(given: OfCard & Body<'redeemVoucher'>) {
  const { body = {} } = given;
  return act(given, 'redeemVoucher', (card, context) => orders.redeem(card, notesOf(body), context), actorOf(body));
}

function actorOf({ order }: Redemption): string {
  return order === undefined ? 'an order' : `the order ${order}`;
}

function notesOf({ order, notes }: Redemption): string | null {
  return notes ?? (order === undefined ? null : `Order ${order}`);
}
