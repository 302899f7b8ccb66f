import { withoutPause } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { listJournal } from '../control/journal.ts';
import { capture } from '../store/snapshot/capture.ts';
import type { AccountDescription } from '../world/generated/described.ts';
import { sandboxOf } from './fixture.ts';

export const shop = { id: 'shop', name: 'Web shop', acceptsCodes: '.*' };

/** Returns an account with a channel, and its journal as the control API shows it. */
export function journaledAccount(account: AccountDescription = { channels: [shop] }) {
  const fixture = sandboxOf([account]);
  const entries = (query = {}) => listJournal({ ...fixture, query }).entries;
  const last = () => {
    const entry = entries().at(-1);
    if (!entry) throw new Error('The journal is empty.');
    return entry;
  };
  return { ...fixture, entries, last };
}

/** Returns a value after it was written as JSON and read again. */
export const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

export const snapshotOfMain = (sandbox: Sandbox) => withoutPause(capture(sandbox, sandbox.accounts.get('main') as never));
