import type { ServerWebhook } from '../records.ts';
import { isAccepted } from '../webhooks.ts';
import { api, changesResponse, type FaultTable, on, refused, refusesIf, statusAs } from './fault.ts';
import type { Hooks, ServerCall } from './hooks.ts';

const after = (operation: string, more: (call: ServerCall) => void) =>
  changesResponse(operation, (json, call) => {
    more(call);
    return json;
  });
const listsOnly = (isShown: (webhook: ServerWebhook, index: number, all: readonly ServerWebhook[]) => boolean) =>
  on(api.listWebhooks, (call, next) =>
    next({ ...call, account: { ...call.account, webhooks: call.account.webhooks.filter(isShown) } }),
  );

/** Disables a webhook after another number of failures. `afterSuccess` returns the number of failures that a success leaves. */
const counts =
  (most: number, afterSuccess = (failures: number) => failures, isCounted = (_: ServerWebhook) => true) =>
  (): Hooks => {
    const failures = new Map<ServerWebhook, number>();
    return {
      async delivery(delivery, next) {
        const { webhook } = delivery;
        const succeeded = isAccepted(await next(delivery));
        const before = failures.get(webhook) ?? 0;
        const count = succeeded ? afterSuccess(before) : before + (isCounted(webhook) ? 1 : 0);
        failures.set(webhook, count);
        webhook.failures = count >= most ? 6 : 0;
        return 200;
      },
    };
  };

/** Carries out something as if no webhook were disabled. */
function enabled(webhooks: readonly ServerWebhook[], run: () => unknown): unknown {
  const disabled = webhooks.filter(({ failures }) => failures >= 6);
  for (const webhook of disabled) webhook.failures -= 1_000;
  const result = run();
  for (const webhook of disabled) webhook.failures += 1_000;
  return result;
}

const isUrlKnown = ({ account, body }: ServerCall) => account.webhooks.some(({ url }) => url === body.url);

export const webhookFaults: FaultTable = {
  'webhook.create.returns-200': { 'returns 201 to new webhooks': statusAs(200, 201, api.createWebhook) },
  'webhook.create.registers': { 'forgets new webhooks': after(api.createWebhook, ({ account }) => account.webhooks.pop()) },
  'webhook.create.takes-description': {
    'refuses a description with quotes': refusesIf(api.createWebhook, ({ body }) => String(body.description).includes('"')),
  },
  'webhook.create.token-optional': {
    'requires a token if there is a webhook without one': refusesIf(
      api.createWebhook,
      ({ account, body }) => !body.requestHeaderVerificationToken && account.webhooks.length === 0,
    ),
  },
  'webhook.create.same-url-again': { 'refuses a second webhook with one URL': refusesIf(api.createWebhook, isUrlKnown) },
  'webhook.list.of-account': {
    'lists no webhook with a token': listsOnly(({ token }) => token === undefined),
    'lists two webhooks': listsOnly((_, index) => index < 2),
  },
  'webhook.delete.removes': {
    'keeps deleted webhooks': on(api.deleteWebhook, () => null),
    'deletes all webhooks with one URL': on(api.deleteWebhook, (call, next) => {
      const { webhooks } = call.account;
      const url = webhooks.find(({ id }) => String(id) === call.name)?.url;
      const json = next(call);
      webhooks.splice(0, webhooks.length, ...webhooks.filter((each) => each.url !== url));
      return json;
    }),
    'delivers to deleted webhooks': (): Hooks => {
      let all: readonly ServerWebhook[] = [];
      return {
        operation(call, next) {
          all = [...new Set([...all, ...call.account.webhooks])];
          return next(call);
        },
        event: (event, next) => next({ ...event, account: { ...event.account, webhooks: [...all] } }),
      };
    },
  },
  'webhook.delete.unknown-is-404': { 'returns 200 to deleting an unknown webhook': refused(api.deleteWebhook, () => null) },
  'webhook.disabled-after-failures': {
    'never disables a webhook': counts(Number.POSITIVE_INFINITY),
    'never disables a webhook with a token': counts(6, undefined, ({ token }) => !token),
    'disables a webhook after one failure': counts(1),
    'disables a webhook after five failures': counts(5),
    'disables a webhook after seven failures': counts(7),
  },
  'webhook.failures-count-for-life': {
    'resets the failure count at a success': counts(6, () => 0),
    'takes back one failure at a success': counts(6, (failures) => Math.max(0, failures - 1)),
  },
  'webhook.list.enabled-only': {
    'lists disabled webhooks': on(api.listWebhooks, (call, next) => enabled(call.account.webhooks, () => next(call))),
  },
  'webhook.disabled-gets-no-deliveries': {
    'delivers to disabled webhooks': () => ({
      event: (event, next) => void enabled(event.account.webhooks, () => next(event)),
    }),
  },
  'webhook.create-again-re-enables': {
    'counts failures of a URL for its next webhook': after(api.createWebhook, ({ account: { webhooks } }) => {
      const last = webhooks.at(-1);
      if (last) last.failures = Math.max(...webhooks.filter(({ url }) => url === last.url).map(({ failures }) => failures));
    }),
  },
};
