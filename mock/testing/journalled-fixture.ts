import { listJournal } from '../control/journal.ts';
import type { AccountFile } from '../world/description.ts';
import { sandboxOf } from './fixture.ts';

export const shop = { id: 'shop', name: 'Web shop', acceptsCodes: '.*' };

/** An account with a channel, and its journal as the control API shows it. */
export function journalled(account: AccountFile = { channels: [shop] }) {
  const fixture = sandboxOf([account]);
  const entries = (filter = {}) => listJournal(fixture.account, undefined, filter).entries;
  const last = () => {
    const entry = entries().at(-1);
    if (!entry) throw new Error('The journal is empty.');
    return entry;
  };
  return { ...fixture, entries, last };
}
