import type { StrangeAccount } from './account.ts';
import { refuse } from './asking.ts';
import { issue } from './cards.ts';
import { announce } from './deliveries.ts';

/** Runs every automation that waits for this event, and tells what each came to. */
export function happen(on: StrangeAccount, body: Record<string, unknown>): unknown {
  if (!body.event_name) throw refuse('which event?');
  const made: unknown[] = [];
  const outcome = on.rules.flatMap(({ rule, on: name, worth, limit, runs }) => {
    if (name !== body.event_name) return [];
    if (runs.size >= limit) return [{ rule, came_to: 'SkippedUsageLimit' }];
    const key = body.idempotency_key ?? Symbol('no key');
    if (runs.has(key)) return [{ rule, came_to: 'SkippedIdempotent' }];
    runs.add(key);
    const card = issue(on, {
      balance: body.amount ?? worth,
      recipientEmailAddress: body.recipient_email,
      rule,
      event: name,
      said: Object.keys(body.properties ?? {}).length === 0 ? undefined : body.properties,
    });
    announce(on, card, 'updated');
    made.push({ card_ref: card.id, worth: card.cents });
    return [{ rule, came_to: 'Created' }];
  });
  return { made_now: made, by_rule: outcome };
}
