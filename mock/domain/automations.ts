import type { lists } from '../../openapi/generated/lists.ts';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { Change } from '../state/change.ts';
import { type AutomationRecord, automationKey, type CardRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { issue } from './issue.ts';
import { suppressed } from './notifications.ts';
import type { Context, Effect, Outcome } from './outcome.ts';

interface TriggerEvent {
  readonly name: string;
  readonly recipientEmail: string;
  /** The amount that replaces the automation's own amount (automation.amount-overrides, automation.own-amount). */
  readonly amount: Minor | null;
  readonly key: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

export interface AutomationRun {
  readonly automation: AutomationRecord;
  readonly status: (typeof lists)['AutomationRun.status'][number];
  readonly card: CardRecord | null;
}

/**
 * Runs every active automation that is triggered by API events of this name (automation.runs-every-match, automation.matches-name,
 * automation.event-name-letter-case, automation.skips-inactive, automation.skips-other-triggers). Without a match, the response is empty
 * (automation.no-match).
 */
export function trigger(event: TriggerEvent, context: Context): Outcome<readonly AutomationRun[]> | Refusal {
  const key = keyOf(event, context);
  const runs: AutomationRun[] = [];
  const changes: Change[] = [];
  const effects: Effect[] = [];
  for (const automation of context.state.automations()) {
    if (!automation.active || automation.trigger !== 'ApiEvent' || automation.eventName !== event.name) continue;
    const skip = reasonToSkip(automation, key, event, context);
    const usesKey = skip === undefined || context.behaviors['idempotency.automation.skipped-run'] === 'yes';
    if (key !== undefined && skip !== 'SkippedIdempotent' && usesKey)
      changes.push({ table: 'automationKeys', put: { id: automationKey(automation.id, key), at: context.now } });
    if (skip) {
      runs.push({ automation, status: skip, card: null });
      continue;
    }
    const issued = issueReward(automation, event, context);
    runs.push({ automation, status: 'Created', card: issued.card }); // automation.status-created
    changes.push(...issued.changes, { table: 'automations', put: { ...automation, uses: automation.uses + 1 } });
    effects.push(...rewardEffects(automation, event, issued.card, context));
  }
  if (runs.length === 0 && context.behaviors['automation.no-match'] === '404') return refuse('automation.no-match', event.name);
  return { response: runs, changes, effects };
}

/**
 * Returns the idempotency key. With this key, each automation runs only once (idempotency.automation.runs-those-that-did-not,
 * idempotency.automation.checked-per-account, idempotency.automation.other-recipient). Undefined for an event without a key
 * (idempotency.automation.key-optional).
 */
function keyOf({ key, recipientEmail }: TriggerEvent, { behaviors }: Context): string | undefined {
  if (key === null) return undefined;
  return behaviors['idempotency.automation.other-recipient'] === 'no' ? `${key} ${recipientEmail.toLowerCase()}` : key;
}

/** Returns why an automation issues no card (automation.status-skipped-idempotent, automation.status-skipped-usage-limit, automation.both-skips). */
function reasonToSkip(automation: AutomationRecord, key: string | undefined, event: TriggerEvent, context: Context) {
  // idempotency.automation.skips-repeat
  if (key !== undefined && context.state.hasAutomationRun(automation.id, key)) return 'SkippedIdempotent';
  const { usageLimit } = automation;
  return usageLimit !== null && usesOf(automation, event, context) >= usageLimit ? 'SkippedUsageLimit' : undefined;
}

/** Counts the uses of an automation. With the option `recipient`, counts only the recipient's cards (automation.usage-limit-scope). */
function usesOf(automation: AutomationRecord, { recipientEmail }: TriggerEvent, { state, behaviors }: Context): number {
  if (behaviors['automation.usage-limit-scope'] === 'automation') return automation.uses;
  return state.cardsByRecipient(recipientEmail).filter(({ automationId }) => automationId === automation.id).length;
}

/** automation.issues-reward-to-recipient, automation.properties-stored */
function issueReward(automation: AutomationRecord, event: TriggerEvent, context: Context) {
  const origin = `Created by the automation ${automation.name} after the API event ${event.name}: ${context.actor}`;
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
function rewardEffects(automation: AutomationRecord, event: TriggerEvent, card: CardRecord, { behaviors }: Context): Effect[] {
  const subject = fillTemplate(automation.emailSubject, event.properties);
  const text = fillTemplate(automation.emailText, event.properties);
  const topic = behaviors['delivery.updated.of-automation-card'];
  return [
    { kind: 'push', card },
    { kind: 'email', email: 'automation', card, subject, text },
    topic === 'none'
      ? suppressed('giftcard/updated', card, 'delivery.updated.of-automation-card', 'an automation issued the card')
      : { kind: 'delivery', topic: `giftcard/${topic}`, card },
  ];
}

/** Inserts the event's properties (automation.properties-in-email). An unknown property becomes empty (automation.unknown-email-property). */
function fillTemplate(template: string, properties: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{\s*event\.([^{}]+)\}\}/g, (_, given: string) => {
    const name = given.trim();
    return Object.hasOwn(properties, name) ? (properties[name] as string) : '';
  });
}
