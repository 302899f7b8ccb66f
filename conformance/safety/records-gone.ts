import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays, idOf } from '../http/structure.ts';
import { asking, isRefusal, type Outcome } from './cleanup-requests.ts';
import { type Entry, type RecordEntry, refusedAccounts } from './entries.ts';
import { goneById, isRecord, ownRecords, tellsUrls } from './own-records.ts';

/**
 * Deletes a record by the id in the list record that is its own, or that its creation was answered with, for other records are not the run's to touch.
 * One that was created and that no list has shown may stand there unseen, or somewhere else, and is left.
 */
export async function recordGone(
  client: Client,
  entry: RecordEntry,
  entries: readonly Entry[],
  note: (entry: Entry) => void,
): Promise<Outcome> {
  const { get, remove } = asking(client, entry);
  const deletion = (id: string | number) => remove(entry.remove.replace('{id}', encodeURIComponent(id)));
  // Several may have the same value where a check registers one twice.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const list = await get(entry.list);
    if (isRefusal(list.status) && !entry.made && refusedAccounts.has(entry.account)) return 'not-there';
    if (list.status !== 200) return 'unclear';
    const record = ownRecords(list.json, entry).at(-1);
    if (record === undefined) return absent(entry, list.json, deletion);
    const id = idOf(record);
    entry.shown = true;
    if (id === undefined) return 'left';
    for (const each of namesakes(entry, entries)) {
      each.removing = true;
      // What was shown may be a namesake's, which then needs no list of its own.
      if (each.id === id) each.shown = true;
      note(each);
    }
    await deletion(id);
  }
  return 'left';
}

/** What a list without the record says of it. */
async function absent(entry: RecordEntry, json: unknown, deletion: (id: string | number) => Promise<Answer>): Promise<Outcome> {
  if (arrays(json).length === 0) return entry.made ? 'left' : 'unclear';
  const { made, removing, shown, id } = entry;
  if (made && !shown && id !== undefined) return (await goneById(() => deletion(id))) ? 'gone' : 'left';
  if (made) return !shown ? 'left' : removing ? 'gone' : 'unclear';
  // One that nobody answered may be there and not be told from others.
  return entry.state === 'asked' && URL.canParse(entry.url) && !tellsUrls(json) ? 'left' : 'not-there';
}

/** Entries of records with the same value on the same account, itself among them: one deletion may take any of them away. */
const namesakes = (record: RecordEntry, entries: readonly Entry[]): RecordEntry[] =>
  entries
    .filter(isRecord)
    .filter(({ url, list, account }) => url === record.url && list === record.list && account === record.account);
