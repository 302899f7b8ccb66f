import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays, idOf, leaves, recordsWith } from '../http/json-search.ts';
import { cleanupRequests, type Outcome } from './cleanup-requests.ts';
import { type Entry, isRecord, type RecordEntry } from './entries.ts';

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

/** The records of a list that belong to an entry: by its value, else by its description, else by the id that its creation returned. */
export function ownRecords(json: unknown, { url, mark, id }: Pick<RecordEntry, 'url' | 'mark' | 'id'>): unknown[] {
  const byValue = recordsWith(json, url);
  if (byValue.length > 0) return byValue;
  const byMark = mark === undefined ? [] : recordsWith(json, mark);
  if (byMark.length > 0 || id === undefined) return byMark;
  return arrays(json)
    .flat()
    .filter((record) => typeof record === 'object' && idOf(record) === id);
}

/** Whether a list shows whole URLs, so that a webhook that it does not show is absent. */
export function showsUrls(json: unknown): boolean {
  const [records = []] = arrays(json);
  return records.length === 0 || leaves(records).some(({ value }) => isWholeUrl(value));
}

const isWholeUrl = (value: unknown) =>
  typeof value === 'string' &&
  /^https?:/.test(value) &&
  URL.canParse(value) &&
  !/[*…]|\.{3}/.test(value) &&
  new URL(value).pathname !== '/';

/** Deletes a record that no list shows, by id. A second deletion that answers 404 proves that it is gone. */
export async function goneById(remove: () => Promise<Pick<Answer, 'status'>>): Promise<boolean> {
  return (await remove()).status === 200 && (await remove()).status === 404;
}
