import type { Channel } from '../account/settings.ts';
import { type Pattern, patternOf } from '../contract/pattern.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import type { OutboundAccount } from './outbound-account.ts';

/**
 * Pushes a card to every connected channel (channels.api-changes-pushed, adjustment.pushed-to-channels). A voided card stays in its channels with a
 * balance of zero (gift-card.void.leaves-card-in-channels). A push overwrites changes made inside a channel (channels.own-changes-not-picked-up).
 */
export function push(card: CardRecord, account: OutboundAccount): readonly ListingRecord[] {
  const listings = account.settings.channels.map((channel) => listingIn(channel, card, account));
  if (listings.length > 0) account.apply(listings.map((put): Change => ({ table: 'listings', put })));
  return listings;
}

/** Returns the listing of a card after a push. A card that was in the channel before keeps its source ID. */
export function listingIn(
  channel: Channel,
  card: CardRecord,
  { state, random }: Pick<OutboundAccount, 'state' | 'random'>,
): ListingRecord {
  return listingOf(card, channel, state.listing(channel.id, card.id)?.sourceId ?? random.guid(), card.balance);
}

/** Returns a listing. If the channel rejects the code, sets a sync error and the balance 0 (gift-card.create.unaccepted-code-shows-sync-error). */
export function listingOf(card: CardRecord, channel: Channel, sourceId: string, balance: Minor): ListingRecord {
  const accepted = acceptsCode(channel, card.code);
  return {
    channelId: channel.id,
    cardId: card.id,
    sourceId,
    balance: accepted ? balance : 0,
    state: accepted ? 'synced' : 'sync-error',
    error: accepted ? null : `${channel.name} does not accept the code ${card.code}.`,
  };
}

const patterns = new WeakMap<Channel, Pattern>();

function acceptsCode(channel: Channel, code: string): boolean {
  let pattern = patterns.get(channel);
  if (!pattern) {
    pattern = patternOf(channel.acceptsCodes, true);
    patterns.set(channel, pattern);
  }
  return pattern.test(code);
}
