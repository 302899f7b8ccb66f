import { createHash } from 'node:crypto';
import type { FaultTable } from './fault.ts';
import type { Hooks, ServerEvent, ServerPayload } from './hooks.ts';

const shows =
  (change: (payload: ServerPayload, event: ServerEvent) => ServerPayload): (() => Hooks) =>
  () => ({ payload: change });

/** Shows another value of one property. */
const shown = (name: string, value: (given: unknown, event: ServerEvent) => unknown) =>
  shows((payload, event) => ({ ...payload, [name]: value(payload[name], event) }));

/** Shows another text of a property that has a text. */
const text = (name: string, change: (given: string) => unknown) =>
  shown(name, (given) => (typeof given === 'string' ? change(given) : given));
/** Shows a property of a void with another value. */
const ofVoid = (name: string, value: (event: ServerEvent) => unknown) =>
  shown(name, (given, event) => (event.topic === 'voided' ? value(event) : given));
/** Shows a property of a card that was not gifted with another value. */
const ofOther = (name: string, value: unknown) =>
  shown(name, (given, { card }) => (card.fields.sendAsGift === true ? given : value));
/** Shows a value where a property is null or absent. */
const instead = (name: string, value: unknown) => shown(name, (given) => given ?? value);
const missing = (name: string) => shown(name, () => null);

const formats = (change: (text: string) => unknown) =>
  shows((given) => {
    const names = ['FormattedInitialValue', 'FormattedBalance', 'FormattedTotalIssuedAmount'];
    return { ...given, ...Object.fromEntries(names.map((name) => [name, change(String(given[name]))])) };
  });

function guidOf(value: string): string {
  const digits = createHash('md5').update(value).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export const payloadFaults: FaultTable = {
  'delivery.payload.has-every-property': { 'omits PdfUrl': shows(({ PdfUrl: _, ...given }) => given) },
  'delivery.payload.pascal-case-names': {
    'adds a property in snake_case': shows((given) => ({ ...given, pdf_url: given.PdfUrl })),
    'adds a property in camelCase': shows((given) => ({ ...given, pdfUrl: given.PdfUrl })),
  },
  'delivery.payload.request-id-is-guid': {
    'shows a random number as RequestId': shown('RequestId', () => String(Math.random())),
  },
  'delivery.payload.request-id-new-each-time': {
    'uses one RequestId for an event': shown('RequestId', (_, { card, topic }) => guidOf(`${card.id} ${topic}`)),
  },
  'delivery.payload.gift-card-id-finds-card': { 'shows GiftCardId as a number': shown('GiftCardId', Number) },
  'delivery.payload.code': {
    'shows the code in small letters': text('Code', (code) => code.toLowerCase()),
    'masks the code': text('Code', (code) => `****${code.slice(-4)}`),
  },
  'delivery.payload.created-at': {
    'shows the time of the event as CreatedAt': shown('CreatedAt', (_, { card }) => new Date(card.updatedAt).toISOString()),
  },
  'delivery.payload.initial-value': { 'shows the balance as InitialValue': shown('InitialValue', (_, { card }) => card.balance) },
  'delivery.payload.balance-after-event': { 'shows the balance before a void': ofVoid('Balance', ({ card }) => card.loaded) },
  'delivery.payload.total-issued-counts-top-ups': {
    'leaves top-ups out of TotalIssuedAmount': shown('TotalIssuedAmount', (_, { card }) => card.fields.balance),
    'shows zero as the total of a voided card': ofVoid('TotalIssuedAmount', () => 0),
  },
  'delivery.payload.formatted-amounts': {
    'formats amounts without a currency': formats((given) => given.replace(/[^\d,]/g, '')),
    'formats amounts in whole units': formats((given) => given.replace(/,\d\d/, '')),
    'formats all amounts in kroner': formats((given) => given.replace('EUR', 'NOK')),
    'formats all amounts in dollars': formats((given) => given.replace(/EUR|NOK/, '$')),
  },
  'delivery.payload.currency': { 'shows dollars as Currency': shown('Currency', () => 'USD') },
  'delivery.payload.expiry': { 'shows no expiry': missing('ExpiresAtUtc') },
  'delivery.payload.recipient': {
    'shows the buyer as the recipient': shown('RecipientName', (given, { card }) => card.fields.buyerName ?? given),
    'shows no address of the recipient': missing('RecipientEmailAddress'),
    'shows its own address if there is no recipient': instead('RecipientEmailAddress', 'shop@example.org'),
  },
  'delivery.payload.buyer-of-gifted-card': {
    'shows the recipient as the buyer of a gift': shown('BuyerName', (given, { card }) => card.fields.recipientName ?? given),
    'shows no address of the buyer of a gift': missing('BuyerEmail'),
  },
  'delivery.payload.buyer-falls-back': { 'shows no buyer without a gift': ofOther('BuyerName', null) },
  'delivery.payload.gift-message': {
    'shows the notes as the message': shown('GiftCardMessage', (_, { card }) => card.fields.notes),
    'joins the lines of a message': text('GiftCardMessage', (message) => message.replaceAll('\n', ' ')),
  },
  'delivery.payload.status-after-event': { 'shows the status before a void': ofVoid('Status', () => 'Active') },
  'delivery.payload.promotional': {
    'shows no card as promotional': shown('IsPromotional', () => false),
    'shows every card as promotional': shown('IsPromotional', () => true),
    'shows no voided card as promotional': ofVoid('IsPromotional', () => false),
    'shows cards of automations as promotional': shown('IsPromotional', (_, { card }) => card.fields.automation !== undefined),
  },
  'delivery.payload.store-credit': {
    'shows every card as store credit': shown('IsStoreCredit', () => true),
    'shows no card as store credit': shown('IsStoreCredit', () => false),
  },
  'delivery.payload.links': {
    'shows an empty link': shown('ViewBalanceUrl', () => ''),
    'shows a path instead of a link': text('PdfUrl', (link) => new URL(link).pathname),
  },
  'delivery.payload.gift-to-friend-link': {
    'shows no link to give a card': missing('GiftToFriendUrl'),
    'shows a link to give store credit': instead('GiftToFriendUrl', 'https://cards.example/give'),
  },
  'delivery.payload.batch': {
    'shows a batch of every card': instead('GiftCardBatchId', 'b-0'),
    'shows no batch': missing('GiftCardBatchId'),
  },
  'delivery.payload.campaign': {
    'shows a campaign of every card': instead('CampaignId', 'c-0'),
    'shows no campaign': missing('CampaignId'),
  },
  'delivery.payload.automation': {
    'shows no automation': missing('AutomationId'),
    'shows an automation of every card': instead('AutomationId', '0'),
  },
  'delivery.payload.api-event-name': {
    'shows no event name': missing('ApiEventName'),
    'shows an event name for every card': instead('ApiEventName', 'created'),
  },
  'delivery.payload.api-event-properties': {
    'shows no properties of an event': missing('ApiEventProperties'),
    'adds the event to its properties': shown('ApiEventProperties', (given) => given && { ...Object(given), event: 'party' }),
  },
  'delivery.payload.topic': { 'shows topics without giftcard/': text('WebhookTopic', (topic) => topic.replace('giftcard/', '')) },
  'gift-card.create.stores-recipient': { 'forgets the recipient': missing('RecipientName') },
  'gift-card.create.stores-buyer': { 'forgets the buyer': missing('BuyerEmail') },
  'gift-card.create.stores-gift-message': { 'cuts the gift message': text('GiftCardMessage', (message) => message.slice(0, 20)) },
  'gift-card.create.marks-promotional': { 'forgets that a card is promotional': shown('IsPromotional', () => false) },
  'gift-card.create.initial-value-is-balance': {
    'takes the balance as the initial value': shown('InitialValue', (_, { card }) => card.balance),
  },
  'gift-card.expiry-and-recipient.fixed-after-create': {
    'changes the expiry at a void': ofVoid('ExpiresAtUtc', ({ card }) => new Date(card.updatedAt).toISOString()),
  },
};
