import { type Mutant, mutant } from './mutant.ts';

const domain = 'mock/domain/automations.ts';
const operation = 'mock/operations/automation-events.ts';
const handle = 'mock/pipeline/handle.ts';

const waits =
  "if (!automation.active || automation.trigger !== 'ApiEvent' || !waitsFor(automation, event.name, context)) continue;";
const created = "runs.push({ automation, status: 'Created', card: issued.card });";
const skipped = 'runs.push({ automation, status: skip, card: null });';
const kept = 'if (key === null) return false;';

export const automationMutants: readonly Mutant[] = [
  mutant(
    'automation.uses-snake-case',
    handle,
    'return ended({ status, headers, body, bytes }, undefined, cause);',
    'return ended({ status, headers, body: String(body).replace(\'"gift_cards"\', \'"giftCards"\') }, undefined, cause);',
  ),
  mutant('automation.runs-every-match', domain, waits, `${waits} if (event.key !== null) continue;`),
  mutant('automation.matches-name', domain, 'return eventName === name;', 'return name.startsWith(eventName);'),
  mutant('automation.skips-inactive', domain, waits, waits.replace('!automation.active || ', '')),
  mutant('automation.skips-other-triggers', domain, waits, waits.replace("automation.trigger !== 'ApiEvent' || ", '')),
  mutant(
    'automation.issues-reward-to-recipient',
    domain,
    'recipientEmailAddress: event.recipientEmail,',
    "recipientEmailAddress: 'somebody@example.com',",
  ),
  mutant('automation.own-amount', domain, 'event.amount ?? automation.amount', 'event.amount ?? 2 * automation.amount'),
  mutant('automation.amount-overrides', domain, 'event.amount ?? automation.amount', 'automation.amount'),
  // Whichever is more.
  mutant(
    'automation.amount-overrides',
    domain,
    'event.amount ?? automation.amount',
    'Math.max(event.amount ?? 0, automation.amount)',
  ),
  mutant(
    'automation.answers-cards-and-runs',
    operation,
    'automations: runs.map(',
    'automations: runs.filter(({ card }) => card).map(',
  ),
  mutant(
    'automation.answers-cards-and-runs',
    operation,
    'const idOf = (card: CardRecord) =>',
    'runs = runs.map((run) => ({ ...run, card: null }));\n  const idOf = (card: CardRecord) =>',
  ),
  mutant('automation.status-created', domain, created, created.replace("'Created'", "'Issued' as 'Created'")),
  mutant('automation.status-skipped-idempotent', domain, skipped, skipped.replace('skip,', "skip && ('Skipped' as 'Created'),")),
  mutant('automation.status-skipped-idempotent', domain, "return 'SkippedIdempotent';", "return 'SkippedUsageLimit';"),
  mutant('automation.status-skipped-usage-limit', domain, skipped, skipped.replace('skip,', "skip && ('Skipped' as 'Created'),")),
  mutant('automation.status-skipped-usage-limit', domain, 'automation.uses + 1 }', 'automation.uses }'),
  // Without a key, the event's name is taken for one.
  mutant(
    'idempotency.automation.key-optional',
    operation,
    'key: named(body.idempotency_key, context.behaviors),',
    'key: named(body.idempotency_key, context.behaviors) ?? body.event_name,',
  ),
  mutant('idempotency.automation.skips-repeat', domain, kept, 'return false;'),
  mutant(
    'idempotency.automation.skips-repeat',
    domain,
    'return isRemembered(ranAt, context);',
    "return isRemembered(ranAt, context) && recipientEmail === 'somebody@example.com';",
  ),
  // One memory of keys for all automations of the account.
  mutant(
    'idempotency.automation.runs-those-that-did-not',
    'mock/state/records.ts',
    'automationKey(automationId: string, key: string): string {',
    "automationKey(_: string, key: string): string {\n  const automationId = 'any';",
  ),
];
