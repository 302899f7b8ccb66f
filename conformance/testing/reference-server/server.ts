import { handleAdjustment, historyView } from './adjustments.ts';
import {
  cardOfChannel,
  cardsSentTo,
  cardView,
  findCard,
  findChangeable,
  handleCreate,
  handleList,
  voidOnRequest,
} from './cards.ts';
import { runAutomations, runServerEvents } from './events.ts';
import type { Hooks, RawRequest, ServerAccount, ServerCall, ServerState } from './faults/hooks.ts';
import { defaultOptions, type ReferenceOptions } from './options.ts';
import { ReferenceService } from './service.ts';
import { handleCreateWebhook, handleDeleteWebhook, handleListWebhooks } from './webhooks.ts';
import { bodyOf, decodedSegment, notFound, ServerRefusal } from './wire.ts';
import { addWorld, worldProfile } from './world.ts';

/** The options, and the hooks of a fault. */
export type ServerOptions = Partial<ReferenceOptions> & { readonly hooks?: Hooks };

/**
 * Starts a small gift card service. It is written from the specification and shares no code with the mock or the oracle. Without hooks,
 * the suite must report no violation.
 */
export function referenceServer({ hooks = {}, ...options }: ServerOptions = {}) {
  const service = new ReferenceService({ ...defaultOptions, ...options }, hooks);
  const [first, second] = service.accounts;
  addWorld(first);
  const accounts = { one: first, two: second, medium: first, large: second, cheap: 'basic' } as const;
  const keys = new Map<string, ServerAccount | 'basic'>(Object.entries(accounts));
  async function handle(request: RawRequest): Promise<Response> {
    const { key } = request;
    const { isOverRate: isOver = (given) => given } = service.hooks;
    const account = keys.get(key ?? '');
    if (!account) return new Response(null, { status: 401 });
    if (account === 'basic') return Response.json({ upgrade: 'please' }, { status: 402 });
    if (isOver(isOverRate(account), request))
      return Response.json({ slower: true }, { status: 429, headers: { 'retry-after': 'soon' } });
    return respond(account, request);
  }
  return {
    key: 'one',
    profile: worldProfile,
    /** The first account, for tests that change records without a request. */
    account: first,
    setClock(time: number): void {
      service.now = time;
      runServerEvents(first);
    },
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      if (url.pathname === '/later') return advance(service, Number(url.searchParams.get('seconds')));
      const key = request.headers.get('x-api-key');
      const received = { method: request.method, url, key, headers: request.headers, text: await request.text() };
      const { request: hook = (given, next) => next(given) } = service.hooks;
      return hook(received, handle);
    },
  };
}

function advance(service: ServerState, seconds: number): Response {
  service.now += seconds * 1_000;
  service.advanced += seconds * 1_000;
  runServerEvents(service.accounts[0]);
  return new Response(null, { status: 204 });
}

function isOverRate(account: ServerAccount): boolean {
  const { advanced, options } = account.service;
  const minute = Math.floor((Date.now() + advanced) / 60_000);
  if (account.rate.minute !== minute) account.rate = { minute, requests: 0 };
  account.rate.requests += 1;
  return account.rate.requests > options.perMinute;
}

async function respond(account: ServerAccount, { method, url, key, text }: RawRequest): Promise<Response> {
  const { operation: hook = (call, next) => next(call) } = account.service.hooks;
  try {
    const body = bodyOf(text);
    runServerEvents(account);
    const [, , group, action = '', name] = url.pathname.split('/').map(decodedSegment);
    const operation = `${method} ${group}/${action}`;
    if (!Object.hasOwn(operations, operation)) throw notFound();
    return Response.json(await hook({ account, operation, key, name, query: url.searchParams, body }, carryOut));
  } catch (thrown) {
    if (thrown instanceof ServerRefusal) return thrown.response;
    throw thrown;
  }
}

const carryOut = (call: ServerCall): unknown => operations[call.operation]?.(call.account, call);

const operations: Readonly<Record<string, (account: ServerAccount, input: ServerCall) => unknown>> = {
  'POST GiftCard/Create': (account, { body }) => handleCreate(account, body),
  'GET GiftCard/GetByCode': (account, { name }) => cardView(account, findCard(account, 'code', name)),
  'GET GiftCard/GetById': (account, { name }) => cardView(account, findCard(account, 'ID', name)),
  'GET GiftCard/GetByEmail': (account, { query }) => cardsSentTo(account, query),
  'GET GiftCard/GetByAccountPlatformIdAndSourceId': (account, { query }) => cardOfChannel(account, query),
  'GET GiftCard/List': (account, { query }) => handleList(account, query),
  'DELETE GiftCard/VoidByCode': (account, { name }) => voidOnRequest(account, findChangeable(account, 'code', name)),
  'DELETE GiftCard/VoidById': (account, { name }) => voidOnRequest(account, findChangeable(account, 'ID', name)),
  'GET GiftCardAdjustment/ListAdjustmentsByGiftCardCode': (account, { name }) =>
    historyView(account, findCard(account, 'code', name)),
  'GET GiftCardAdjustment/ListAdjustmentsByGiftCardId': (account, { name }) =>
    historyView(account, findCard(account, 'ID', name)),
  'POST GiftCardAdjustment/AddAdjustmentByGiftCardCode': (account, { body }) =>
    handleAdjustment(account, 'code', body.giftCardCode, body),
  'POST GiftCardAdjustment/AddAdjustmentByGiftCardId': (account, { body }) =>
    handleAdjustment(account, 'ID', body[account.service.options.adjustedIdField], body),
  'POST AutomationTriggerEvents/': (account, { body }) => runAutomations(account, body),
  'GET Company/Profile': ({ currency, service }) => service.options.company(currency),
  'POST Webhook/Create': (account, { body }) => handleCreateWebhook(account, body),
  'GET Webhook/List': handleListWebhooks,
  'DELETE Webhook/Delete': (account, { name }) => handleDeleteWebhook(account, name),
};
