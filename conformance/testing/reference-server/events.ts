import { issueCard } from './cards.ts';
import type { ServerAccount } from './faults/hooks.ts';
import type { ServerCard } from './records.ts';
import { deliver } from './webhooks.ts';
import { rejected } from './wire.ts';

export function runAutomations(account: ServerAccount, body: Record<string, unknown>): unknown {
  if (!body.event_name) throw rejected('which event?');
  const created: ServerCard[] = [];
  const runs = account.automations
    .filter(({ event, isActive, trigger }) => event === body.event_name && isActive && trigger === 'API event')
    .map(({ id, amount, limit, runs: keys }) => {
      if (keys.size >= limit) return { automation: id, status: 'SkippedUsageLimit' };
      const key = body.idempotency_key ?? Symbol('no key');
      if (keys.has(key)) return { automation: id, status: 'SkippedIdempotent' };
      keys.add(key);
      const hasProperties = Object.keys(body.properties ?? {}).length > 0;
      const card = issueCard(account, {
        balance: body.amount ?? amount,
        recipientEmailAddress: body.recipient_email,
        automation: id,
        event: body.event_name,
        eventProperties: hasProperties ? body.properties : undefined,
      });
      deliver(account, card, 'updated');
      created.push(card);
      return { automation: id, status: 'Created' };
    });
  return account.service.options.eventResponse(created, runs);
}

/** Delivers the gifts that are due, and expires the cards that are due. */
export function runServerEvents(account: ServerAccount): void {
  const { service } = account;
  const { giftEvery } = service.options;
  for (const card of account.cards) {
    const giftAt = Math.ceil((card.giftDueAt ?? Number.POSITIVE_INFINITY) / giftEvery) * giftEvery;
    if (card.status !== 'Voided' && giftAt < service.now) {
      card.status = 'Active';
      card.giftDueAt = undefined;
      deliver(account, card, 'gifted');
    }
    if (card.expiresAt !== undefined && card.expiresAt < service.now) expire(account, card);
  }
}

function expire(account: ServerAccount, card: ServerCard): void {
  const { service } = account;
  const { expiresVoided, expiryEmpties } = service.options;
  const canExpire = card.status === 'Active' || card.status === 'Redeemed' || (card.status === 'Voided' && expiresVoided);
  if (!canExpire) return;
  card.status = 'Expired';
  if (expiryEmpties) card.balance = 0;
  service.update(card);
  deliver(account, card, 'expired');
}
