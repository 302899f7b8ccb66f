import type { Account } from '../account.ts';
import type { CardRecord } from '../records.ts';
import type { Change } from '../state.ts';
import { wholeText } from '../world-file/formats.ts';

/**
 * Brings a card to every connected channel as it now stands (channels.api-changes-pushed, adjustment.pushed-to-channels). A channel that does not
 * take the code shows a sync error for the card (gift-card.create.unaccepted-code-shows-sync-error); neither the others nor the email wait for it
 * (emails.channels-failing). A voided card
 * stays in its channels with nothing on it (gift-card.void.leaves-card-in-channels). Only a change in the service pushes: what is changed inside
 * a channel stays there and drifts until then (channels.own-changes-drift).
 */
export function push(card: CardRecord, account: Account): void {
  const changes: Change[] = [];
  for (const channel of account.settings.channels) {
    const listed = account.state.listing(channel.id, card.id);
    const accepted = wholeText(channel.acceptsCodes).test(card.code);
    changes.push({
      table: 'listings',
      put: {
        id: `${channel.id} ${card.id}`,
        channelId: channel.id,
        cardId: card.id,
        sourceId: listed?.sourceId ?? account.chance.guid(),
        // Whatever was changed inside the channel alone is overwritten (channels.own-changes-not-picked-up, adjustment.corrects-channel-drift).
        balance: accepted ? card.balance : 0,
        state: accepted ? 'synced' : 'sync-error',
        error: accepted ? null : `${channel.name} does not accept the code ${card.code}.`,
      },
    });
  }
  account.commit(changes);
}
