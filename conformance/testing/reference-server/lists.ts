import { cardView } from './cards.ts';
import type { ServerAccount } from './faults/hooks.ts';
import { ServerRefusal } from './wire.ts';

export function handleList(account: ServerAccount, query: URLSearchParams): unknown {
  const { cards, service } = account;
  const { listedCard } = service.options;
  const size = Number(query.get('pageSize') ?? 10);
  if (!(size >= 1 && size <= 50)) throw new ServerRefusal(422, 'not a page size');
  const since = query.get('since');
  const after = since === null ? Number.NEGATIVE_INFINITY : Date.parse(/Z$|[+-]\d\d:\d\d$/.test(since) ? since : `${since}Z`);
  const listed = cards
    .filter(({ issuedAt }) => issuedAt > after)
    .filter(({ isDeleted }) => !isDeleted || query.get('includeAll') === 'true')
    .sort((one, other) => other.updates - one.updates);
  const first = Number(query.get('pageNumber') ?? 0) * size;
  return {
    totalCount: listed.length,
    giftCards: listed.slice(first, first + size).map((card) => listedCard(card, cardView(account, card))),
  };
}

export const cardsSentTo = ({ cards }: ServerAccount, query: URLSearchParams): unknown => ({
  hits: cards.filter(({ fields }) => fields.recipientEmailAddress === query.get('emailAddress')).map(({ id }) => id),
});

export function cardOfChannel(account: ServerAccount, query: URLSearchParams): unknown {
  const [channel, id] = [query.get('platform'), query.get('platformGiftCardId')];
  const card = account.cards.find(({ fields, isDeleted }) => channel === 'shop' && fields.shopId === id && !isDeleted);
  return { matches: card ? [cardView(account, card)] : [] };
}
