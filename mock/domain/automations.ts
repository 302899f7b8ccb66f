import type { Minor } from '../money.ts';
import type { Context, Effect, Outcome } from '../outcome.ts';
import { type AutomationRecord, automationKey, type CardRecord } from '../records.ts';
import type { Change } from '../state.ts';
import { issue } from './issue.ts';

export interface TriggerEvent {
  readonly name: string;
  readonly recipientEmail: string;
  /** Takes the place of the automation's own amount (automation.amount-overrides, automation.own-amount). */
  readonly amount: Minor | null;
  readonly key: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

export interface Run {
  readonly automation: AutomationRecord;
  readonly status: 'Created' | 'SkippedIdempotent' | 'SkippedUsageLimit';
  readonly card: CardRecord | null;
}

/**
 * Runs every active automation that waits for an API event of this name (automation.runs-every-match, automation.matches-name,
 * automation.event-name-letter-case, automation.skips-inactive, automation.skips-other-triggers). No match is an empty answer
 * (automation.no-match).
 */
export function trigger(event: TriggerEvent, context: Context): Outcome<readonly Run[]> {
  const runs: Run[] = [];
  const changes: Change[] = [];
  const effects: Effect[] = [];
  for (const automation of context.state.automations()) {
    if (!automation.active || automation.trigger !== 'ApiEvent' || automation.eventName !== event.name) continue;
    const skip = reasonToSkip(automation, event, context);
    if (skip) {
      runs.push({ automation, status: skip, card: null }); // a skipped run uses no key up (idempotency.automation.skipped-run)
      continue;
    }
    const issued = reward(automation, event, context);
    runs.push({ automation, status: 'Created', card: issued.card }); // automation.status-created
    changes.push(...issued.changes);
    changes.push({ table: 'automations', put: { ...automation, uses: automation.uses + 1 } });
    // Without a key nothing is kept (idempotency.automation.key-optional); with one it is kept for this automation alone, on this account
    // (idempotency.automation.runs-those-that-did-not, idempotency.automation.checked-per-account).
    if (event.key !== null) changes.push({ table: 'automationKeys', put: { id: automationKey(automation.id, event.key) } });
    effects.push(...notices(automation, event, issued.card));
  }
  return { reply: runs, changes, effects };
}

/**
 * automation.both-skips: the key speaks first. The recipient plays no part (idempotency.automation.other-recipient, automation.usage-limit-scope).
 * Such a run issues nothing (automation.status-skipped-idempotent, automation.status-skipped-usage-limit).
 */
function reasonToSkip(automation: AutomationRecord, { key }: TriggerEvent, { state }: Context) {
  if (key !== null && state.automationRan(automation.id, key)) return 'SkippedIdempotent'; // idempotency.automation.skips-repeat
  if (automation.usageLimit !== null && automation.uses >= automation.usageLimit) return 'SkippedUsageLimit';
  return undefined;
}

/** automation.issues-reward-to-recipient, automation.properties-stored */
function reward(automation: AutomationRecord, event: TriggerEvent, context: Context) {
  const origin = `Created by the automation ${automation.name}, on the event ${event.name} through the API: ${context.actor}`;
  return issue(
    {
      code: null,
      initialValue: event.amount ?? automation.amount,
      recipientEmailAddress: event.recipientEmail,
      automationId: automation.id,
      apiEventName: event.name,
      apiEventProperties: Object.keys(event.properties).length === 0 ? null : event.properties,
    },
    { through: 'automation', line: origin, notes: origin },
    context,
  );
}

/** automation.sends-its-email, channels.automation-cards, delivery.updated.of-automation-card */
function notices(automation: AutomationRecord, event: TriggerEvent, card: CardRecord): Effect[] {
  const subject = filled(automation.emailSubject, event.properties);
  const text = filled(automation.emailText, event.properties);
  return [
    { kind: 'push', card },
    { kind: 'email', email: 'automation', card, subject, text },
    { kind: 'delivery', topic: 'giftcard/updated', card },
  ];
}

/** Puts the event's properties into the text (automation.properties-in-email); an unknown one leaves nothing (automation.unknown-email-property). */
function filled(template: string, properties: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{\s*event\.([^{}]+?)\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(properties, name) ? (properties[name] as string) : '',
  );
}
