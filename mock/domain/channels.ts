import type { CardRecord, ListingRecord } from '../state/records.ts';
import { type Decision, deleted } from './dashboard.ts';
import type { Minor } from './money.ts';
import type { Outcome } from './outcome.ts';

/** What happens inside a sales channel, of which the service hears nothing. */

/**
 * The channel alone believes that the card holds something else (channels.own-changes-not-picked-up); it stays so until the service pushes the
 * next change of the card (channels.own-changes-drift, adjustment.corrects-channel-drift).
 */
export function drift(card: CardRecord, listing: ListingRecord | undefined, balance: Minor): Decision {
  if (card.deletedAt !== null) return deleted(card);
  if (listing?.state !== 'synced') return absent(card);
  return put({ ...listing, balance });
}

/** The channel fails to sync the card, for a reason of its own, and shows it until the card is pushed again. */
export function fail(card: CardRecord, listing: ListingRecord | undefined, error: string): Decision {
  if (card.deletedAt !== null) return deleted(card);
  if (!listing) return absent(card);
  return put({ ...listing, state: 'sync-error', error });
}

function put(listing: ListingRecord): Outcome<true> {
  return { reply: true, changes: [{ table: 'listings', put: listing }], effects: [] };
}

function absent(card: CardRecord): { no: string } {
  return { no: `The channel does not have the card ${card.code}; its sync error says why, and a retry may bring it there.` };
}
