import type { Account } from '../account/account.ts';
import type { Channel } from '../account/settings.ts';
import type { Effect, EmailKind } from '../domain/outcome.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';
import type { Cause } from './cause.ts';
import { listingOf } from './listing.ts';

/**
 * Brings a card to every connected channel as it now stands (channels.api-changes-pushed, adjustment.pushed-to-channels). A channel that does not
 * take the code shows a sync error for the card (gift-card.create.unaccepted-code-shows-sync-error); neither the others nor the email wait for it
 * (emails.channels-failing). A voided card
 * stays in its channels with nothing on it (gift-card.void.leaves-card-in-channels). Only a change in the service pushes: what is changed inside
 * a channel stays there and drifts until then (channels.own-changes-drift).
 */
export function push(card: CardRecord, account: Account, cause: Cause): readonly ListingRecord[] {
  const { state, settings } = account;
  // What was never added is not changed there either.
  const channels = isLeftOut(card, account)
    ? settings.channels.filter(({ id }) => state.listing(id, card.id))
    : settings.channels;
  // Whatever was changed inside the channel alone is overwritten (channels.own-changes-not-picked-up, adjustment.corrects-channel-drift).
  const listings = channels.map((channel) => broughtTo(account, channel, card));
  const changes = listings.map((put): Change => ({ table: 'listings', put }));
  if (changes.length > 0) account.apply(changes, cause);
  return listings;
}

/** The card as a channel has it once it was brought there; it keeps the ID that it has there. */
export function broughtTo({ state, chance }: Account, channel: Channel, card: CardRecord): ListingRecord {
  return listingOf(card, channel, state.listing(channel.id, card.id)?.sourceId ?? chance.guid(), card.balance);
}

/** channels.automation-cards */
export function isLeftOut({ issuedThrough }: CardRecord, { behaviors }: Account): boolean {
  return issuedThrough === 'automation' && behaviors['channels.automation-cards'] === 'not-added';
}

const BRINGS_THE_CARD: ReadonlySet<EmailKind> = new Set(['gift-card', 'gifted', 'automation']);

/** Whether the email that brings a card is never sent, because a channel could not be given the card (emails.channels-failing). */
export function isHeldBack(
  { email, card }: Extract<Effect, { kind: 'email' }>,
  { behaviors, settings, state }: Account,
): boolean {
  if (behaviors['emails.channels-failing'] !== 'held-back' || !BRINGS_THE_CARD.has(email)) return false;
  return settings.channels.some(({ id }) => state.listing(id, card.id)?.state === 'sync-error');
}
