import { cardView } from '../cards.ts';
import type { ServerCard } from '../records.ts';
import { api, body, changesResponse, type FaultTable, on, refused, type ShownFields, statusAs } from './fault.ts';
import type { ServerCall } from './hooks.ts';

/** Finds the first card that the comparison accepts if the exact lookup finds none. */
const findsToo = (isMeant: (card: ServerCard, name: string) => boolean) =>
  refused(api.getByCode, (_, { account, name = '' }) => {
    const card = account.cards.find((each) => isMeant(each, name));
    return card && cardView(account, card);
  });

/** Changes the query of lists. */
const query = (change: (given: Record<string, string>) => Record<string, string>) =>
  on(api.list, (call, next) => next({ ...call, query: new URLSearchParams(change(Object.fromEntries(call.query))) }));

/** Lists other cards, or cards with other values. */
const lists = (change: (cards: readonly ServerCard[], call: ServerCall) => ServerCard[]) =>
  on(api.list, (call, next) => next({ ...call, account: { ...call.account, cards: change(call.account.cards, call) } }));
const hides = (isHidden: (card: ServerCard, call: ServerCall) => boolean) =>
  lists((cards, call) => cards.filter((card) => !isHidden(card, call)));
const listsWith = (change: (card: ServerCard, index: number) => Partial<ServerCard>) =>
  lists((cards) => cards.map((card, index) => ({ ...card, ...change(card, index) })));
const page = (change: (given: { totalCount: number; giftCards: unknown[] }) => unknown) =>
  changesResponse(api.list, (json) => change(json as { totalCount: number; giftCards: unknown[] }));

type Booking = ShownFields & { readonly when: Readonly<Record<string, unknown>> };
interface History {
  readonly subject: ShownFields;
  readonly bookings: readonly Booking[];
}

const history = (change: (given: History, call: ServerCall) => unknown) =>
  changesResponse(api.histories, (json, call) => change(json as History, call));
const bookings = (change: (given: readonly Booking[]) => readonly object[]) =>
  history((given) => ({ ...given, bookings: change(given.bookings) }));
const hits = (change: (given: readonly unknown[], call: ServerCall) => readonly unknown[]) =>
  changesResponse(api.getByEmail, (json, call) => ({ hits: change((json as { hits: unknown[] }).hits, call) }));
/** Shows channel cards that the comparison accepts. */
const matches = (isMatch: (card: ServerCard, isFound: boolean) => boolean) =>
  changesResponse(api.getBySource, (json, { account }) => {
    const isFound = (json as { matches: unknown[] }).matches.length > 0;
    return { matches: account.cards.filter((card) => isMatch(card, isFound)).map((card) => cardView(account, card)) };
  });

/** Finds cards by their address in another way. */
const findsByAddress = (isFound: (card: ServerCard, address: string) => boolean) =>
  hits((_, { account, query: given }) =>
    account.cards.filter((card) => isFound(card, given.get('emailAddress') ?? '')).map(({ id }) => id),
  );

export const lookupFaults: FaultTable = {
  'gift-card.get-by-code.returns-the-card': {
    'finds the newest card by every code': on(api.getByCode, (call, next) =>
      next({ ...call, name: String(call.account.cards.at(-1)?.code) }),
    ),
  },
  'gift-card.get-by-code.matches-exactly': {
    'ignores letter case in a lookup by code': findsToo(({ code }, name) => code.toLowerCase() === name.toLowerCase()),
    'finds a card by the beginning of its code': findsToo(({ code }, name) => code.startsWith(name)),
  },
  'gift-card.get-by-code.unknown-is-404': { 'returns null to an unknown code': refused(api.getByCode, () => null) },
  'gift-card.get-by-id.unknown-is-404': { 'returns 400 to an unknown ID': statusAs(404, 400, api.getById) },
  'gift-card.get-by-id.returns-the-card': {
    'finds the newest card by every ID': on(api.getById, (call, next) =>
      next({ ...call, name: String(call.account.cards.at(-1)?.id) }),
    ),
  },
  'gift-card.get-by-email.finds-cards-sent-to-recipient': {
    'finds all cards by every address': hits((_, { account }) => account.cards.map(({ id }) => id)),
    'reads a plus in an address as a blank': findsByAddress(
      ({ fields }, address) => fields.recipientEmailAddress === address.replaceAll('+', ' '),
    ),
    'finds no empty cards by an address': findsByAddress(
      ({ fields, balance, status }, address) => fields.recipientEmailAddress === address && (balance > 0 || status === 'Voided'),
    ),
    'finds cards by the address of the buyer': findsByAddress(({ fields }, address) =>
      [fields.recipientEmailAddress, fields.buyerEmailAddress].includes(address),
    ),
    'finds only the newest card of an address': hits((found) => found.slice(-1)),
  },
  'gift-card.get-by-source.finds-channel-card': {
    'finds the channel card by every ID': matches(({ fields }) => fields.shopId === 'x-1'),
    'finds all cards by an ID of a channel': matches((_, isFound) => isFound),
  },
  'list.page-size-limits': {
    'ignores pageSize': query(({ pageSize: _, ...given }) => given),
    'lists one card more than pageSize': query((given) => ({ ...given, pageSize: String(Number(given.pageSize ?? 10) + 1) })),
  },
  'list.page-size-default': { 'lists twenty cards by default': query((given) => ({ pageSize: '20', ...given })) },
  'list.page-size-maximum': {
    'lists 49 cards on later pages': query((given) =>
      given.pageSize === '50' && Number(given.pageNumber) > 0 ? { ...given, pageSize: '49' } : given,
    ),
    'lists at most 25 cards': query((given) => ({ ...given, pageSize: String(Math.min(25, Number(given.pageSize ?? 10))) })),
    'lists a hundred cards on request': on(api.list, (call, next) => {
      const size = Number(call.query.get('pageSize') ?? 10);
      const cards = call.account.cards.map(({ id, code }) => ({ ref: id, number: code }));
      return size <= 50 ? next(call) : { totalCount: cards.length, giftCards: cards.slice(0, Math.min(100, size)) };
    }),
  },
  'list.page-number-from-zero': {
    'counts pages from one': query((given) => ({ ...given, pageNumber: String(Math.max(0, Number(given.pageNumber ?? 0) - 1)) })),
  },
  'list.since-is-strictly-after': {
    'lists cards issued exactly at since': listsWith(({ issuedAt }) => ({ issuedAt: issuedAt + 1 })),
    'ignores since': query(({ since: _, ...given }) => given),
  },
  'list.since-goes-by-issue': {
    'applies since to updates': listsWith(({ updatedAt }) => ({ issuedAt: updatedAt })),
    'applies since after the page size': lists((cards, { query: given }) => {
      const newest = cards.toSorted((one, other) => other.updates - one.updates);
      return given.has('since') ? newest.slice(0, Number(given.get('pageSize') ?? 10)) : newest;
    }),
  },
  'list.include-all-adds-deleted': {
    'ignores includeAll': query(({ includeAll: _, ...given }) => given),
    'ignores includeAll without since': query(({ includeAll, ...given }) =>
      given.since && includeAll ? { ...given, includeAll } : given,
    ),
  },
  'list.hides-deleted-cards': { 'lists deleted cards': query((given) => ({ ...given, includeAll: 'true' })) },
  'list.last-updated-first': {
    'lists by time of issue': listsWith((_, index) => ({ updates: index })),
    'lists the oldest update first with since': lists((cards, { query: given }) =>
      cards.map((card) => ({ ...card, updates: given.has('since') ? -card.updates : card.updates })),
    ),
    'does not count a void as an update': listsWith(({ status, updates }, index) => ({
      updates: status === 'Voided' ? index - 1_000_000 : updates,
    })),
    'lists the oldest update first': listsWith(({ updates }) => ({ updates: -updates })),
  },
  'list.includes-voided': { 'hides voided cards from the list': hides(({ status }) => status === 'Voided') },
  'list.includes-redeemed': {
    'hides empty cards from the list': hides(({ status, balance }) => status !== 'Voided' && balance === 0),
  },
  'list.includes-expired': { 'hides expired cards from the list': hides(({ status }) => status === 'Expired') },
  'list.wraps-cards-and-total': { 'omits totalCount': page(({ giftCards }) => ({ giftCards })) },
  'adjustment.recorded-in-history': {
    'records no adjustments': bookings(() => []),
    'records no redemptions': bookings((given) => given.filter(({ kind }) => kind !== 'OUT')),
    'shows two entries of a history': bookings((given) => given.slice(0, 2)),
  },
  'adjustment.history.newest-first': { 'shows the oldest entry first': bookings((given) => given.toReversed()) },
  'adjustment.keeps-actioned-at': {
    'records an adjustment by ID with the present time': body(api.adjustById, (given) => ({
      ...given,
      actionedAtUtc: new Date().toISOString(),
    })),
    'records no time before 2020': body(api.adjusts, (given) => {
      const isEarly = Date.parse(String(given.actionedAtUtc)) < Date.UTC(2020, 0, 1);
      return isEarly ? { ...given, actionedAtUtc: '2020-01-01T00:00:00.000Z' } : given;
    }),
    'moves the time of an adjustment by an hour': body(api.adjusts, (given) => {
      const time = Date.parse(String(given.actionedAtUtc));
      return time ? { ...given, actionedAtUtc: new Date(time + 3_600_000).toISOString() } : given;
    }),
  },
  'adjustment.keeps-notes': {
    'cuts notes of adjustments at 40 letters': body(api.adjusts, (given) => ({
      ...given,
      notes: String(given.notes ?? '').slice(0, 40),
    })),
    'drops notes of adjustments by ID': body(api.adjustById, ({ notes: _, ...given }) => given),
    'drops notes of adjustments': bookings((given) => given.map((each) => ({ ...each, memo: 'API' }))),
  },
  'adjustment.history.entry-shows-amount-type-notes-time': {
    'shows no type in a history': bookings((given) => given.map(({ kind: _, ...each }) => each)),
    'shows no time in a history': bookings((given) => given.map(({ when: _, ...each }) => each)),
  },
  'adjustment.history.by-code-shows-card-and-entries': {
    'omits the card from a history': history((given) => ({ bookings: given.bookings })),
  },
  'adjustment.history.by-id-shows-card-and-entries': {
    'shows no entries in a history by ID': changesResponse(api.historyById, (json) => ({ ...Object(json), bookings: [] })),
  },
  'adjustment.history.unknown-code-is-404': {
    'returns an empty history to an unknown code': refused(api.historyByCode, () => ({ bookings: [] })),
  },
  'adjustment.history.unknown-id-is-404': { 'returns 400 to a history of an unknown ID': statusAs(404, 400, api.historyById) },
};
