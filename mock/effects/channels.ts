import type { Account } from '../account.ts';
import { listingOf } from '../listing.ts';
import type { CardRecord, ListingRecord } from '../records.ts';
import type { Change } from '../state.ts';

/**
 * Brings a card to every connected channel as it now stands (channels.api-changes-pushed, adjustment.pushed-to-channels). A channel that does not
 * take the code shows a sync error for the card (gift-card.create.unaccepted-code-shows-sync-error); neither the others nor the email wait for it
 * (emails.channels-failing). A voided card
 * stays in its channels with nothing on it (gift-card.void.leaves-card-in-channels). Only a change in the service pushes: what is changed inside
 * a channel stays there and drifts until then (channels.own-changes-drift).
 */
export function push(card: CardRecord, account: Account): readonly ListingRecord[] {
  const listings = account.settings.channels.map((channel) => {
    const sourceId = account.state.listing(channel.id, card.id)?.sourceId ?? account.chance.guid();
    // Whatever was changed inside the channel alone is overwritten (channels.own-changes-not-picked-up, adjustment.corrects-channel-drift).
    return listingOf(card, channel, sourceId, card.balance);
  });
  account.commit(listings.map((put): Change => ({ table: 'listings', put })));
  return listings;
}
