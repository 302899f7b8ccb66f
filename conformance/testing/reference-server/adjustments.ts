import { addToBalance, cardView, findChangeable, isRemembered, type NamedBy, record } from './cards.ts';
import type { ServerAccount, ServerState } from './faults/hooks.ts';
import type { ServerCard } from './records.ts';
import { addAmounts, readAmount, refusedWith, refuseIf, rejected, type ServerRefusal } from './wire.ts';

export function handleAdjustment(account: ServerAccount, by: NamedBy, name: unknown, body: Record<string, unknown>): true {
  const { service, adjustmentIds } = account;
  const { options } = service;
  const id = String(body.uniqueAdjustmentId);
  if (options.checksRepeatFirst) refuseIf(repeatRefusal(account, id));
  const card = findChangeable(account, by, name);
  if (!body.actionedAtUtc || !body.uniqueAdjustmentId) throw rejected('something is missing');
  const amount = readAmount(account, typeof body.adjustmentAmount === 'number' ? body.adjustmentAmount : undefined);
  const refusal = cardRefusal(service, card, by, amount);
  if (refusal && options.refusedAdjustmentUsesId) adjustmentIds.set(id, service.now);
  refuseIf(refusal ?? repeatRefusal(account, id));
  adjustmentIds.set(id, service.now);
  addToBalance(service, card, amount);
  card.loaded = addAmounts(card.loaded, Math.max(0, amount));
  const notes = typeof body.notes === 'string' ? body.notes : undefined;
  const actionedAtUtc = String(body.actionedAtUtc);
  service.update(card);
  record(service, card, amount < 0 ? 'redemption' : 'top-up', amount, { notes, actionedAtUtc });
  return true;
}

function repeatRefusal({ service, adjustmentIds }: ServerAccount, id: string): ServerRefusal | undefined {
  const at = adjustmentIds.get(id);
  return at !== undefined && isRemembered(service, at) ? rejected('booked before') : undefined;
}

function cardRefusal(service: ServerState, card: ServerCard, by: NamedBy, amount: number): ServerRefusal | undefined {
  const { adjustVoidedStatus, adjustExpiredStatus, overdrawStatus } = service.options;
  if (card.isVoucher) return rejected('vouchers go whole');
  const ofStatus = card.status === 'Voided' ? adjustVoidedStatus : card.status === 'Expired' ? adjustExpiredStatus : 200;
  if (ofStatus !== 200) return refusedWith(service, ofStatus, 'not in this state');
  const isTooMuch = by === 'ID' && amount < 0 && card.balance + amount < 0;
  return isTooMuch ? refusedWith(service, overdrawStatus, 'not that much on it') : undefined;
}

/** Returns the card and its entries, newest first. */
export function historyView(account: ServerAccount, card: ServerCard): unknown {
  const { cardInHistory, historyEntry } = account.service.options;
  const bookings = card.entries.toReversed().map(historyEntry);
  const view = cardView(account, card);
  if (cardInHistory === 'around entries') return { ...view, bookings };
  if (cardInHistory === 'next to entries') return { subject: view, bookings };
  return { subject: view, bookings: bookings.map((entry) => ({ ...entry, code: card.code })) };
}
