import { adjust, historyView } from './adjustments.ts';
import { runAutomations } from './automations.ts';
import { cardView, create, findCard, findChangeable, voidOnRequest } from './cards.ts';
import { runDueEvents } from './due-events.ts';
import { cardOfChannel, cardsSentTo, listCards } from './lists.ts';
import { notFound } from './refusal.ts';
import type { Account } from './service.ts';
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.ts';
import { decodedSegment } from './wire.ts';

/** The JSON of a success. Throws a Refusal. */
export function answer(account: Account, method: string, url: URL, body: Record<string, unknown>): unknown {
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
