import { type Mutant, mutant } from './mutant.ts';

const payload = 'mock/outbound/payload.ts';
const time = 'mock/domain/time.ts';
const automations = 'mock/domain/automations.ts';
const notifications = 'mock/domain/notifications.ts';
const giftCards = 'mock/domain/gift-cards.ts';
const admit = 'mock/pipeline/authenticate.ts';
const deliveries = 'mock/outbound/deliveries.ts';
const letter = 'mock/outbound/signed-request.ts';

const expiredDelivery = "{ kind: 'delivery', topic: 'giftcard/expired', card: expired },";
const name = 'ApiEventName: card.apiEventName,';
const properties = '{ ApiEventProperties: card.apiEventProperties }';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
/** Breaks of what comes by itself, of cards that automations issue, and of what only accounts with more to them show. */
export const timedMutants: readonly Mutant[] = [
  mutant('delivery.expired.on-expiry', time, expiredDelivery, ''),
  mutant('delivery.expired.on-expiry', time, expiredDelivery, expiredDelivery.replace('giftcard/expired', 'giftcard/updated')),
  mutant(
    'delivery.expired.on-expiry',
    deliveries,
    'if (!webhook.enabled || webhook.url === null) continue;',
    "if (!webhook.enabled || webhook.url === null || (topic === 'giftcard/expired' && formed.length > 0)) continue;",
  ),
  mutant(
    'delivery.expired.on-expiry',
    letter,
    'return token === null ?',
    "return token === null || body.includes('giftcard/expired') ?",
  ),
  mutant('delivery.payload.status-after-event', time, expiredDelivery, expiredDelivery.replace('card: expired', 'card')),
  mutant(
    'emails.gifted-deferred',
    notifications,
    'return waitsForMoment(card, now, behaviors) ? [] : onIssue(',
    'return onIssue(',
  ),
  mutant('emails.gifted-deferred', time, 'effects: onIssue(card, context.behaviors) };', 'effects: [] };'),
  mutant(
    'automation.properties-stored',
    automations,
    'apiEventProperties: Object.keys(event.properties).length === 0 ? null : event.properties,',
    'apiEventProperties: null,',
  ),
  mutant(
    'automation.properties-stored',
    payload,
    properties,
    "(topic === 'giftcard/voided' ? {} : { ApiEventProperties: card.apiEventProperties })",
  ),
  mutant(
    'delivery.payload.api-event-properties',
    payload,
    properties,
    '{ ApiEventProperties: { all: JSON.stringify(card.apiEventProperties) } }',
  ),
  mutant(
    'delivery.payload.api-event-properties',
    payload,
    properties,
    '{ ApiEventProperties: { ...card.apiEventProperties, event: String(card.apiEventName) } }',
  ),
  mutant('delivery.payload.api-event-name', payload, name, 'ApiEventName: null,'),
  mutant('delivery.payload.api-event-name', payload, name, "ApiEventName: card.apiEventName ?? 'created',"),
  mutant('delivery.payload.automation', payload, 'AutomationId: card.automationId,', 'AutomationId: null,'),
  mutant(
    'delivery.payload.automation',
    payload,
    'AutomationId: card.automationId,',
    'AutomationId: card.automationId ?? card.id,',
  ),
  mutant(
    'idempotency.automation.checked-per-account',
    automations,
    'if (key === null) return false;',
    'if (key === null) return false; const used: Set<string> = ((globalThis as any).usedKeys ??= new Set()); if (used.has(key)) return true; used.add(key);',
  ),
  mutant('authentication.paid-plans-admitted', admit, "if (plan === 'Basic')", "if (plan !== 'Pro')"),
  mutant(
    'gift-card.create.notes-record-origin',
    giftCards,
    'const origin = `Created through the API: ${context.actor}`;',
    "const origin = 'Created through the API';",
  ),
  mutant(
    'gift-card.create.notes-record-origin',
    giftCards,
    'const origin = `Created through the API: ${context.actor}`;',
    'const origin = `${context.actor}`;',
  ),
  mutant(
    'gift-card.get-by-source.finds-channel-card',
    'mock/domain/finding.ts',
    'const card = state.cardBySource(accountPlatformId, sourceId);',
    'const card = state.cardBySource(sourceId, accountPlatformId);',
  ),
  ...[1, 24].map((hours) =>
    mutant(
      'delivery.expired.on-expiry',
      'mock/domain/expiry.ts',
      "case 'at-its-moment':\n      return card.expiresAt;",
      `case 'at-its-moment':\n      return card.expiresAt - ${hours} * 3_600_000;`,
    ),
  ),
  // What somebody might make of a text.
  ...['text.trim()', "text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')"].map((made) =>
    mutant(
      'automation.properties-stored',
      automations,
      'apiEventProperties: Object.keys(event.properties).length === 0 ? null : event.properties,',
      `apiEventProperties: Object.keys(event.properties).length === 0 ? null : Object.fromEntries(Object.entries(event.properties).map(([name, text]) => [name, ${made}])),`,
    ),
  ),
  ...[`'"number":"42"', '"number":42'`, `'"flag":"true"', '"flag":true'`, `'"empty":"",', ''`].map((made) =>
    mutant(
      'automation.properties-stored',
      payload,
      '? JSON.stringify(JSON.parse(text), null, 2) : text;',
      `? '' : text.replace(${made});`,
    ),
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
