import { withoutPause } from '../account/clock.ts';
import type { Channel } from '../account/settings.ts';
import * as decisions from '../domain/channels.ts';
import { toAmount } from '../domain/money.ts';
import { listingIn } from '../outbound/channels.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import { act, minorOf, presentTime } from './act.ts';
import type { operations } from './generated/types.ts';
import type { Body, Query } from './operation-types.ts';
import { ControlError, type ControlledAccount, type InAccount, type OfCard, type OfChannel } from './resources.ts';

export function listChannels({ account, query }: InAccount & Query<'listChannels'>) {
  return account.settings.channels.map((channel) => channelView(account, channel, query));
}

/** Finds a page of the account's cards in a channel. */
function channelView({ state }: ControlledAccount, { id, name, acceptsCodes }: Channel, { skip = 0, limit = 1000 } = {}) {
  const page = state.newest(skip, limit, true);
  const cards = page.cards.toReversed().flatMap((card) => {
    const listing = state.listing(id, card.id);
    return listing ? [inChannel(listing, card)] : [];
  });
  return { id, name, acceptsCodes, cards, otherCards: page.count - page.cards.length };
}

export function inChannel(listing: ListingRecord, card: CardRecord) {
  const isThere = listing.state === 'synced';
  return {
    giftCardId: card.id,
    code: card.code,
    sourceId: isThere ? listing.sourceId : null,
    state: listing.state,
    error: listing.error,
    balance: isThere ? toAmount(listing.balance, card.currency) : null,
    drifted: isThere && listing.balance !== card.balance,
  };
}

/** Adds every card that is not deleted to the channel, then connects the channel. If the process is killed before, the channel is not connected. */
export function* connectChannel({ account, body: { id, name = id, acceptsCodes = '.+' } }: InAccount & Body<'connectChannel'>) {
  const { channels } = account.settings;
  if (channels.some((channel) => channel.id === id))
    throw new ControlError(409, `The channel ${id} is already connected; choose another id, or disconnect it first.`);
  const channel: Channel = { id, name, acceptsCodes };
  const now = presentTime(account);
  for (const card of account.state.cards()) {
    if (card.deletedAt === null) account.load([{ table: 'listings', put: listingIn(channel, card, account) }]);
    yield;
  }
  withoutPause(account.useSettings({ ...account.settings, channels: [...channels, channel] }));
  account.journal.cause('control', 'connectChannel', now);
  return channelView(account, channel);
}

/** Changes the name or the accepted codes. A rejected card is pushed again when the card changes, or by a retry. */
export function changeChannel({ account, channel, body }: OfChannel & Body<'changeChannel'>) {
  const changed: Channel = { ...channel, ...body };
  const channels = account.settings.channels.map((each) => (each === channel ? changed : each));
  account.journal.cause('control', 'changeChannel', useChannels(account, channels));
  return channelView(account, changed);
}

/** Disconnects a channel. Returns the channel with its cards, which stay in the channel. */
export function disconnectChannel({ account, channel }: OfChannel) {
  const view = channelView(account, channel);
  const others = account.settings.channels.filter((each) => each !== channel);
  account.journal.cause('control', 'disconnectChannel', useChannels(account, others));
  return view;
}

function useChannels(account: ControlledAccount, channels: readonly Channel[]): number {
  const now = presentTime(account);
  withoutPause(account.useSettings({ ...account.settings, channels }));
  return now;
}

export function changeBalanceInChannel(given: OfChannel & OfCard & Body<'changeBalanceInChannel'>) {
  const balance = minorOf(given.account, 'balance', given.body.balance);
  return actIn(given, 'changeBalanceInChannel', (card, listing) => decisions.drift(card, listing, balance));
}

export function failInChannel(given: OfChannel & OfCard & Body<'failInChannel'>) {
  const error = given.body?.error ?? `${given.channel.name} could not be reached.`;
  return actIn(given, 'failInChannel', (card, listing) => decisions.fail(card, listing, error));
}

export function retryInChannel(given: OfChannel & OfCard) {
  const { account, channel } = given;
  return actIn(given, 'retryInChannel', (card) => decisions.listInChannel(listingIn(channel, card, account)));
}

function actIn(
  given: OfChannel & OfCard,
  what: keyof operations,
  decide: (card: CardRecord, listing: ListingRecord | undefined) => ReturnType<typeof decisions.drift>,
) {
  const { account, channel, card } = given;
  const { state } = account;
  act(given, what, (current) => decide(current, state.listing(channel.id, card.id)), channel.name);
  return inChannel(state.listing(channel.id, card.id) as ListingRecord, state.card(card.id) as CardRecord);
}
