import { parseDateTime } from '../../openapi/date-time.ts';
import type { Channel } from '../account/settings.ts';
import { formatTime } from '../domain/dates.ts';
import { toAmount, toMinor } from '../domain/money.ts';
import { listingOf } from '../outbound/channels.ts';
import type { Change } from '../state/change.ts';
import type { AdjustmentRecord, CardRecord, ListingRecord, TimelineRecord } from '../state/records.ts';
import { type Books, booksOf } from './books.ts';
import { type Account, type Card, WorldFileError } from './description.ts';
import { type Moments, momentsOf } from './moments.ts';

/** What building a card needs beside its description. */
export interface Surroundings {
  readonly account: Pick<Account, 'currency'>;
  readonly channels: readonly Channel[];
  readonly now: number;
  readonly automationIds: ReadonlyMap<string, string>;
  newId(): string;
  newCode(): string;
}

/** A card with its history, its timeline and its place in each channel. */
export interface BuiltCard {
  readonly card: CardRecord;
  readonly changes: readonly Change[];
}

export function buildCard(described: Card, around: Surroundings): BuiltCard {
  const { account, channels, now, newId } = around;
  const books = booksOf(described, account.currency);
  if (typeof books === 'string') throw new Error(`The description of card ${described.code} was not checked: ${books}`);
  const { createdAtUtc } = described;
  if (createdAtUtc !== undefined && (parseDateTime(createdAtUtc) as number) > now)
    throw new WorldFileError([
      `card ${described.code ?? 'without a code'}: createdAtUtc ${createdAtUtc} is ahead of the account's time, ${formatTime(now)}; leave it out, or let the card be issued by then.`,
    ]);
  const moments = momentsOf(described, books, now);
  const card = cardRecord(described, books, moments, around);
  const adjustments = books.entries.map(({ amount, described: entry }, index): AdjustmentRecord => {
    const { actionedAt, createdAt } = moments.entries[index] as Moments['entries'][number];
    return {
      id: newId(),
      cardId: card.id,
      amount,
      type: amount > 0 ? 'TopUp' : 'Redemption',
      notes: entry === undefined ? 'Makes up the difference between initial value and balance' : entry.notes,
      actionedAt,
      createdAt,
      uniqueAdjustmentId: entry?.uniqueAdjustmentId ?? null,
      madeThrough: entry?.uniqueAdjustmentId ? 'api' : 'dashboard',
    };
  });
  return {
    card,
    changes: [
      { table: 'cards', put: card },
      ...adjustments.map((put): Change => ({ table: 'adjustments', put })),
      ...timelineOf(described, card, adjustments).map((put): Change => ({ table: 'timeline', put })),
      ...channels.map((channel): Change => ({ table: 'listings', put: listingIn(channel, described, card, newId) })),
    ],
  };
}

function cardRecord(described: Card, books: Books, moments: Moments, around: Surroundings): CardRecord {
  const { status, createdAt, updatedAt, expiresAt, giftScheduledFor } = moments;
  return {
    id: described.id?.toLowerCase() ?? around.newId(),
    code: described.code ?? around.newCode(),
    kind: described.kind,
    issuedThrough: described.issuedThrough ?? (described.automation ? 'automation' : described.uniqueId ? 'api' : 'dashboard'),
    currency: around.account.currency,
    initialValue: books.initialValue,
    balance: books.balance,
    totalIssued: books.totalIssued,
    status,
    recipientName: described.recipientName,
    recipientEmailAddress: described.recipientEmailAddress,
    buyerName: described.buyerName,
    buyerEmailAddress: described.buyerEmailAddress,
    giftMessage: described.giftMessage,
    shouldSendNotification: described.shouldSendNotification,
    sendAsGift: described.sendAsGift,
    giftScheduledFor,
    disableEmails: described.disableEmails,
    isPromotional: described.isPromotional,
    customField1: described.customField1,
    customField2: described.customField2,
    customField3: described.customField3,
    notes: described.notes,
    uniqueId: described.uniqueId,
    expiresAt,
    createdAt,
    updatedAt,
    deletedAt: described.deleted ? updatedAt : null,
    voidedAt: status === 'Voided' ? updatedAt : null,
    batchId: described.batchId,
    campaignId: described.campaignId,
    automationId: described.automation === null ? null : (around.automationIds.get(described.automation) ?? null),
    apiEventName: described.apiEventName,
    apiEventProperties: described.apiEventProperties,
  };
}

function listingIn(channel: Channel, described: Card, card: CardRecord, newId: () => string): ListingRecord {
  const as = described.inChannels[channel.id];
  const balance = as?.balance === undefined ? card.balance : (toMinor(as.balance, card.currency) ?? card.balance);
  return listingOf(card, channel, as?.sourceId ?? newId(), balance);
}

function timelineOf(described: Card, card: CardRecord, adjustments: readonly AdjustmentRecord[]): TimelineRecord[] {
  const entries: [at: number, text: string][] = [[card.createdAt, issuedBy(described)]];
  for (const { amount, createdAt } of adjustments)
    entries.push([createdAt, `Adjusted by ${toAmount(amount, card.currency)} ${card.currency}`]);
  if (card.status === 'Expired' && card.expiresAt !== null) entries.push([Math.max(card.expiresAt, card.createdAt), 'Expired']);
  if (card.status === 'Voided') entries.push([card.updatedAt, 'Voided']);
  if (card.deletedAt !== null) entries.push([card.deletedAt, 'Deleted']);
  return entries.sort(([a], [b]) => a - b).map(([at, text]) => ({ cardId: card.id, at, text }));
}

function issuedBy({ automation, batchId, campaignId }: Card): string {
  if (automation !== null) return `Issued by the automation ${automation}`;
  if (campaignId !== null) return `Sent by the campaign ${campaignId}`;
  if (batchId !== null) return `Created in the batch ${batchId}`;
  return 'Created';
}
