import { type Mutant, mutant } from './mutant.ts';

const webhooks = 'mock/domain/webhooks.ts';
const courier = 'mock/outbound/webhook-sender.ts';
const deliveries = 'mock/outbound/deliveries.ts';
const handle = 'mock/pipeline/handle.ts';
const acceptable = '!isAcceptable(new URL(wanted.url), context)';
const enabled = '.filter((webhook) => webhook.enabled);';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
export const webhookMutants: readonly Mutant[] = [
  mutant(
    'webhook.create.answers-200',
    handle,
    'return ended({ status, headers, body, bytes }, undefined, cause);',
    "return ended({ status: id === 'createWebhook' ? 201 : status, headers, body, bytes }, undefined, cause);",
  ),
  mutant(
    'webhook.create.registers',
    webhooks,
    "changes: [{ table: 'webhooks', put: webhook }], effects: isTried",
    'changes: [], effects: isTried',
  ),
  mutant('webhook.create.takes-description', webhooks, acceptable, `((wanted.description ?? '').length > 80 || ${acceptable})`),
  mutant('webhook.create.token-optional', webhooks, acceptable, `(wanted.token === null || ${acceptable})`),
  mutant(
    'webhook.create.same-url-again',
    webhooks,
    acceptable,
    `([...context.state.webhooks()].some(({ url }) => url === wanted.url) || ${acceptable})`,
  ),
  mutant('webhook.list.of-account', webhooks, enabled, '.filter((webhook) => webhook.enabled).slice(0, 2);'),
  mutant('webhook.list.enabled-only', webhooks, enabled, ';'),
  mutant('webhook.delete.removes', webhooks, "changes: [{ table: 'webhooks', remove: id }]", 'changes: []'),
  mutant(
    'webhook.delete.removes',
    webhooks,
    "changes: [{ table: 'webhooks', remove: id }]",
    "changes: [...state.webhooks()].filter((each) => each.url === webhook.url).map((each) => ({ table: 'webhooks' as const, remove: each.id }))",
  ),
  mutant(
    'webhook.delete.unknown-is-404',
    webhooks,
    "if (!isThere) return refuse('webhook.not-found', id);",
    'if (!isThere) return { reply: true, changes: [], effects: [] };',
  ),
  mutant('webhook.disabled-after-failures', courier, 'enabled: failures < FAILURES', 'enabled: failures < FAILURES - 1'),
  mutant('webhook.disabled-after-failures', courier, 'enabled: failures < FAILURES', 'enabled: failures <= FAILURES'),
  mutant(
    'webhook.disabled-after-failures',
    courier,
    'if (delivered || !webhook.enabled) return webhook.failures;',
    'if (delivered || !webhook.enabled || webhook.token !== null) return webhook.failures;',
  ),
  mutant(
    'webhook.failures-count-for-life',
    courier,
    'if (delivered || !webhook.enabled) return webhook.failures;',
    "if (delivered) this.#account.apply([{ table: 'webhooks', put: { ...webhook, failures: 0 } }], cause); if (delivered || !webhook.enabled) return 0;",
  ),
  mutant(
    'webhook.disabled-gets-no-deliveries',
    courier,
    "this.#account.apply([{ table: 'webhooks', put: counted }], cause);",
    "this.#account.apply([{ table: 'webhooks', put: counted.enabled ? counted : { ...counted, enabled: true, url: `${counted.url}?` } }], cause);",
  ),
  mutant(
    'webhook.create-again-re-enables',
    deliveries,
    'if (!webhook.enabled || webhook.url === null) continue;',
    'if ([...state.webhooks()].some(({ enabled, url }) => !enabled && url === webhook.url) || webhook.url === null) continue;',
  ),
  mutant(
    'webhook.delete.removes',
    webhooks,
    "changes: [{ table: 'webhooks', remove: id }]",
    "changes: [{ table: 'webhooks', remove: [...state.webhooks()].find((each) => each.url === webhook.url)?.id ?? id }]",
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
