import type { Answer } from '../http/exchange.ts';
import { arrays, idOf, leaves, recordsWith } from '../http/json-search.ts';
import { cleanupRequests, type RemovalOutcome, type SweepContext } from './cleanup-requests.ts';
import { type Entry, isRecord, type RecordEntry } from './entries.ts';

/** Deletes a record by the id in its own list record or in the answer to its creation. Records of others are never touched. */
export async function removeRecord({ client, entries, store }: SweepContext, entry: RecordEntry): Promise<RemovalOutcome> {
  const { get, remove } = cleanupRequests(client, entry);
  const deleteById = (id: string | number) => remove(`/api/Webhook/Delete/${encodeURIComponent(id)}`);
  const neighbours = entries.filter(isRecord).filter(({ account }) => account === entry.account);
  // A check may have registered several with the same value.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const { status, json } = await get('/api/Webhook/List');
    if (status !== 200) return 'left';
    // Stored before the deletion, which may also remove the record of another entry with the same value.
    noteShown(json, neighbours, store);
    const record = ownRecords(json, entry).at(-1);
    if (record === undefined) return outcomeUnlisted(entry, json, deleteById);
    const id = idOf(record);
    if (id === undefined) return 'left';
    await deleteById(id);
  }
  return 'left';
}

/** Stores which records a list shows. A later list without one of these records proves that the record is gone. */
export function noteShown(json: unknown, entries: readonly RecordEntry[], store: (entry: Entry) => void): void {
  for (const entry of entries) {
    if (entry.shown || ownRecords(json, entry).length === 0) continue;
    entry.shown = true;
    store(entry);
  }
}

/** Returns the outcome for a record that the list does not show. */
async function outcomeUnlisted(
  { shown, state, id, url }: RecordEntry,
  json: unknown,
  deleteById: (id: string | number) => Promise<Answer>,
): Promise<RemovalOutcome> {
  if (arrays(json).length === 0) return 'left';
  if (shown) return 'gone';
  if (state === 'created') return id !== undefined && (await goneById(() => deleteById(id))) ? 'gone' : 'left';
  // A request without an answer may have created one that this list cannot distinguish from others.
  return state === 'asked' && URL.canParse(url) && !showsUrls(json) ? 'left' : 'absent';
}

/** Returns the records of a list that belong to an entry: by its value, else by its description, else by the id that its creation returned. */
export function ownRecords(json: unknown, { url, mark, id }: Pick<RecordEntry, 'url' | 'mark' | 'id'>): unknown[] {
  const byValue = recordsWith(json, url);
  if (byValue.length > 0) return byValue;
  const byMark = mark === undefined ? [] : recordsWith(json, mark);
  if (byMark.length > 0 || id === undefined) return byMark;
  return arrays(json)
    .flat()
    .filter((record) => typeof record === 'object' && idOf(record) === id);
}

/** Reports whether a list shows whole URLs, so that a webhook that it does not show is absent. */
export function showsUrls(json: unknown): boolean {
  const [records = []] = arrays(json);
  return records.length === 0 || leaves(records).some(({ value }) => wholeUrl.test(String(value)));
}

/** Matches a URL with a path. A list may show URLs shortened by asterisks or dots. */
const wholeUrl = /^https?:\/\/(?!.*\.{3})[^/*…]+\/[^?#*…][^*…]*$/;

/** Deletes a record that no list shows, by id. A second deletion that answers 404 proves that it is gone. */
export async function goneById(remove: () => Promise<Pick<Answer, 'status'>>): Promise<boolean> {
  return (await remove()).status === 200 && (await remove()).status === 404;
}
