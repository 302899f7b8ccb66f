import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays, idOf } from '../http/structure.ts';
import { cleanupRequests, isRefusal, type Outcome } from './cleanup-requests.ts';
import { type Entry, isRecord, type RecordEntry, refusedAccounts } from './entries.ts';
import { goneById, ownRecords, showsUrls } from './own-records.ts';

/** Deletes a record by the id in its own list record or in the answer to its creation. Records of others are never touched. */
export async function removeRecord(
  client: Client,
  entry: RecordEntry,
  entries: readonly Entry[],
  note: (entry: Entry) => void,
): Promise<Outcome> {
  const { get, remove } = cleanupRequests(client, entry);
  const deletion = (id: string | number) => remove(entry.remove.replace('{id}', encodeURIComponent(id)));
  // A check may have registered several with the same value.
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
      // The list record may belong to another entry with the same value.
      if (each.id === id) each.shown = true;
      note(each);
    }
    await deletion(id);
  }
  return 'left';
}

/** The outcome when the list does not show the record. */
async function absent(entry: RecordEntry, json: unknown, deletion: (id: string | number) => Promise<Answer>): Promise<Outcome> {
  if (arrays(json).length === 0) return entry.made ? 'left' : 'unclear';
  const { made, removing, shown, id } = entry;
  if (made && !shown && id !== undefined) return (await goneById(() => deletion(id))) ? 'gone' : 'left';
  if (made) return !shown ? 'left' : removing ? 'gone' : 'unclear';
  // A request without an answer may have created one that this list cannot distinguish from others.
  return entry.state === 'asked' && URL.canParse(entry.url) && !showsUrls(json) ? 'left' : 'not-there';
}

/** All entries with the same value on the same account, this one included: one deletion may remove any of them. */
const namesakes = (record: RecordEntry, entries: readonly Entry[]): RecordEntry[] =>
  entries
    .filter(isRecord)
    .filter(({ url, list, account }) => url === record.url && list === record.list && account === record.account);
