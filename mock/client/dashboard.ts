import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Body } from './input.ts';

/** What only the dashboard, an order or a sales channel of the real service does. Cards are named by id or code. */
export interface Dashboard {
  /** A card in any state, as a world file describes it. */
  addCard(card: Body<'addCard'>): Promise<Reply<'addCard'>>;
  card(card: string): Promise<Reply<'getCard'>>;
  adjust(card: string, adjustment: Body<'adjustCard'>): Promise<Reply<'adjustCard'>>;
  voidCard(card: string): Promise<Reply<'voidCard'>>;
  deleteCard(card: string): Promise<Reply<'deleteCard'>>;
  give(card: string, gift: Body<'giveCard'>): Promise<Reply<'giveCard'>>;
  remind(card: string): Promise<Reply<'remindOfCard'>>;
  timeline(card: string): Promise<Reply<'getTimeline'>>;
  /** An order takes part of a balance, or gives it back. */
  pay(card: string, payment: Body<'payWithCard'>): Promise<Reply<'payWithCard'>>;
  refund(card: string, payment: Body<'refundToCard'>): Promise<Reply<'refundToCard'>>;
  redeemVoucher(card: string, redemption?: Body<'redeemVoucher'>): Promise<Reply<'redeemVoucher'>>;
  /** Plan, subscription, default expiry and the like. */
  change(settings: Body<'changeSettings'>): Promise<Reply<'changeSettings'>>;
  addKey(key?: Body<'addKey'>): Promise<Reply<'addKey'>>;
  deleteKey(key: string): Promise<Reply<'deleteKey'>>;
  automations(): Promise<Reply<'listAutomations'>>;
  addAutomation(automation: Body<'addAutomation'>): Promise<Reply<'addAutomation'>>;
  changeAutomation(automation: string, changes: Body<'changeAutomation'>): Promise<Reply<'changeAutomation'>>;
  allowance(): Promise<Reply<'getAllowance'>>;
}

export function dashboardOf(call: Call, path: { readonly account: string }): Dashboard {
  const at = (card: string) => ({ ...path, card });
  return {
    addCard: (body) => call('addCard', { path, body }),
    card: (card) => call('getCard', { path: at(card) }),
    adjust: (card, body) => call('adjustCard', { path: at(card), body }),
    voidCard: (card) => call('voidCard', { path: at(card) }),
    deleteCard: (card) => call('deleteCard', { path: at(card) }),
    give: (card, body) => call('giveCard', { path: at(card), body }),
    remind: (card) => call('remindOfCard', { path: at(card) }),
    timeline: (card) => call('getTimeline', { path: at(card) }),
    pay: (card, body) => call('payWithCard', { path: at(card), body }),
    refund: (card, body) => call('refundToCard', { path: at(card), body }),
    redeemVoucher: (card, body) => call('redeemVoucher', { path: at(card), body }),
    change: (body) => call('changeSettings', { path, body }),
    addKey: (body) => call('addKey', { path, body: body ?? {} }),
    deleteKey: (key) => call('deleteKey', { path: { ...path, key } }),
    automations: () => call('listAutomations', { path }),
    addAutomation: (body) => call('addAutomation', { path, body }),
    changeAutomation: (automation, body) => call('changeAutomation', { path: { ...path, automation }, body }),
    allowance: () => call('getAllowance', { path }),
  };
}
