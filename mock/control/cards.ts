import { runInSlices } from '../account/clock.ts';
import { formatTime } from '../domain/dates.ts';
import { isTaken } from '../domain/gift-cards.ts';
import { toAmount } from '../domain/money.ts';
import { onCreate } from '../domain/notifications.ts';
import { commit } from '../pipeline/commit.ts';
import type { CardRecord } from '../state/records.ts';
import { buildCard } from '../world/cards.ts';
import type { FilledCard } from '../world/description.ts';
import { readPart } from '../world/read.ts';
import { presentTime, serviceView } from './act.ts';
import { inChannel } from './channels.ts';
import type { CardList, ListedCard } from './generated/types.ts';
import type { Body, Query } from './operation-types.ts';
import { ControlError, type ControlledAccount, type InAccount, type OfCard } from './resources.ts';

/** Adds a card from its description, as in a world file. A new card with shouldSendNotification causes emails and deliveries. */
export function addCard({ account, body }: InAccount & Body<'addCard'>) {
  const { settings, state, clock } = account;
  const automations = [...state.automations()];
  const { currency, channels } = settings;
  const described = readPart('cards', body, { currency, channels, automations: automations.map(({ name }) => ({ name })) });
  mustBeUnique(account, described);
  const now = presentTime(account);
  const context = account.context(now, 'the merchant');
  const automationIds = new Map(automations.map(({ id, name }) => [name, id]));
  const { newId, newCode } = context;
  const { card, changes } = buildCard(described, { account: { currency }, channels, now, automationIds, newId, newCode });
  const isNew = card.createdAt === now && card.status === 'Active' && card.deletedAt === null;
  const notifications = isNew && card.shouldSendNotification ? onCreate(card, context) : [];
  commit(account, { changes, effects: notifications }, account.journal.cause('control', 'addCard', now));
  clock.scheduler.skip(now); // The description already has the results of past events, so these events must not run.
  clock.setTimer();
  return serviceView(account, card.id, context);
}

function mustBeUnique({ settings, state, behaviors }: ControlledAccount, described: FilledCard): void {
  const { id, code, uniqueId, adjustments, inChannels } = described;
  const values: [name: string, value: string | null | undefined, isUsed: (value: string) => unknown][] = [
    ['id', id, (value) => state.card(value.toLowerCase())],
    ['code', code, (value) => isTaken(value, { state, behaviors })],
    ['uniqueId', uniqueId, (value) => state.cardByUniqueId(value)],
  ];
  for (const { uniqueAdjustmentId } of adjustments)
    values.push(['uniqueAdjustmentId', uniqueAdjustmentId, (value) => state.adjustmentByUniqueId(value)]);
  for (const { id: channel } of settings.channels)
    values.push(['sourceId', inChannels[channel]?.sourceId, (value) => state.cardBySource(channel, value)]);
  for (const [name, value, isUsed] of values)
    if (typeof value === 'string' && isUsed(value))
      throw new ControlError(409, `The account already uses the ${name} ${value}; choose another.`);
}

/** Returns a page of the cards that match, and the number of cards by status. Searches in slices of time. */
export async function listCards({ account, query = {} }: InAccount & Query<'listCards'>): Promise<CardList> {
  const { search = '', status, kind, skip = 0, limit = 50 } = query;
  const text = search.trim().toLowerCase();
  const counts = { Active: 0, Scheduled: 0, Redeemed: 0, Expired: 0, Voided: 0, Deleted: 0 };
  const cards: ListedCard[] = [];
  let total = 0;
  const all = account.state.newestCards();
  await runInSlices(() => {
    const { value: card } = all.next();
    if (!card) return false;
    if ((kind !== undefined && card.kind !== kind) || !hasText(card, text)) return true;
    const listedAs = card.deletedAt === null ? card.status : 'Deleted';
    counts[listedAs]++;
    if (status !== undefined && listedAs !== status) return true;
    if (total++ >= skip && cards.length < limit) cards.push(listed(card));
    return true;
  });
  return { cards, total, counts };
}

function hasText({ code, id, recipientName, recipientEmailAddress }: CardRecord, text: string): boolean {
  return [code, id, recipientName, recipientEmailAddress].some((each) => each?.toLowerCase().includes(text));
}

function listed(card: CardRecord): ListedCard {
  const { id, code, kind, status, currency, recipientName, recipientEmailAddress, createdAt, updatedAt, deletedAt } = card;
  const [balance, initialValue] = [toAmount(card.balance, currency), toAmount(card.initialValue, currency)];
  const times = {
    createdAtUtc: formatTime(createdAt),
    updatedAtUtc: formatTime(updatedAt),
    deletedAtUtc: formatTime(deletedAt),
  };
  return { id, code, kind, status, balance, initialValue, currency, recipientName, recipientEmailAddress, ...times };
}

export function getCard({ account, card }: OfCard) {
  const { state, settings, clock } = account;
  const listings = settings.channels.flatMap(({ id }) => state.listing(id, card.id) ?? []);
  return {
    card: listed(card),
    giftCard: serviceView(account, card.id, account.context(clock.now(), 'the merchant')),
    kind: card.kind,
    issuedThrough: card.issuedThrough,
    totalIssued: toAmount(card.totalIssued, card.currency),
    deletedAtUtc: formatTime(card.deletedAt),
    batchId: card.batchId,
    campaignId: card.campaignId,
    automationId: card.automationId,
    apiEventName: card.apiEventName,
    inChannels: Object.fromEntries(listings.map((listing) => [listing.channelId, inChannel(listing, card)])),
  };
}

export function listAdjustments({ account: { state }, card }: OfCard) {
  return state.adjustmentsOf(card.id).map(({ amount, madeThrough, notes, uniqueAdjustmentId, actionedAt, createdAt }) => ({
    ...{ amount: toAmount(amount, card.currency), madeThrough, notes, uniqueAdjustmentId },
    ...{ actionedAtUtc: formatTime(actionedAt), createdAtUtc: formatTime(createdAt) },
  }));
}

/** Returns the card's timeline (gift-card.create.timeline-records-origin). */
export function getTimeline({ account, card }: OfCard) {
  return account.state.timelineOf(card.id).map(({ at, text }) => ({ atUtc: formatTime(at), text }));
}
