import { parseDateTime } from '../../openapi/date-time.ts';
import type { Account } from '../account/account.ts';
import { addInDashboard } from '../domain/adjustments.ts';
import * as orders from '../domain/channels.ts';
import * as decisions from '../domain/dashboard.ts';
import type { CardRecord } from '../state/records.ts';
import { act, minorOf } from './act.ts';
import { ControlError } from './control-error.ts';
import type { components } from './generated/types.ts';

type Schemas = components['schemas'];

/** What somebody does to a card in the dashboard, and what an order does. Each answers with the card as the API shows it. */

const DASHBOARD = 'the dashboard';

/** Changes the balance: it is pushed, told to the holder and delivered. */
export function adjust(account: Account, card: CardRecord, { amount, notes = null }: Schemas['DashboardAdjustment']) {
  const minor = minorOf(account, 'amount', amount);
  if (minor === 0) throw new ControlError(400, 'amount 0 changes nothing; give another one.');
  const wanted = { amount: minor, notes, uniqueAdjustmentId: null, madeThrough: 'dashboard' } as const;
  return act(account, card, { what: 'adjustCard', actor: DASHBOARD }, (current, context) =>
    addInDashboard(current, { ...wanted, actionedAt: context.now }, context),
  );
}

export function makeVoid(account: Account, card: CardRecord) {
  return act(account, card, { what: 'voidCard', actor: DASHBOARD }, decisions.voidInDashboard);
}

export function remove(account: Account, card: CardRecord) {
  return act(account, card, { what: 'deleteCard', actor: DASHBOARD }, decisions.remove);
}

export function remind(account: Account, card: CardRecord) {
  return act(account, card, { what: 'remindOfCard', actor: DASHBOARD }, decisions.remind);
}

export function give(account: Account, card: CardRecord, gift: Schemas['Gift']) {
  const { giftScheduledForUtc = null, buyerEmailAddress = null, giftMessage = null, ...names } = gift;
  const giftScheduledFor = giftScheduledForUtc === null ? null : (parseDateTime(giftScheduledForUtc) ?? null);
  const wanted = { ...names, buyerEmailAddress, giftMessage, giftScheduledFor };
  return act(account, card, { what: 'giveCard', actor: DASHBOARD }, (current, context) =>
    decisions.give(current, wanted, context),
  );
}

export function pay(account: Account, card: CardRecord, { amount, order, notes }: Schemas['Payment']) {
  const minor = minorOf(account, 'amount', amount);
  return act(account, card, { what: 'payWithCard', actor: actorOf(order) }, (current, context) =>
    orders.pay(current, minor, notes ?? noteOf(order), context),
  );
}

export function refund(account: Account, card: CardRecord, { amount, order, notes }: Schemas['Payment']) {
  const minor = minorOf(account, 'amount', amount);
  return act(account, card, { what: 'refundToCard', actor: actorOf(order) }, (current, context) =>
    orders.refund(current, minor, notes ?? noteOf(order), context),
  );
}

export function redeem(account: Account, card: CardRecord, { order, notes }: Schemas['Redemption'] = {}) {
  return act(account, card, { what: 'redeemVoucher', actor: actorOf(order) }, (current, context) =>
    orders.redeem(current, notes ?? noteOf(order), context),
  );
}

function actorOf(order: string | undefined): string {
  return order === undefined ? 'an order' : `the order ${order}`;
}

function noteOf(order: string | undefined): string | null {
  return order === undefined ? null : `Order ${order}`;
}
