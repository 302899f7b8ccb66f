import type { Account } from '../account/account.ts';
import type { Channel } from '../account/settings.ts';
import * as decisions from '../domain/channels.ts';
import { deleted } from '../domain/dashboard.ts';
import { toAmount } from '../domain/money.ts';
import { listingIn } from '../outbound/channels.ts';
import { commit } from '../pipeline/commit.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import { act, minorOf, present } from './act.ts';
import { ControlError } from './control-error.ts';
import type { components } from './generated/types.ts';
import { mustBePattern } from './settings.ts';

type Schemas = components['schemas'];

/** Every connected channel with the cards in it, as the channel has them. */
export function channelsOf(account: Account) {
  return account.settings.channels.map((channel) => viewOf(account, channel));
}

function viewOf({ state }: Account, { id, name, acceptsCodes }: Channel) {
  const cards = Array.from(state.cards()).flatMap((card) => {
    const listing = state.listing(id, card.id);
    return listing ? [inChannel(listing, card)] : [];
  });
  return { id, name, acceptsCodes, cards };
}

/** A card as a channel has it; `drifted` when its balance is not the service's. */
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

/** The channel with this id; a ControlError that names those there are when there is none. */
export function channelOf({ id: account, settings }: Account, id: string): Channel {
  const found = settings.channels.find((channel) => channel.id === id);
  if (found) return found;
  const ids = settings.channels.map((channel) => channel.id);
  const others = ids.length === 0 ? 'It has none.' : `It has ${ids.join(', ')}.`;
  throw new ControlError(404, `The account ${account} has no channel ${id}. ${others}`);
}

/** Connects a channel and brings it every card that is not deleted (channels.automation-cards: those of automations as well, or not). */
export function connect(account: Account, { id, name = id, acceptsCodes = '.+' }: Schemas['NewChannel']) {
  const { settings } = account;
  if (settings.channels.some((channel) => channel.id === id))
    throw new ControlError(409, `The channel ${id} is connected already; choose another id, or disconnect it first.`);
  mustBePattern(acceptsCodes);
  const now = present(account);
  const channel: Channel = { id, name, acceptsCodes };
  account.useSettings({ ...settings, channels: [...settings.channels, channel] }, now);
  const cards = Array.from(account.state.cards()).filter((card) => card.deletedAt === null);
  const changes = cards.map((card) => ({ table: 'listings', put: listingIn(channel, card, account) }) as const);
  commit(account, { changes, effects: [] }, account.cause('control', 'connectChannel', now));
  return viewOf(account, channel);
}

/** From here on the channel has another name or takes other codes; what it did not take before is brought by the next change or a retry. */
export function change(account: Account, channel: Channel, wanted: Schemas['ChannelChange']) {
  if (wanted.acceptsCodes !== undefined) mustBePattern(wanted.acceptsCodes);
  const now = present(account);
  const changed: Channel = { ...channel, ...wanted };
  const channels = account.settings.channels.map((each) => (each === channel ? changed : each));
  account.useSettings({ ...account.settings, channels }, now);
  account.cause('control', 'changeChannel', now);
  return viewOf(account, changed);
}

/** Nothing is pushed to it any more. What is in the channel stays there, as it was. */
export function disconnect(account: Account, channel: Channel) {
  const view = viewOf(account, channel);
  const now = present(account);
  const channels = account.settings.channels.filter((each) => each !== channel);
  account.useSettings({ ...account.settings, channels }, now);
  account.cause('control', 'disconnectChannel', now);
  return view;
}

/** Changes the balance inside the channel alone. */
export function drift(account: Account, channel: Channel, card: CardRecord, { balance }: Schemas['ChannelBalance']) {
  const minor = minorOf(account, 'balance', balance);
  return actIn(account, channel, card, 'changeBalanceInChannel', (current, listing) => decisions.drift(current, listing, minor));
}

/** The channel shows a sync error for the card, until the card is pushed again. */
export function fail(account: Account, channel: Channel, card: CardRecord, { error }: Schemas['SyncError'] = {}) {
  const sentence = error ?? `${channel.name} could not be reached.`;
  return actIn(account, channel, card, 'failInChannel', (current, listing) => decisions.fail(current, listing, sentence));
}

/** Brings the card to the channel again, as the button beside a sync error does. */
export function retry(account: Account, channel: Channel, card: CardRecord) {
  return actIn(account, channel, card, 'retryInChannel', (current) => {
    if (current.deletedAt !== null) return deleted(current);
    return decisions.list(listingIn(channel, current, account));
  });
}

function actIn(
  account: Account,
  channel: Channel,
  card: CardRecord,
  what: 'changeBalanceInChannel' | 'failInChannel' | 'retryInChannel',
  decide: (card: CardRecord, listing: ListingRecord | undefined) => ReturnType<typeof decisions.drift>,
) {
  const { state } = account;
  act(account, card, { what, actor: channel.name }, (current) => decide(current, state.listing(channel.id, card.id)));
  return inChannel(state.listing(channel.id, card.id) as ListingRecord, state.card(card.id) as CardRecord);
}
