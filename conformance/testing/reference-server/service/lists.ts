import type { StrangeAccount } from './account.ts';
import { refuse } from './asking.ts';
import { shown } from './cards.ts';

/** What is looked for in a query. */

export function list(on: StrangeAccount, query: URLSearchParams): unknown {
  const size = Number(query.get('pageSize') ?? 10);
  if (size > 50) throw refuse('too many', 422);
  const since = query.get('since');
  const after = since === null ? Number.NEGATIVE_INFINITY : Date.parse(/Z$|[+-]\d\d:\d\d$/.test(since) ? since : `${since}Z`);
  const cards = on.cards
    .filter(({ deleted, issued }) => (!deleted || query.get('includeAll') === 'true') && issued > after)
    .toSorted((a, b) => b.touched - a.touched);
  const start = size * Number(query.get('pageNumber') ?? 0);
  return {
    totalCount: cards.length,
    giftCards: cards.slice(start, start + size).map(({ id, code }) => ({ ref: id, number: code })),
  };
}

export const sentTo = (on: StrangeAccount, query: URLSearchParams) => ({
  hits: on.cards.filter(({ fields }) => fields.recipientEmailAddress === query.get('emailAddress')).map(({ id }) => id),
});

export function ofShop(on: StrangeAccount, query: URLSearchParams): unknown {
  const [shop, id] = [query.get('platform'), query.get('platformGiftCardId')];
  const card = on.cards.find(({ fields, deleted }) => shop === 'shop' && fields.shopId === id && !deleted);
  return { matches: card ? [shown(card, on.currency)] : [] };
}
