import { UsageError } from '../../command-line/usage-error.ts';
import { isObject, type JsonObject } from '../../openapi/document.ts';
import { readText } from '../core/files.ts';
import { operations } from '../core/operations.ts';
import { printable } from '../http/excerpt.ts';
import { jsonIn } from '../http/json-text.ts';
import { lostWhys } from './passed.ts';
import { isTooDeep, type Seen, wordless } from './seen.ts';

/** First line of what one proxy writes; in a file that several have written, one stands before the exchanges of each. */
export interface Heading {
  readonly record: typeof MARK;
  readonly version: typeof VERSION;
  readonly target: string;
  /** ISO 8601. */
  readonly at: string;
}

export const MARK = 'giftcard-sandbox proxy';
export const VERSION = 1;

/** What one proxy has seen, in the order in which exchanges ended. */
export interface Section {
  readonly target: string;
  readonly at: string;
  readonly exchanges: readonly Seen[];
}

/** Reads a record. Throws UsageError for a file that is none, is damaged, or is of several targets; a last line that was cut is left aside and told. */
export function readRecord(path: string): { readonly sections: readonly Section[]; readonly cut: number } {
  const lines = readText(path, 'record')
    .replace(/^\uFEFF/, '')
    .split('\n');
  const damaged = (what: string) => new UsageError(`The record ${path} is damaged: ${what}. Nothing of it is judged.`);
  const sections: { target: string; at: string; exchanges: Seen[] }[] = [];
  let cut = 0;
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const value = jsonIn(line);
    if (isMarked(value)) {
      if (value.version !== VERSION)
        throw new UsageError(
          `The record ${path} is of another version (${JSON.stringify(value.version)}) than this proxy reads.`,
        );
      const { target, at } = value;
      if (typeof target !== 'string' || typeof at !== 'string' || !isMoment(Date.parse(at)))
        throw damaged(`line ${index + 1} does not say of which target it is, and since when`);
      sections.push({ target, at, exchanges: [] });
      continue;
    }
    const section = sections.at(-1);
    if (!section) throw new UsageError(`${path} is no record of this proxy: it does not begin like one.`);
    if (isSeen(value)) section.exchanges.push(value);
    else if (value === undefined && (index === lines.length - 1 || isMarked(jsonIn(lines[index + 1] ?? '')))) cut += 1;
    else throw damaged(`line ${index + 1} is no exchange`);
  }
  if (sections.length === 0) throw new UsageError(`${path} is no record of this proxy: it is empty.`);
  const targets = [...new Set(sections.map(({ target }) => target))];
  if (targets.length > 1)
    throw new UsageError(
      `The record ${path} is of several targets (${targets.map((each) => printable(each)).join(', ')}), which would be judged as if they were one. Give a record of one of them.`,
    );
  for (const { exchanges } of sections)
    if (exchanges.some((each, at) => at > 0 && each.ended <= (exchanges[at - 1] as Seen).ended))
      throw damaged('its exchanges are not in the order in which they ended');
  return { sections, cut };
}

const isMarked = (value: unknown): value is JsonObject => isObject(value) && value.record === MARK;
const isMoment = (ms: number) => !Number.isNaN(new Date(ms).getTime());

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isCount: Check = Number.isSafeInteger;
const isTrue: Check = (value) => value === true;
const isBody: Check = (value) =>
  isObject(value) &&
  (value.is === 'json'
    ? value.json !== undefined && isCount(value.size) && !isTooDeep(value.json)
    : wordless.some((is) => is === value.is));

/** What each part of an exchange is like. */
const always: Readonly<Record<string, Check>> = {
  ...{ n: isCount, began: isCount, ended: isCount, at: isCount, ms: isCount },
  ...{ method: isText, path: isText },
  own: (value) => typeof value === 'boolean',
  parameters: (value) => isObject(value) && Object.values(value).every(isText),
  ...{ body: isBody, answer: isBody },
};
/** The same of those that may be missing. */
const sometimes: Readonly<Record<string, Check>> = {
  operation: (value) => operations.some(({ id }) => id === value),
  ...{ nearly: isTrue, otherMethod: isTrue, doubtful: isTrue, otherKey: isTrue },
  ...{ key: isText, status: isCount, type: isText, clock: isCount },
  lost: (value) =>
    isObject(value) && lostWhys.some((why) => why === value.why) && typeof value.unsent === 'boolean' && isText(value.code),
};

const isSeen = (value: unknown): value is Seen =>
  isObject(value) &&
  Object.entries(always).every(([name, check]) => check(value[name])) &&
  Object.entries(sometimes).every(([name, check]) => value[name] === undefined || check(value[name])) &&
  isMoment(Number(value.at)) &&
  isMoment(Number(value.at) + Number(value.ms));
