import type { Answer } from '../http/exchange.ts';
import { arrays, idOf, leaves, recordsWith } from '../http/structure.ts';
import type { RecordEntry } from './entries.ts';

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
