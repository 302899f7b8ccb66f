import type { Channel } from '../account/settings.ts';
import * as decisions from '../domain/channels.ts';
import { deleted } from '../domain/dashboard.ts';
import { toAmount } from '../domain/money.ts';
import { listingIn } from '../outbound/channels.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import * as acting from './act.ts';
import type { ChannelBalance, ChannelChange, NewChannel, operations, SyncError } from './generated/types.ts';
import { ControlError, type ControlledAccount } from './resources.ts';
import { mustBePattern } from './settings.ts';

type ReadableAccount = Pick<ControlledAccount, 'state' | 'settings'>;

export function channelsOf(account: ReadableAccount) {
  return account.settings.channels.map((channel) => viewOf(account, channel));
}

function viewOf({ state }: ReadableAccount, { id, name, acceptsCodes }: Channel) {
  const cards = Array.from(state.cards()).flatMap((card) => {
    const listing = state.listing(id, card.id);
    return listing ? [inChannel(listing, card)] : [];
  });
  return { id, name, acceptsCodes, cards };
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

/** Connects a channel and adds every card that is not deleted to it. */
export function connect(account: ControlledAccount, { id, name = id, acceptsCodes = '.+' }: NewChannel) {
  const { channels } = account.settings;
  if (channels.some((channel) => channel.id === id))
    throw new ControlError(409, `The channel ${id} is already connected; choose another id, or disconnect it first.`);
  mustBePattern(acceptsCodes);
  const channel: Channel = { id, name, acceptsCodes };
  useChannels(account, [...channels, channel]);
  const cards = Array.from(account.state.cards()).filter((card) => card.deletedAt === null);
  const changes = cards.map((card) => ({ table: 'listings', put: listingIn(channel, card, account) }) as const);
  acting.change(account, 'connectChannel', changes);
  return viewOf(account, channel);
}

/** Changes the name or the accepted codes. Cards that the channel rejected before are pushed at their next change, or by a retry. */
export function change(account: ControlledAccount, channel: Channel, wanted: ChannelChange) {
  if (wanted.acceptsCodes !== undefined) mustBePattern(wanted.acceptsCodes);
  const changed: Channel = { ...channel, ...wanted };
  const now = useChannels(
    account,
    account.settings.channels.map((each) => (each === channel ? changed : each)),
  );
  account.cause('control', 'changeChannel', now);
  return viewOf(account, changed);
}

/** Disconnects a channel. The reply shows the cards that are left in it. */
export function disconnect(account: ControlledAccount, channel: Channel) {
  const view = viewOf(account, channel);
  const now = useChannels(
    account,
    account.settings.channels.filter((each) => each !== channel),
  );
  account.cause('control', 'disconnectChannel', now);
  return view;
}

function useChannels(account: ControlledAccount, channels: readonly Channel[]): number {
  const now = acting.presentTime(account);
  account.useSettings({ ...account.settings, channels }, now);
  return now;
}

/** Changes the balance inside the channel only, so that the channel drifts. */
export function drift(account: ControlledAccount, channel: Channel, card: CardRecord, { balance }: ChannelBalance) {
  const minor = acting.minorOf(account, 'balance', balance);
  return actIn(account, channel, card, 'changeBalanceInChannel', (current, listing) => decisions.drift(current, listing, minor));
}

/** Sets a sync error, which the channel shows until the next push of the card. */
export function fail(account: ControlledAccount, channel: Channel, card: CardRecord, { error }: SyncError = {}) {
  const sentence = error ?? `${channel.name} could not be reached.`;
  return actIn(account, channel, card, 'failInChannel', (current, listing) => decisions.fail(current, listing, sentence));
}

export function retry(account: ControlledAccount, channel: Channel, card: CardRecord) {
  return actIn(account, channel, card, 'retryInChannel', (current) => {
    if (current.deletedAt !== null) return deleted(current);
    return decisions.list(listingIn(channel, current, account));
  });
}

function actIn(
  account: ControlledAccount,
  channel: Channel,
  card: CardRecord,
  what: keyof operations,
  decide: (card: CardRecord, listing: ListingRecord | undefined) => ReturnType<typeof decisions.drift>,
) {
  const { state } = account;
  acting.act(account, card, { what, actor: channel.name }, (current) => decide(current, state.listing(channel.id, card.id)));
  return inChannel(state.listing(channel.id, card.id) as ListingRecord, state.card(card.id) as CardRecord);
}
