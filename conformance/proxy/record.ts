import { closeSync, existsSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { isObject, type JsonObject } from '../../openapi/document.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { jsonIn } from '../json-text.ts';
import { readText } from '../read-file.ts';
import { UsageError } from '../target.ts';
import type { Seen } from './seen.ts';

/** First line of what one proxy writes; in a file that several have written, one stands before the exchanges of each. */
interface Heading {
  readonly record: typeof MARK;
  readonly version: typeof VERSION;
  readonly target: string;
  /** ISO 8601. */
  readonly at: string;
}

const MARK = 'giftcard-sandbox proxy';
const VERSION = 1;

/** What one proxy has seen, in the order in which exchanges ended. */
export interface Section {
  readonly target: string;
  readonly at: string;
  readonly exchanges: readonly Seen[];
}

/** Writes what is seen at the end of a file, a line an exchange, each handed to the system before anything is judged by it. */
export class Recorder {
  #file: number | undefined;
  readonly #path: string;
  readonly #trouble: (sentence: string) => void;

  /** Throws UsageError for a file that cannot be written, or that is no record. */
  constructor(path: string, target: string, at: string, trouble: (sentence: string) => void) {
    this.#path = path;
    this.#trouble = trouble;
    const ending = existsSync(path) ? endingOf(path) : '';
    try {
      this.#file = openSync(path, 'a', 0o600);
    } catch (error) {
      throw new UsageError(`The record ${path} cannot be written: ${whyNot(error, 'written')}.`);
    }
    const heading: Heading = { record: MARK, version: VERSION, target, at };
    this.#write(`${ending}${JSON.stringify(heading)}\n`);
  }

  add(seen: Seen): void {
    this.#write(`${JSON.stringify(seen)}\n`);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** What cannot be written any more ends the record, and nothing else. */
  #write(text: string): void {
    if (this.#file === undefined) return;
    try {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      this.close();
      this.#trouble(
        `The record ${this.#path} can no longer be written (${whyNot(error, 'written')}); it ends here, and watching goes on.`,
      );
    }
  }
}

/** What has to be written before anything else, so that a line that was cut stays one of its own. Throws UsageError for a file of something else. */
function endingOf(path: string): string {
  let text: string;
  try {
    const found = statSync(path);
    const { size } = found;
    if (!found.isFile() && !found.isDirectory()) throw new UsageError(`The record ${path} cannot be written: it is no file.`);
    const file = openSync(path, 'r');
    const bytes = Buffer.alloc(200);
    const begin = bytes.toString('utf8', 0, readSync(file, bytes, 0, 200, 0));
    const last = size === 0 ? '' : bytes.toString('utf8', 0, readSync(file, bytes, 0, 1, size - 1));
    closeSync(file);
    text = begin;
    if (size === 0) return '';
    if (text.startsWith(`{"record":"${MARK}"`)) return last === '\n' ? '' : '\n';
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The record ${path} cannot be written: ${whyNot(error, 'written')}.`);
  }
  throw new UsageError(
    `The file ${path} is there and is no record of this proxy, so that nothing is written to it. Name another with --record.`,
  );
}

/** Reads a record. Throws UsageError for a file that is none, or is damaged; a last line that was cut is left aside and told. */
export function readRecord(path: string): { readonly sections: readonly Section[]; readonly cut: number } {
  const lines = readText(path, 'record').split('\n');
  const sections: { target: string; at: string; exchanges: Seen[] }[] = [];
  let cut = 0;
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const value = jsonIn(line);
    if (isHeading(value)) {
      if (value.version !== VERSION)
        throw new UsageError(
          `The record ${path} is of another version (${JSON.stringify(value.version)}) than this proxy reads.`,
        );
      sections.push({ target: String(value.target), at: String(value.at), exchanges: [] });
      continue;
    }
    const section = sections.at(-1);
    if (!section) throw new UsageError(`${path} is no record of this proxy: it does not begin like one.`);
    if (isSeen(value)) section.exchanges.push(value);
    else if (value === undefined && (index === lines.length - 1 || isHeading(jsonIn(lines[index + 1] ?? '')))) cut += 1;
    else throw new UsageError(`The record ${path} is damaged: line ${index + 1} is no exchange. Nothing of it is judged.`);
  }
  if (sections.length === 0) throw new UsageError(`${path} is no record of this proxy: it is empty.`);
  for (const { exchanges } of sections)
    if (exchanges.some((each, at) => at > 0 && each.ended <= (exchanges[at - 1] as Seen).ended))
      throw new UsageError(
        `The record ${path} is damaged: its exchanges are not in the order in which they ended. Nothing of it is judged.`,
      );
  return { sections, cut };
}

const isHeading = (value: unknown): value is JsonObject => isObject(value) && value.record === MARK;
const bodies = ['empty', 'blank', 'text', 'too large', 'packed', 'cut', 'json'];
const isBody = (value: unknown) => isObject(value) && bodies.includes(String(value.is));

function isSeen(value: unknown): value is Seen {
  if (!isObject(value)) return false;
  const numbers = ['n', 'began', 'ended', 'at', 'ms'].every((name) => typeof value[name] === 'number');
  const texts = ['method', 'path'].every((name) => typeof value[name] === 'string');
  return (
    numbers && texts && typeof value.own === 'boolean' && isObject(value.parameters) && isBody(value.body) && isBody(value.answer)
  );
}
