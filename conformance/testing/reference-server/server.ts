import { adjust, historyView } from './adjustments.ts';
import { cardView, create, findCard, findChangeable, voidOnRequest } from './cards.ts';
import { runAutomations, runDueEvents } from './events.ts';
import { cardOfChannel, cardsSentTo, listCards } from './lists.ts';
import { defaultOptions, type ReferenceOptions } from './options.ts';
import { type Account, Service } from './service.ts';
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.ts';
import { bodyOf, decodedSegment, notFound, Refusal } from './wire.ts';
import { addWorld, worldProfile } from './world.ts';

/**
 * A small gift card service written from the specification, without code of the mock or of the oracle. Every lawful set of options, and no fault,
 * makes a service in which the suite must find nothing wrong.
 */
export function referenceServer(options: Partial<ReferenceOptions> = {}) {
  const service = new Service({ ...defaultOptions, ...options });
  const [first, second] = service.accounts;
  addWorld(first);
  const keys = new Map<string, Account | 'basic'>([
    ['one', first],
    ['two', second],
    ['cheap', 'basic'],
  ]);
  return {
    key: 'one',
    profile: worldProfile,
    /** The first account, for what happens without a request. */
    account: first,
    setClock(time: number): void {
      service.now = time;
      runDueEvents(first);
    },
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      if (url.pathname === '/later') return advance(service, Number(url.searchParams.get('seconds')));
      const key = request.headers.get('x-api-key') ?? (service.has('accepts requests without a key') ? 'one' : '');
      const account = keys.get(key);
      if (!account) return new Response(null, { status: 401 });
      if (account === 'basic') return Response.json({ upgrade: 'please' }, { status: 402 });
      if (isOverRate(account)) return Response.json({ slower: true }, { status: 429, headers: { 'retry-after': 'soon' } });
      return respond(account, request.method, url, await request.text());
    },
  };
}

function advance(service: Service, seconds: number): Response {
  service.now += seconds * 1_000;
  service.advanced += seconds * 1_000;
  runDueEvents(service.accounts[0]);
  return new Response(null, { status: 204 });
}

function isOverRate(account: Account): boolean {
  const { advanced, options } = account.service;
  const minute = Math.floor((Date.now() + advanced) / 60_000);
  if (account.rate.minute !== minute) account.rate = { minute, requests: 0 };
  account.rate.requests += 1;
  return account.rate.requests > options.perMinute;
}

function respond(account: Account, method: string, url: URL, text: string): Response {
  const { service } = account;
  try {
    const json = service.options.answers(answer(account, method, url, bodyOf(text)), url.pathname);
    const isCreate = url.pathname === '/api/GiftCard/Create';
    return Response.json(json, { status: isCreate && service.has('answers 201 to creates') ? 201 : 200 });
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.response;
    throw thrown;
  }
}

/** The JSON of a success. Throws a Refusal. */
function answer(account: Account, method: string, url: URL, body: Record<string, unknown>): unknown {
  runDueEvents(account);
  const { service } = account;
  const { searchParams: query } = url;
  const [, , group, action, name] = url.pathname.split('/').map(decodedSegment);
  switch (`${method} ${group}/${action ?? ''}`) {
    case 'POST GiftCard/Create':
      return create(account, body);
    case 'GET GiftCard/GetByCode':
      return cardView(service, findCard(account, 'code', name));
    case 'GET GiftCard/GetById':
      return cardView(service, findCard(account, 'ID', name));
    case 'GET GiftCard/GetByEmail':
      return cardsSentTo(account, query);
    case 'GET GiftCard/GetByAccountPlatformIdAndSourceId':
      return cardOfChannel(account, query);
    case 'GET GiftCard/List':
      return listCards(account, query);
    case 'DELETE GiftCard/VoidByCode':
      return voidOnRequest(account, findChangeable(account, 'code', name));
    case 'DELETE GiftCard/VoidById':
      return voidOnRequest(account, findChangeable(account, 'ID', name));
    case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardCode':
      return historyView(service, findCard(account, 'code', name));
    case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardId':
      return historyView(service, findCard(account, 'ID', name));
    case 'POST GiftCardAdjustment/AddAdjustmentByGiftCardCode':
      return adjust(account, 'code', body.giftCardCode, body);
    case 'POST GiftCardAdjustment/AddAdjustmentByGiftCardId':
      return adjust(account, 'ID', body[service.options.adjustedIdField], body);
    case 'POST AutomationTriggerEvents/':
      return runAutomations(account, body);
    case 'GET Company/Profile':
      return service.options.company(service.options.currency);
    case 'POST Webhook/Create':
      return createWebhook(account, body);
    case 'GET Webhook/List':
      return listWebhooks(account);
    case 'DELETE Webhook/Delete':
      return deleteWebhook(account, name);
    default:
      throw notFound();
  }
}
