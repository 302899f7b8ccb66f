import type { Records, Tables } from '../state/change.ts';
import type { AdjustmentRecord, CardRecord, ListingRecord, TimelineRecord, WebhookRecord } from '../state/records.ts';
import { currencies } from '../world/check-card.ts';
import { Misfit } from './misfit.ts';
import {
  address,
  byName,
  count,
  guid,
  list,
  moment,
  number,
  object,
  oneOf,
  orNull,
  type Shape,
  some,
  such,
  text,
  truth,
  whole,
} from './shape.ts';
import { type Table, type TableOf, tableOf } from './table.ts';

/** The records of an account, written as tables. What is added to a record does not compile until it stands here. */

/** Such as amounts can be written in. */
export const currency: Shape<string> = such(text, (value) => (currencies().has(value) ? undefined : 'an ISO 4217 code'));

const cardShapes: { readonly [K in keyof CardRecord]-?: Shape<CardRecord[K]> } = {
  id: guid,
  code: some,
  kind: oneOf({ 'gift-card': true, voucher: true, 'store-credit': true }),
  issuedThrough: oneOf({ api: true, automation: true, dashboard: true }),
  currency,
  initialValue: whole,
  balance: whole,
  totalIssued: whole,
  status: oneOf({ Active: true, Redeemed: true, Expired: true, Voided: true, Scheduled: true }),
  recipientName: orNull(text),
  recipientEmailAddress: orNull(text),
  buyerName: orNull(text),
  buyerEmailAddress: orNull(text),
  giftMessage: orNull(text),
  shouldSendNotification: truth,
  sendAsGift: truth,
  giftScheduledFor: orNull(moment),
  disableEmails: truth,
  isPromotional: truth,
  customField1: orNull(text),
  customField2: orNull(text),
  customField3: orNull(text),
  notes: orNull(text),
  uniqueId: orNull(text),
  expiresAt: orNull(moment),
  createdAt: moment,
  updatedAt: moment,
  deletedAt: orNull(moment),
  voidedAt: orNull(moment),
  batchId: orNull(text),
  campaignId: orNull(text),
  automationId: orNull(text),
  apiEventName: orNull(text),
  apiEventProperties: orNull(byName(text)),
};

/** A card where it stands alone, as in an effect that waits. */
export const card = object<CardRecord>(cardShapes);

const webhookShapes: { readonly [K in keyof WebhookRecord]-?: Shape<WebhookRecord[K]> } = {
  id: some,
  url: address,
  description: orNull(text),
  token: orNull(text),
  createdAt: moment,
  failures: count,
  enabled: truth,
};

/** A webhook where it stands alone. */
export const webhook = object<WebhookRecord>(webhookShapes);

const listingShapes: { readonly [K in keyof ListingRecord]-?: Shape<ListingRecord[K]> } = {
  channelId: text,
  cardId: text,
  sourceId: text,
  balance: whole,
  state: oneOf({ synced: true, 'sync-error': true }),
  error: orNull(text),
};

/** A listing where it stands alone. */
export const listing = object<ListingRecord>(listingShapes);

const tables = {
  cards: tableOf<CardRecord>(cardShapes),
  adjustments: tableOf<AdjustmentRecord>({
    id: guid,
    cardId: text,
    amount: whole,
    type: oneOf({ TopUp: true, Redemption: true, Void: true }),
    notes: orNull(text),
    actionedAt: moment,
    createdAt: moment,
    uniqueAdjustmentId: orNull(text),
    madeThrough: oneOf({ api: true, dashboard: true, order: true }),
  }),
  timeline: tableOf<TimelineRecord>({ cardId: text, at: moment, text }),
  listings: tableOf<ListingRecord>(listingShapes),
  webhooks: tableOf<WebhookRecord>(webhookShapes),
  automations: tableOf<Tables['automations']>({
    id: guid,
    name: text,
    trigger: oneOf({ ApiEvent: true, Other: true }),
    eventName: text,
    amount: count,
    active: truth,
    usageLimit: orNull(count),
    uses: count,
    emailSubject: text,
    emailText: text,
  }),
  automationKeys: tableOf<Tables['automationKeys']>({ id: text, at: moment }),
  refusedValues: tableOf<Tables['refusedValues']>({ kind: oneOf({ card: true, adjustment: true }), value: text, at: moment }),
  coupons: tableOf<Tables['coupons']>({
    id: guid,
    code: some,
    discountType: oneOf({ Percentage: true, FixedAmount: true }),
    discountValue: such(number, (value) => (value < 0 ? 'a number from 0' : undefined)),
    startsAt: orNull(moment),
    endsAt: orNull(moment),
    usageLimit: orNull(count),
    isActive: truth,
  }),
} satisfies { readonly [T in keyof Tables]: TableOf<Tables[T]> };

const names = Object.keys(tables) as (keyof Tables)[];

export type WrittenRecords = { readonly [T in keyof Tables]: Table } & { readonly updated: readonly number[] };

export function writeRecords(records: Records): WrittenRecords {
  const written = names.map((name) => [name, tables[name].write(records[name] as never)]);
  return { ...(Object.fromEntries(written) as { [T in keyof Tables]: Table }), updated: records.updated };
}

/** Throws a Misfit for what is no record, and for what hangs on a card that is not there. */
export const readRecords: Shape<Records> = (value) => {
  const given = written(value);
  const read = Object.fromEntries(
    names.map((name) => {
      try {
        return [name, tables[name].read(given[name])];
      } catch (error) {
        throw Misfit.at(name, error);
      }
    }),
  );
  const records = { ...read, updated: given.updated } as unknown as Records;
  mustHold(records);
  return records;
};

const asItIs: Shape<Table> = (value) => value as Table;
const written = object<WrittenRecords>({
  ...(Object.fromEntries(names.map((name) => [name, asItIs])) as { [T in keyof Tables]: Shape<Table> }),
  updated: list(whole),
});

function mustHold({ cards, updated, adjustments, timeline, listings }: Records): void {
  const ids = new Set(cards.map(({ id }) => id));
  if (ids.size < cards.length) throw Misfit.at('cards', new Misfit('two cards have the same id.'));
  if (updated.length !== cards.length || new Set(updated).size !== cards.length || updated.some((place) => !cards[place]))
    throw Misfit.at('updated', new Misfit('every card belongs here once, by its place.'));
  for (const [name, hanging] of Object.entries({ adjustments, timeline, listings })) {
    const lost = hanging.findIndex(({ cardId }) => !ids.has(cardId));
    if (lost >= 0) throw Misfit.at(name, Misfit.at(lost, new Misfit(`there is no card ${hanging[lost]?.cardId}.`)));
  }
}
