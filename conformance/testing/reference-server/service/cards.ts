import type { StrangeAccount, StrangeCard } from './account.ts';
import { cents, refuse } from './asking.ts';
import { announce } from './deliveries.ts';
import { DAY } from './state.ts';

export function issue(on: StrangeAccount, fields: Record<string, unknown>, more: Partial<StrangeCard> = {}): StrangeCard {
  const serial = on.service.number();
  const at = on.service.tick();
  const card: StrangeCard = {
    id: serial,
    code: String(fields.code ?? `zz-${serial}-${Math.random().toString(36).slice(2)}`),
    cents: cents(fields.balance),
    loaded: cents(fields.balance),
    status: 'Active',
    fields: on.lifetime === 0 ? fields : { expiresAtUtc: new Date(at + on.lifetime * DAY).toISOString(), ...fields },
    issued: at,
    touched: at,
    history: [],
    ...more,
  };
  on.cards.push(card);
  return card;
}

export function create(on: StrangeAccount, body: Record<string, unknown>): unknown {
  if (body.sendAsGift && body.shouldSendNotification && !(body.recipientName && body.buyerName))
    throw refuse('both names, please');
  if (on.cards.some(({ code }) => code === body.code)) throw refuse('that code is in use');
  if (body.uniqueId !== undefined && on.used.has(`card ${body.uniqueId}`)) throw refuse('a card was made for it before');
  if (Number.isNaN(cents(body.balance))) throw refuse('how much is on it?', 422);
  on.used.add(`card ${body.uniqueId}`);
  const card = issue(on, body);
  const isGift = body.sendAsGift === true && body.shouldSendNotification === true;
  const opens = isGift ? Date.parse(String(body.giftScheduledForUtc)) : Number.NaN;
  if (opens > on.service.ticks) card.opens = opens;
  else if (isGift) announce(on, card, 'gifted');
  announce(on, card, 'updated');
  return shown(card, on.currency);
}

export function cancel(on: StrangeAccount, card: StrangeCard): unknown {
  Object.assign(card, { status: 'Voided', cents: 0, touched: on.service.tick() });
  announce(on, card, 'voided');
  return { cancelled: true };
}

export const shown = (card: StrangeCard, currency: string) => ({
  id: card.id,
  code: card.code,
  balance: card.cents / 100,
  currency,
  status: card.status,
  viewBalanceUrl: `https://cards.example/${card.id}`,
  appleWalletUrl: `https://cards.example/${card.id}/a`,
  googleWalletUrl: `https://cards.example/${card.id}/g`,
  customField1: card.fields.customField1 ?? null,
  customField2: card.fields.customField2 ?? null,
  customField3: card.fields.customField3 ?? null,
  remark: card.fields.notes ? `${card.fields.notes} (API, the only key)` : null,
  lifecycle: {
    issuedOn: new Date(card.issued).toISOString().replace('Z', ''),
    touchedOn: new Date(card.touched).toISOString(),
    until: card.fields.expiresAtUtc ? String(card.fields.expiresAtUtc).replace('Z', '') : null,
  },
});
