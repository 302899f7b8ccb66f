import type { Answer } from '../http/exchange.ts';
import { arrays, idOf, leaves, recordsWith } from '../http/structure.ts';
import type { Entry, RecordEntry } from './entries.ts';

/** Records of the run that are no cards: which of a list are its own, and how one is deleted that no list shows. */

export const isRecord = (entry: Entry): entry is RecordEntry => entry.kind === 'record';

/** The records of a list that are an entry's: by its own value, or else by its description, or by the ID that its creation was answered with. */
export function ownRecords(json: unknown, { url, mark, id }: Pick<RecordEntry, 'url' | 'mark' | 'id'>): unknown[] {
  const byValue = recordsWith(json, url);
  if (byValue.length > 0) return byValue;
  const byMark = mark === undefined ? [] : recordsWith(json, mark);
  if (byMark.length > 0 || id === undefined) return byMark;
  return arrays(json)
    .flat()
    .filter((record) => typeof record === 'object' && idOf(record) === id);
}

/** Whether a list without a webhook says that it is not there: a list that shows no URL of any does not. */
export function tellsUrls(json: unknown): boolean {
  const [records = []] = arrays(json);
  return records.length === 0 || leaves(records).some(({ value }) => isWholeUrl(value));
}

const isWholeUrl = (value: unknown) =>
  typeof value === 'string' &&
  /^https?:/.test(value) &&
  URL.canParse(value) &&
  !/[*…]|\.{3}/.test(value) &&
  new URL(value).pathname !== '/';

/** Deletes what no list shows by the ID that its creation was answered with: it is gone where that ID names nothing after it was deleted. */
export async function goneById(remove: () => Promise<Pick<Answer, 'status'>>): Promise<boolean> {
  return (await remove()).status === 200 && (await remove()).status === 404;
}
