import type { CardRecord } from '../../mock/state/records.ts';
import type { View } from '../../mock/state/view.ts';
import { type Mutations, notFound, parameters, reply, state, text } from './mutation.ts';

const list = 'listGiftCards';
const byEmail = 'getGiftCardsByEmail';
const bySource = 'getGiftCardByAccountPlatformIdAndSourceId';

/** Changes the cards that List selects from, with and without `since`. */
const listed = (change: (cards: readonly CardRecord[], withSince: boolean) => readonly CardRecord[]) =>
  state(list, (view) => ({
    newest: (position, length, includeDeleted, after) => {
      const cards = change(view.newest(0, 1e6, includeDeleted, after).cards, after !== undefined);
      return { cards: cards.slice(position, position + length), count: cards.length };
    },
  }));
const page = (change: (given: { pageSize: number; pageNumber: number; since?: string; includeAll: boolean }) => object) =>
  parameters(list, (given) => change(given as Parameters<typeof change>[0]));
const found = (change: (view: View, address: string) => readonly CardRecord[]) =>
  state(byEmail, (view) => ({ cardsByRecipient: (address) => change(view, address) }));
const latestFirst = (cards: readonly CardRecord[], timeOf: (card: CardRecord) => number) =>
  cards.toSorted((one, other) => timeOf(other) - timeOf(one));
const withoutStatus = (status: string) => listed((cards) => cards.filter((each) => each.status !== status));

export const lookupMutations: Mutations = {
  'gift-card.get-by-code.returns-the-card': parameters('getGiftCardByCode', (_, context) => ({
    code: context.state.newest(0, 1, false).cards[0]?.code,
  })),
  'gift-card.get-by-code.matches-exactly': [
    state('getGiftCardByCode', (view) => ({ cardByCode: (code) => view.cardByCode(code, 'any') })),
    state('getGiftCardByCode', (view) => ({
      cardByCode: (code) => view.cardByCode(code) ?? [...view.cards()].find((each) => each.code.startsWith(code)),
    })),
  ],
  'gift-card.get-by-code.unknown-is-404': notFound('getGiftCardByCode'),
  'gift-card.get-by-id.returns-the-card': parameters('getGiftCardById', (_, context) => ({
    id: context.state.newest(0, 1, false).cards[0]?.id,
  })),
  'gift-card.get-by-id.unknown-is-404': notFound('getGiftCardById'),
  'gift-card.get-by-email.finds-cards-sent-to-recipient': [
    found((view, address) => view.cardsByRecipient(address.replaceAll('+', ' '))),
    found((view, address) => view.cardsByRecipient(address).filter(({ balance, status }) => balance > 0 || status === 'Voided')),
    found((view, address) =>
      [...view.cards()].filter((each) => each.recipientEmailAddress === address || each.buyerEmailAddress === address),
    ),
    reply(byEmail, (cards) => cards.map((each) => ({ ...each, balance: each.initialValue }))),
  ],
  'gift-card.get-by-source.finds-channel-card': state(bySource, (view) => ({
    cardBySource: (channel, source) => view.cardBySource(channel, source) ?? view.cardByCode('ACTIVE-0001'),
  })),
  'list.wraps-cards-and-total': reply(list, ({ giftCards, totalCount }) => ({ giftCards, total: totalCount })),
  'list.page-size-limits': page(({ pageSize }) => ({ pageSize: pageSize + 1 })),
  'list.page-size-default': page(({ pageSize }) => (pageSize === 10 ? { pageSize: 20 } : {})),
  'list.page-size-maximum': [
    page(({ pageSize, pageNumber }) => (pageSize === 50 && pageNumber > 0 ? { pageSize: 49 } : {})),
    page(({ pageSize }) => (pageSize > 25 ? { pageSize: 60 } : {})),
  ],
  'list.page-number-from-zero': [
    page(({ pageNumber }) => ({ pageNumber: Math.max(0, pageNumber - 1) })),
    state(list, (view) => ({
      newest: (position, length, includeDeleted) => view.newest(position + (position > length ? 1 : 0), length, includeDeleted),
    })),
  ],
  'list.last-updated-first': [
    listed((cards) => cards.toSorted((one, other) => other.createdAt - one.createdAt)),
    listed((cards, withSince) => (withSince ? cards.toReversed() : cards)),
    // Only a void counts as an update. An adjustment does not.
    listed((cards) => latestFirst(cards, (each) => (each.status === 'Voided' ? each.updatedAt : each.createdAt))),
    // A void does not count as an update.
    listed((cards) => latestFirst(cards, (each) => (each.status === 'Voided' ? each.createdAt - 1 : each.updatedAt))),
  ],
  'list.includes-voided': withoutStatus('Voided'),
  'list.includes-redeemed': withoutStatus('Redeemed'),
  'list.includes-expired': withoutStatus('Expired'),
  'list.hides-deleted-cards': page(() => ({ includeAll: true })),
  'list.include-all-adds-deleted': page(({ since }) => (since === undefined ? {} : { includeAll: false })),
  'list.since-is-strictly-after': state(list, (view) => ({
    newest: (position, length, deleted, after = 0) => view.newest(position, length, deleted, after - 1),
  })),
  'list.since-goes-by-issue': state(list, (view) => ({
    newest: (position, length, deleted, after = 0) => {
      const cards = view.newest(0, 1e6, deleted).cards.filter(({ updatedAt }) => updatedAt > after);
      return { cards: cards.slice(position, position + length), count: cards.length };
    },
  })),
  'company.profile-answers': reply('getCompanyProfile', (profile) => ({ ...profile, timeZone: '' })),
  'company.profile-currency-is-of-cards': // Shows USD for every account, but the other account uses euros.
    reply('getCompanyProfile', (profile) => ({ ...profile, currency: 'USD' })),
  'http.json-bodies': text('getCompanyProfile', () => 'currency=USD'),
  'http.camel-case-names': text('listWebhooks', (json) => json.replaceAll('"url"', '"Url"')),
};
