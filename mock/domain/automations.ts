import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { Change } from '../state/change.ts';
import { type AutomationRecord, automationKey, type CardRecord } from '../state/records.ts';
import { issue } from './issue.ts';
import type { Minor } from './money.ts';
import { suppressed } from './notifications.ts';
import type { Context, Effect, Outcome } from './outcome.ts';
import { keptKey } from './unique-values.ts';

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
export function trigger(event: TriggerEvent, context: Context): Outcome<readonly Run[]> | Refusal {
  const runs: Run[] = [];
  const changes: Change[] = [];
  const effects: Effect[] = [];
  for (const automation of context.state.automations()) {
    if (!automation.active || automation.trigger !== 'ApiEvent' || automation.eventName !== event.name) continue;
    const skip = reasonToSkip(automation, event, context);
    if (skip) {
      runs.push({ automation, status: skip, card: null });
      if (skip === 'SkippedUsageLimit' && context.behaviors['idempotency.automation.skipped-run'] === 'yes')
        changes.push(...keyUsed(automation, event, context));
      continue;
    }
    const issued = reward(automation, event, context);
    runs.push({ automation, status: 'Created', card: issued.card }); // automation.status-created
    changes.push(...issued.changes);
    changes.push({ table: 'automations', put: { ...automation, uses: automation.uses + 1 } });
    changes.push(...keyUsed(automation, event, context));
    effects.push(...notices(automation, event, issued.card, context));
  }
  if (runs.length === 0 && context.behaviors['automation.no-match'] === '404') return refuse('automation.no-match', event.name);
  return { reply: runs, changes, effects };
}

/**
 * Without a key nothing is kept (idempotency.automation.key-optional); with one it is kept for this automation alone, on this account
 * (idempotency.automation.runs-those-that-did-not, idempotency.automation.checked-per-account).
 */
function keyUsed({ id }: AutomationRecord, { key, recipientEmail }: TriggerEvent, context: Context): Change[] {
  if (key === null) return [];
  const put = { id: automationKey(id, keptKey(key, recipientEmail, context)), at: context.now };
  return [{ table: 'automationKeys', put }];
}

/** idempotency.automation.skips-repeat */
function hasRun({ id }: AutomationRecord, { key, recipientEmail }: TriggerEvent, context: Context): boolean {
  if (key === null) return false;
  return context.state.hasAutomationRun(id, keptKey(key, recipientEmail, context));
}

/**
 * automation.both-skips: the key speaks first. Such a run issues nothing (automation.status-skipped-idempotent,
 * automation.status-skipped-usage-limit).
 */
function reasonToSkip(automation: AutomationRecord, event: TriggerEvent, context: Context) {
  const isUsedUp = automation.usageLimit !== null && usesOf(automation, event, context) >= automation.usageLimit;
  if (hasRun(automation, event, context)) return 'SkippedIdempotent';
  return isUsedUp ? 'SkippedUsageLimit' : undefined;
}

/** automation.usage-limit-scope: what a recipient had of it are the cards that it issued to that address. */
function usesOf(automation: AutomationRecord, { recipientEmail }: TriggerEvent, { state, behaviors }: Context): number {
  if (behaviors['automation.usage-limit-scope'] === 'automation') return automation.uses;
  return state.cardsByRecipient(recipientEmail).filter(({ automationId }) => automationId === automation.id).length;
}

/** automation.issues-reward-to-recipient, automation.properties-stored */
function reward(automation: AutomationRecord, event: TriggerEvent, context: Context) {
  const origin = `Created by the automation ${automation.name}, on the event ${event.name} through the API: ${context.actor}`;
  return issue(
    {
      code: null,
      expiresAt: context.behaviors['automation.default-expiry'] === 'never-expires' ? null : undefined,
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

/** automation.sends-its-email, channels.automation-cards */
function notices(automation: AutomationRecord, event: TriggerEvent, card: CardRecord, context: Context): Effect[] {
  const subject = filled(automation.emailSubject, event.properties);
  const text = filled(automation.emailText, event.properties);
  return [{ kind: 'push', card }, { kind: 'email', email: 'automation', card, subject, text }, deliveryOf(card, context)];
}

/** delivery.updated.of-automation-card */
function deliveryOf(card: CardRecord, { behaviors }: Context): Effect {
  const topic = behaviors['delivery.updated.of-automation-card'];
  if (topic === 'none')
    return suppressed('giftcard/updated', card, 'delivery.updated.of-automation-card', 'an automation issued the card');
  return { kind: 'delivery', topic: `giftcard/${topic}`, card };
}

/** Puts the event's properties into the text (automation.properties-in-email); an unknown one leaves nothing (automation.unknown-email-property). */
function filled(template: string, properties: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{\s*event\.([^{}]+?)\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(properties, name) ? (properties[name] as string) : '',
  );
}
