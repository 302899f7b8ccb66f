import { type Mutant, mutant } from './mutant.ts';

const cards = 'mock/domain/gift-cards.ts';
const values = 'mock/domain/unique-values.ts';
const automations = 'mock/domain/automations.ts';
const operation = 'mock/operations/automation-events.ts';
const handle = 'mock/pipeline/handle.ts';

const ran = 'return isRemembered(ranAt, context);';
const kept = 'const ranAt = context.state.automationRan(id, keptKey(key, recipientEmail, context), letterCaseOf(context));';
const headers = 'const headers: Record<string, string> = mediaType';
const asJson = (when: string) =>
  `if (${when}) return { status, headers: { 'content-type': 'application/problem+json' }, body: '{"title":"no"}' }; ${headers}`;

/** Repeats that go unnoticed in one way only, and answers that are wrong in one place only. */
export const repeatMutants: readonly Mutant[] = [
  mutant(
    'idempotency.create.refuses-repeat',
    cards,
    'uniqueId !== null && isUsed',
    'uniqueId !== null && code !== null && isUsed',
  ),
  mutant(
    'idempotency.create.refuses-repeat',
    cards,
    'if (repeated) return ',
    "const first = context.state.cardByUniqueId(wanted.uniqueId ?? '-'); if (repeated && first && first.code === wanted.code && first.initialValue === wanted.initialValue) return { reply: first, changes: [], effects: [] }; if (repeated) return ",
  ),
  mutant(
    'idempotency.create.refuses-repeat',
    values,
    'return isRemembered(card?.createdAt, context);',
    'return card?.balance === card?.initialValue && isRemembered(card?.createdAt, context);',
  ),
  ...(['create.refuses-repeat', 'adjustment.refuses-repeat'] as const).map((name) =>
    mutant(
      `idempotency.${name}`,
      handle,
      headers,
      `if (status === 400) return { status, headers: { 'content-type': 'text/plain' }, body: 'Bad request' }; ${headers}`,
    ),
  ),
  mutant(
    'idempotency.create.original-stands',
    cards,
    "refuse('gift-card.unique-id-used', uniqueId) : undefined;",
    "refuse('gift-card.unique-id-used', uniqueId, [{ table: 'cards', put: { ...context.state.cardByUniqueId(uniqueId)!, expiresAt: 4e12, recipientName: 'changed' } }]) : undefined;",
  ),
  mutant(
    'errors.refusal-changes-nothing',
    cards,
    "return refuse('gift-card.code-taken', code);",
    "return refuse('gift-card.code-taken', code, [{ table: 'cards', put: { ...context.state.cardByCode(code)!, expiresAt: arguments[0].expiresAt ?? null } }]);",
  ),
  ...(['create', 'adjustment'] as const).map((what) =>
    mutant(
      `idempotency.${what}.checked-per-account`,
      values,
      "if (kind === 'adjustment') return",
      "if (context.settings.currency === 'EUR') return false; if (kind === 'adjustment') return",
    ),
  ),
  // With another amount or other properties it runs again, or for the third time, or once its cards are voided.
  mutant(
    'idempotency.automation.skips-repeat',
    automations,
    kept,
    `const seen = ((globalThis as any).contents ??= new Map()); const content = JSON.stringify([arguments[1].amount, arguments[1].properties]); if (!seen.has(key + id)) seen.set(key + id, content); else if (seen.get(key + id) !== content) return false; ${kept}`,
  ),
  mutant(
    'idempotency.automation.skips-repeat',
    automations,
    ran,
    'const times = ((globalThis as any).times ??= new Map()); if (ranAt !== undefined) times.set(key + id, (times.get(key + id) ?? 0) + 1); return isRemembered(ranAt, context) && (times.get(key + id) ?? 0) < 2;',
  ),
  mutant(
    'idempotency.automation.skips-repeat',
    automations,
    ran,
    "return isRemembered(ranAt, context) && context.state.cardsByRecipient(recipientEmail ?? '').some(({ automationId, status }) => automationId === id && status !== 'Voided');",
  ),
  mutant('automation.matches-name', automations, 'return eventName === name;', 'return eventName.startsWith(name);'),
  mutant('automation.matches-name', automations, 'return eventName === name;', 'return eventName.endsWith(name);'),
  mutant(
    'automation.amount-overrides',
    automations,
    'event.amount ?? automation.amount',
    'Math.min(event.amount ?? automation.amount, automation.amount)',
  ),
  mutant(
    'automation.amount-overrides',
    automations,
    'event.amount ?? automation.amount',
    '(event.amount === null ? automation.amount : Math.trunc(event.amount / 100) * 100)',
  ),
  mutant('automation.answers-cards-and-runs', operation, 'balance: toAmount(card.balance, card.currency),', 'balance: 0,'),
  mutant('automation.answers-cards-and-runs', operation, 'status: card.status,', "status: 'Scheduled',"),
  mutant(
    'automation.answers-cards-and-runs',
    operation,
    'recipient_email_address: card.recipientEmailAddress as string,',
    "recipient_email_address: 'x@example.com',",
  ),
  mutant(
    'automation.properties-stored',
    automations,
    '? null : event.properties,',
    '? null : Object.fromEntries(Object.entries(event.properties).map(([name, text]) => [name, text.slice(0, 64)])),',
  ),
  mutant(
    'errors.rejection-is-400-plain-text',
    handle,
    headers,
    asJson("code === 'adjustment.voucher' || code === 'gift-card.gifted-names-missing'"),
  ),
  mutant(
    'errors.rejection-is-400-plain-text',
    handle,
    headers,
    asJson("status === 400 && String(about).includes('uniqueAdjustmentId')"),
  ),
  mutant('errors.rejection-is-400-plain-text', handle, headers, asJson("code === 'gift-card.unique-id-used'")),
];
