import type { StrangeAccount, StrangeCard } from './account.ts';
import { adjust, told } from './adjusting.ts';
import { nowhere, plain } from './asking.ts';
import { happen } from './automations.ts';
import { cancel, create, shown } from './cards.ts';
import { list, ofShop, sentTo } from './lists.ts';
import { settle } from './settling.ts';
import { register, registered, remove } from './webhooks.ts';

export function route(on: StrangeAccount, method: string, url: URL, body: Record<string, unknown>): unknown {
  settle(on);
  const [, , group, action, named] = url.pathname.split('/').map(plain);
  const byCode = (code: unknown) => on.cards.find((card) => card.code === code && !card.deleted);
  const byId = (id: unknown) => on.cards.find((card) => String(card.id) === String(id));
  const found = (card: StrangeCard | undefined) => {
    if (!card) throw nowhere();
    return card;
  };
  switch (`${method} ${group}/${action ?? ''}`) {
    case 'POST GiftCard/Create':
      return create(on, body);
    case 'GET GiftCard/GetByCode':
      return shown(found(byCode(named)), on.currency);
    case 'GET GiftCard/GetById':
      return shown(found(byId(named)), on.currency);
    case 'GET GiftCard/GetByEmail':
      return sentTo(on, url.searchParams);
    case 'GET GiftCard/GetByAccountPlatformIdAndSourceId':
      return ofShop(on, url.searchParams);
    case 'GET GiftCard/List':
      return list(on, url.searchParams);
    case 'DELETE GiftCard/VoidByCode':
      return cancel(on, found(byCode(named)));
    case 'DELETE GiftCard/VoidById':
      return cancel(on, found(byId(named)));
    case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardCode':
      return told(found(byCode(named)), on.currency);
    case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardId':
      return told(found(byId(named)), on.currency);
    case 'POST GiftCardAdjustment/AddAdjustmentByGiftCardCode':
      return adjust(on, byCode(body.giftCardCode), body, false);
    case 'POST GiftCardAdjustment/AddAdjustmentByGiftCardId':
      return adjust(on, byId(body.cardId), body, true);
    case 'POST AutomationTriggerEvents/':
      return happen(on, body);
    case 'GET Company/Profile':
      return { business: 'Stranger', money: { iso: on.currency }, zone: 'Europe/Oslo' };
    case 'POST Webhook/Create':
      return register(on, body);
    case 'GET Webhook/List':
      return registered(on);
    case 'DELETE Webhook/Delete':
      return remove(on, named);
    default:
      throw nowhere();
  }
}
