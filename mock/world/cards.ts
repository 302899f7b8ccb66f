import type { Channel } from '../account/settings.ts';
import { toAmount, toMinor } from '../domain/money.ts';
import { listingOf } from '../outbound/channels.ts';
import type { Change } from '../state/change.ts';
import type { AdjustmentRecord, CardRecord, ListingRecord, TimelineRecord } from '../state/records.ts';
import { amountsOf, type CardAmounts, type CardTimes, timesOf } from './card-history.ts';
import type { FilledAccount, FilledCard } from './description.ts';

/** The parts of the account that `buildCard` needs to build a card. */
interface CardContext {
  readonly account: Pick<FilledAccount, 'currency'>;
  readonly channels: readonly Channel[];
  readonly now: number;
  readonly automationIds: ReadonlyMap<string, string>;
  newId(): string;
  newCode(): string;
}

/** Returns a card, and the changes that add the card with its adjustments, timeline and listings. */
export function buildCard(
  described: FilledCard,
  context: CardContext,
): { readonly card: CardRecord; readonly changes: readonly Change[] } {
  const { account, channels, now, newId } = context;
  const amounts = amountsOf(described, account.currency);
  if (typeof amounts === 'string') throw new Error(`The description of card ${described.code} was not checked: ${amounts}`);
  const { times, entryTimes } = timesOf(described, amounts, now);
  const card = cardRecord(described, amounts, times, context);
  const adjustments = amounts.entries.map(({ amount, described: entry }, index): AdjustmentRecord => {
    return {
      ...(entryTimes[index] as (typeof entryTimes)[number]),
      id: newId(),
      cardId: card.id,
      amount,
      type: amount > 0 ? 'TopUp' : 'Redemption',
      notes: entry === undefined ? 'Makes up the difference between initial value and balance' : entry.notes,
      uniqueAdjustmentId: entry?.uniqueAdjustmentId ?? null,
      madeThrough: entry?.uniqueAdjustmentId ? 'api' : 'merchant',
    };
  });
  return {
    card,
    changes: [
      { table: 'cards', put: card, isBackdated: card.updatedAt < now },
      ...adjustments.map((put): Change => ({ table: 'adjustments', put })),
      ...timelineOf(described, card, adjustments).map((put): Change => ({ table: 'timeline', put })),
      ...channels.map((channel): Change => ({ table: 'listings', put: listingIn(channel, described, card, newId) })),
    ],
  };
}

/** Copies the properties that description and record share. Amounts and times come from `amounts` and `times`. */
function cardRecord(described: FilledCard, amounts: CardAmounts, times: CardTimes, context: CardContext): CardRecord {
  const { id, code, issuedThrough, adjustments, deleted, automation, inChannels, ...rest } = described;
  const { giftScheduledForUtc, giftScheduledInDays, expiresAtUtc, expiresInDays, ...others } = rest;
  const { createdAtUtc, createdDaysAgo, updatedAtUtc, updatedDaysAgo, ...same } = others;
  return {
    ...same,
    ...times,
    id: id?.toLowerCase() ?? context.newId(),
    code: code ?? context.newCode(),
    issuedThrough: issuedThrough ?? (automation ? 'automation' : described.uniqueId ? 'api' : 'merchant'),
    currency: context.account.currency,
    initialValue: amounts.initialValue,
    balance: amounts.balance,
    totalIssued: amounts.entries.reduce((sum, { amount }) => sum + Math.max(amount, 0), amounts.initialValue),
    deletedAt: deleted ? times.updatedAt : null,
    voidedAt: times.status === 'Voided' ? times.updatedAt : null,
    automationId: automation === null ? null : (context.automationIds.get(automation) ?? null),
  };
}

function listingIn(channel: Channel, described: FilledCard, card: CardRecord, newId: () => string): ListingRecord {
  const as = described.inChannels[channel.id];
  const balance = as?.balance === undefined ? card.balance : (toMinor(as.balance, card.currency) ?? card.balance);
  return listingOf(card, channel, as?.sourceId ?? newId(), balance);
}

function timelineOf(described: FilledCard, card: CardRecord, adjustments: readonly AdjustmentRecord[]): TimelineRecord[] {
  const entries: [at: number, text: string][] = [[card.createdAt, issuedBy(described)]];
  for (const { amount, createdAt } of adjustments)
    entries.push([createdAt, `Adjusted by ${toAmount(amount, card.currency)} ${card.currency}`]);
  if (card.status === 'Expired' && card.expiresAt !== null) entries.push([Math.max(card.expiresAt, card.createdAt), 'Expired']);
  if (card.status === 'Voided') entries.push([card.updatedAt, 'Voided']);
  if (card.deletedAt !== null) entries.push([card.deletedAt, 'Deleted']);
  return entries.sort(([a], [b]) => a - b).map(([at, text]) => ({ cardId: card.id, at, text }));
}

function issuedBy({ automation, batchId, campaignId }: FilledCard): string {
  if (automation !== null) return `Issued by the automation ${automation}`;
  if (campaignId !== null) return `Sent by the campaign ${campaignId}`;
  if (batchId !== null) return `Created in the batch ${batchId}`;
  return 'Created';
}
