import { issue } from './cards.ts';
import { deliver } from './deliveries.ts';
import type { Card } from './records.ts';
import { rejected } from './refusal.ts';
import type { Account } from './service.ts';

/** Runs every automation of the event. */
export function runAutomations(account: Account, body: Record<string, unknown>): unknown {
  if (!body.event_name) throw rejected('which event?');
  const created: Card[] = [];
  const runs = account.automations
    .filter(({ event }) => event === body.event_name)
    .map(({ id, amount, limit, runs: keys }) => {
      if (keys.size >= limit) return { automation: id, status: 'SkippedUsageLimit' };
      const key = body.idempotency_key ?? Symbol('no key');
      if (keys.has(key)) return { automation: id, status: 'SkippedIdempotent' };
      keys.add(key);
      const hasProperties = Object.keys(body.properties ?? {}).length > 0;
      const card = issue(account, {
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
  return account.service.options.eventAnswer(created, runs);
}
