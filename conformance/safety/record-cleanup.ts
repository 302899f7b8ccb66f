import type { TargetResponse } from '../http/exchange.ts';
import { arrays, certainIdOf, leaves, recordsWith } from '../http/json-search.ts';
import { cleanupRequests, type RemovalOutcome, type SweepContext } from './cleanup-requests.ts';
import { isRecord, type LedgerEntry, type RecordEntry } from './entries.ts';

/** Deletes a webhook by its id. Does not touch webhooks of other clients. */
export async function removeRecord({ client, entries, store }: SweepContext, entry: RecordEntry): Promise<RemovalOutcome> {
  const { get, remove } = cleanupRequests(client, entry);
  const deleteById = (id: string | number) => remove(`/api/Webhook/Delete/${encodeURIComponent(id)}`);
  const neighbours = entries.filter(isRecord).filter(({ account }) => account === entry.account);
  // A check may have registered several webhooks with the same URL.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const { status, json } = await get('/api/Webhook/List');
    if (status !== 200) return 'left';
    // The deletion below may also remove another entry's webhook with the same URL. So first note which webhooks the list shows.
    noteShown(json, neighbours, store);
    const record = ownRecords(json, entry).at(-1);
    if (record === undefined) return outcomeUnlisted(entry, json, deleteById);
    const id = certainIdOf(record);
    if (id === undefined) return 'left';
    await deleteById(id);
  }
  return 'left';
}

type DeleteById = (id: string | number) => Promise<TargetResponse>;

async function outcomeUnlisted(entry: RecordEntry, json: unknown, deleteById: DeleteById): Promise<RemovalOutcome> {
  const { shown, state, id, url } = entry;
  if (arrays(json).length === 0) return 'left';
  if (shown) return 'gone';
  if (state === 'created') return id !== undefined && (await goneById(() => deleteById(id))) ? 'gone' : 'left';
  // If the list shows no URLs, one of its records may be the webhook of a request without a response.
  return state === 'requested' && URL.canParse(url) && !showsUrls(json) ? 'left' : 'absent';
}

/** Stores which webhooks a list shows. A later list without such a webhook proves the deletion. */
export function noteShown(json: unknown, entries: readonly RecordEntry[], store: (entry: LedgerEntry) => void): void {
  for (const entry of entries) {
    if (entry.shown || ownRecords(json, entry).length === 0) continue;
    entry.shown = true;
    store(entry);
  }
}

/** Returns the records of a list that have the URL of an entry. If there are none, matches the description, and then the id. */
export function ownRecords(json: unknown, { url, mark, id }: Pick<RecordEntry, 'url' | 'mark' | 'id'>): unknown[] {
  const byValue = recordsWith(json, url);
  if (byValue.length > 0) return byValue;
  const byMark = mark === undefined ? [] : recordsWith(json, mark);
  if (byMark.length > 0 || id === undefined) return byMark;
  // A list may have plain IDs instead of records.
  return arrays(json)
    .flat()
    .map((record) => (record === id ? { id } : record))
    .filter((record) => typeof record === 'object' && certainIdOf(record) === id);
}

/** Reports whether a list shows whole URLs. A webhook whose URL is not in such a list is absent. */
export function showsUrls(json: unknown): boolean {
  const [records = []] = arrays(json);
  return records.length === 0 || leaves(records).some(({ value }) => wholeUrl.test(String(value)));
}

/** Matches a whole URL with a path. Some lists shorten URLs with asterisks or dots. */
const wholeUrl = /^https?:\/\/(?!.*\.{3})[^/*…]+\/[^?#*…][^*…]*$/;

/** Deletes a webhook that no list shows. If a second deletion returns 404, the webhook is gone. */
export async function goneById(remove: () => Promise<Pick<TargetResponse, 'status'>>): Promise<boolean> {
  return (await remove()).status === 200 && (await remove()).status === 404;
}
