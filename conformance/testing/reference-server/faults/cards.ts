import { cardView } from '../cards.ts';
import { DAY_MS, type ServerCard } from '../records.ts';
import {
  api,
  body,
  changes,
  changesResponse,
  type FaultTable,
  namedCard,
  on,
  otherAccount,
  refused,
  refusesIf,
  shown,
  statusAs,
  turn,
  without,
} from './fault.ts';
import type { ServerCall } from './hooks.ts';

const lookups = [api.getByCode, api.getById];
const views = [api.create, ...lookups];
const CUSTOM = ['customField1', 'customField2', 'customField3'];

/** Stores another value of some fields. A field that the request does not have gets no value. */
const stores = (names: readonly string[], change: (value: unknown) => unknown) =>
  body(api.create, (given) => {
    const changed = names.filter((name) => given[name] !== undefined).map((name) => [name, change(given[name])]);
    return { ...given, ...Object.fromEntries(changed) };
  });

/** Creates cards with a value for a missing field. */
const fills = (name: string, value: () => unknown) => body(api.create, (given) => ({ [name]: value(), ...given }));

/** Changes a card after its creation, and returns the changed card. */
const makes = (change: (card: ServerCard, given: ServerCall['body']) => Partial<ServerCard>) =>
  changesResponse(api.create, (json, { account, body: given }) => {
    const card = account.cards.at(-1);
    return card ? cardView(account, Object.assign(card, change(card, given))) : json;
  });

const hasCode =
  ({ body: { code } }: ServerCall) =>
  (card: ServerCard) =>
    code !== undefined && card.code === code;

/** Creates gifts for later with a value for a missing name. */
const fillsForLater = (name: string) =>
  body(api.create, (given) => (given.giftScheduledForUtc ? { [name]: 'Someone', ...given } : given));

/** Shows other notes. */
const notes = (change: (text: string) => string) =>
  shown(views, (view) => ({ ...view, remark: view.remark && change(String(view.remark)) }));

export const cardFaults: FaultTable = {
  'gift-card.create.refuses-taken-code': {
    'accepts a used code': on(api.create, (call, next) => without(call.account.cards, hasCode(call), next, call)),
    'returns 409 to a used code': statusAs(400, 409, api.create),
    'accepts one code of two parallel creates': on(api.create, async (call, next) => {
      const isTaken = call.account.cards.some(hasCode(call));
      await turn();
      return isTaken ? next(call) : without(call.account.cards, hasCode(call), next, call);
    }),
  },
  'gift-card.create.code-free-on-other-account': {
    'refuses a code of another account': refusesIf(api.create, (call) => otherAccount(call.account).cards.some(hasCode(call))),
  },
  'gift-card.create.returns-200': { 'returns 201 to creates': statusAs(200, 201, api.create) },
  'gift-card.create.returns-the-card': {
    'responds to creates with the code alone': shown(api.create, ({ code }) => ({ code })),
    'responds to creates with another ID': shown(api.create, (view) => ({ ...view, id: 1 })),
  },
  'gift-card.create.starts-active': {
    'makes gifts for later Scheduled': shown(api.create, (view, card) =>
      card.giftDueAt ? { ...view, status: 'Scheduled' } : view,
    ),
  },
  'gift-card.response.status-is-one-of-five': {
    'shows Spent instead of Redeemed': shown(views, (view) => (view.status === 'Redeemed' ? { ...view, status: 'Spent' } : view)),
    'shows the status in small letters': shown(views, (view) => ({ ...view, status: String(view.status).toLowerCase() })),
  },
  'gift-card.create.active-when-empty-or-expired': {
    'shows a new card with a past expiry as Expired': shown(api.create, (view, { expiresAt, issuedAt }) =>
      expiresAt !== undefined && expiresAt < issuedAt ? { ...view, status: 'Expired' } : view,
    ),
    'shows an empty new card as Redeemed': shown(api.create, (view) => (view.balance ? view : { ...view, status: 'Redeemed' })),
  },
  'gift-card.create.starts-with-given-balance': {
    'cuts the cent that a binary fraction loses': stores(['balance'], (balance) => Math.trunc(Number(balance) * 100) / 100),
  },
  'company.profile-currency-is-of-cards': {
    // Only this rule looks at the cards and the profile of the second account.
    'has one currency for all accounts': shown(views, (view) => ({ ...view, currency: 'NOK' })),
  },
  'gift-card.create.uses-account-currency': {
    'shows every second card in dollars': shown(views, (view) => (Number(view.id) % 2 ? { ...view, currency: 'USD' } : view)),
  },
  'gift-card.create.keeps-given-code': {
    'stores codes in small letters': stores(['code'], (code) => String(code).toLowerCase()),
    'ignores the given code': body(api.create, ({ code: _, ...given }) => given),
  },
  'gift-card.create.generates-code': {
    'generates the same code each time': fills('code', () => 'zz-1'),
    'requires a code': refusesIf(api.create, (call) => call.body.code === undefined),
  },
  'gift-card.create.code-follows-account-format': {
    'generates codes in another format': fills('code', () => crypto.randomUUID()),
  },
  'gift-card.create.default-expiry-applies': {
    'ignores the default expiry': fills('expiresAtUtc', () => 'never'),
    'counts the default expiry in weeks': makes(({ expiresAt, issuedAt }) => ({
      expiresAt: expiresAt && issuedAt + 7 * (expiresAt - issuedAt),
    })),
  },
  'gift-card.create.no-default-expiry-never-expires': {
    'expires cards of an account without a default expiry': makes(({ expiresAt, issuedAt }) => ({
      expiresAt: expiresAt ?? issuedAt + 365 * DAY_MS,
    })),
  },
  'gift-card.create.keeps-given-expiry': {
    'cuts the expiry at half a year': makes(({ expiresAt, issuedAt }) => ({
      expiresAt: expiresAt && Math.min(expiresAt, issuedAt + 182 * DAY_MS),
    })),
    'cuts the time of the expiry': stores(['expiresAtUtc'], (time) => `${String(time).slice(0, 10)}T00:00:00Z`),
  },
  'gift-card.create.stores-custom-fields': {
    'stores the second custom field as the third': body(api.create, (given) => ({ ...given, customField3: given.customField2 })),
    'drops the third custom field': stores(['customField3'], () => null),
    'trims custom fields': stores(CUSTOM, (text) => String(text).trim()),
    'reads custom fields as numbers': stores(CUSTOM, (text) => (/^\d+$/.test(String(text)) ? Number(text) : text)),
  },
  'gift-card.custom-fields.never-change': {
    'stores no emoji in custom fields': stores(CUSTOM, (text) => String(text).replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
    'drops a custom field at a void': changes(api.voids, ({ fields }) => ({ fields: { ...fields, customField1: null } })),
    'cuts custom fields at fifty letters': stores(CUSTOM, (text) => String(text).slice(0, 50)),
  },
  'gift-card.create.takes-notes': { 'refuses notes': refusesIf(api.create, (call) => call.body.notes !== undefined) },
  'gift-card.create.gifted-needs-recipient-name': {
    'gives gifts without a recipient name': fills('recipientName', () => 'Recipient'),
    'gives gifts for later without a recipient name': fillsForLater('recipientName'),
  },
  'gift-card.create.gifted-needs-buyer-name': {
    'gives gifts without a buyer name': fills('buyerName', () => 'Buyer'),
    'gives gifts for later without a buyer name': fillsForLater('buyerName'),
  },
  'gift-card.create.notes-record-origin': {
    'shows notes without the description of the key': notes((text) => text.replace(', the only key', '')),
    'shows notes without words about the API': notes((text) => text.replace('API, ', '')),
    'shows the description of the key instead of the notes': notes(() => 'the only key'),
  },
  'gift-card.amounts-in-account-currency': {
    'shows the balance of an adjusted card in pounds': shown(lookups, (view, { fields }) =>
      view.balance === fields.balance ? view : { ...view, currency: 'GBP' },
    ),
  },
  'delivery.expired.on-expiry': {
    'expires cards a day early': changesResponse(api.create, (json, { account }) => {
      const card = account.cards.at(-1);
      if (card?.expiresAt) card.expiresAt -= DAY_MS;
      return json;
    }),
  },
  'errors.refusal-changes-nothing': {
    'changes the card whose code a refused create has': refused(api.create, (_, call) => {
      const card = call.account.cards.find(hasCode(call));
      if (card) card.fields = { ...card.fields, customField1: 'taken' };
    }),
  },
  'gift-card.response.has-named-fields': {
    'omits the link to the balance page': shown(views, ({ viewBalanceUrl: _, ...view }) => view),
    'shows balances as text': shown(views, (view) => ({ ...view, balance: String(view.balance) })),
  },
  'gift-card.void.zeroes-balance': {
    'keeps the balance of voided cards': changes(api.voids, (_, __, { balance }) => ({ balance })),
    'shows the first balance in the history of a voided card': changesResponse(api.histories, (json, call) => {
      const { status, fields } = namedCard(call);
      const { subject, ...given } = json as { subject: object };
      return status === 'Voided' ? { ...given, subject: { ...subject, balance: fields.balance } } : json;
    }),
    'shows the first balance in a lookup by ID': shown(api.getById, (view, { fields }) => ({ ...view, balance: fields.balance })),
  },
  'gift-card.void.by-code-voids': {
    'does nothing at a void by code': changes(api.voidByCode, (_, __, before) => before),
    'makes a card Redeemed at a void by code': changes(api.voidByCode, () => ({ status: 'Redeemed' })),
  },
  'gift-card.void.by-id-voids': {
    'voids the newest card by ID': on(api.voidById, (call, next) =>
      next({ ...call, name: String(call.account.cards.at(-1)?.id) }),
    ),
    'only empties a card that it voids by ID': changes(api.voidById, (_, __, { status }) => ({ status })),
  },
  'gift-card.void.still-found': {
    'deletes voided cards': changes(api.voids, ({ code }) => ({ code: `${code} (deleted)` })),
    'hides voided cards from a lookup by ID': refusesIf(api.getById, (call) => namedCard(call).status === 'Voided', 404),
  },
  'gift-card.void.is-final': {
    'reverses a void by a second void': changes(api.voids, (_, __, before) => ({
      status: before.status === 'Voided' ? 'Active' : 'Voided',
    })),
  },
  'gift-card.void.any-state': {
    'refuses to void a card below zero': refusesIf(api.voids, (call) => namedCard(call).balance < 0),
    'refuses to void a redeemed card by ID': [
      refusesIf(api.voidById, (call) => namedCard(call).status === 'Redeemed'),
      { emptyIsRedeemed: true },
    ],
    'refuses to void an empty card': refusesIf(api.voids, (call) => namedCard(call).balance <= 0),
    'keeps a negative balance at a void': changes(api.voids, (_, __, { balance }) => ({ balance: Math.min(0, balance) })),
    'refuses to void an expired card': refusesIf(api.voidByCode, (call) => namedCard(call).status === 'Expired'),
  },
  'gift-card.void.unknown-code-is-404': {
    'returns 200 to a void of an unknown code': refused(api.voidByCode, () => ({ cancelled: false })),
  },
  'gift-card.void.unknown-id-is-404': { 'returns 410 to a void of an unknown ID': statusAs(404, 410, api.voidById) },
};
