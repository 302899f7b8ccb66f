import type { Channel } from '../account/settings.ts';
import type { Minor } from '../domain/money.ts';
import type { CardRecord, ListingRecord } from '../state/records.ts';

/**
 * A card in a channel that was told of it, with this balance; a channel that does not take the code shows a sync error instead
 * (gift-card.create.unaccepted-code-shows-sync-error).
 */
export function listingOf(card: CardRecord, channel: Channel, sourceId: string, balance: Minor): ListingRecord {
  const accepted = accepts(channel, card.code);
  return {
    channelId: channel.id,
    cardId: card.id,
    sourceId,
    balance: accepted ? balance : 0,
    state: accepted ? 'synced' : 'sync-error',
    error: accepted ? null : `${channel.name} does not accept the code ${card.code}.`,
  };
}

/** Read once per channel, and forgotten with it. */
const patterns = new WeakMap<Channel, RegExp>();

function accepts(channel: Channel, code: string): boolean {
  let pattern = patterns.get(channel);
  if (!pattern) {
    pattern = wholeText(channel.acceptsCodes);
    patterns.set(channel, pattern);
  }
  return pattern.test(code);
}

/** The regular expression that a whole text must fit. Throws for one that cannot be read. */
export function wholeText(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u');
}
