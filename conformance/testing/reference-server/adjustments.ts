import { addToBalance, type By, cardView, findChangeable, isRemembered, record } from './cards.ts';
import type { Account, Service } from './faults/seams.ts';
import type { Card } from './records.ts';
import { amountOf, type Refusal, refusedWith, refuseIf, rejected, sum } from './wire.ts';

export function adjust(account: Account, by: By, name: unknown, body: Record<string, unknown>): true {
  const { service, adjustmentIds } = account;
  const { options } = service;
  const id = String(body.uniqueAdjustmentId);
  if (options.checksRepeatFirst) refuseIf(repeatRefusal(account, id));
  const card = findChangeable(account, by, name);
  if (!body.actionedAtUtc || !body.uniqueAdjustmentId) throw rejected('something is missing');
  const amount = amountOf(account, typeof body.adjustmentAmount === 'number' ? body.adjustmentAmount : undefined);
  const refusal = cardRefusal(service, card, by, amount);
  if (refusal && options.refusedAdjustmentUsesId) adjustmentIds.set(id, service.now);
  refuseIf(refusal ?? repeatRefusal(account, id));
  adjustmentIds.set(id, service.now);
  addToBalance(service, card, amount);
  card.loaded = sum(card.loaded, Math.max(0, amount));
  const notes = typeof body.notes === 'string' ? body.notes : undefined;
  const actionedAtUtc = String(body.actionedAtUtc);
  service.update(card);
  record(service, card, amount < 0 ? 'redemption' : 'top-up', amount, { notes, actionedAtUtc });
  return true;
}

function repeatRefusal({ service, adjustmentIds }: Account, id: string): Refusal | undefined {
  const at = adjustmentIds.get(id);
  return at !== undefined && isRemembered(service, at) ? rejected('booked before') : undefined;
}

function cardRefusal(service: Service, card: Card, by: By, amount: number): Refusal | undefined {
  const { adjustVoidedStatus, adjustExpiredStatus, overdrawStatus } = service.options;
  if (card.isVoucher) return rejected('vouchers go whole');
  const ofStatus = card.status === 'Voided' ? adjustVoidedStatus : card.status === 'Expired' ? adjustExpiredStatus : 200;
  if (ofStatus !== 200) return refusedWith(service, ofStatus, 'not in this state');
  const isTooMuch = by === 'ID' && amount < 0 && card.balance + amount < 0;
  return isTooMuch ? refusedWith(service, overdrawStatus, 'not that much on it') : undefined;
}

/** Returns the card and its entries, newest first. */
export function historyView(account: Account, card: Card): unknown {
  const { cardInHistory, historyEntry } = account.service.options;
  const bookings = card.entries.toReversed().map(historyEntry);
  const view = cardView(account, card);
  if (cardInHistory === 'around entries') return { ...view, bookings };
  if (cardInHistory === 'next to entries') return { subject: view, bookings };
  return { subject: view, bookings: bookings.map((entry) => ({ ...entry, code: card.code })) };
}
