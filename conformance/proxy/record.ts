import { closeSync, existsSync, fchmodSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { readText } from '../core/files.ts';
import { printable } from '../core/text.ts';
import { parseJson } from '../http/json-search.ts';
import type { ObservedExchange } from '../oracle/oracle.ts';

/** One line of a record. */
export interface RecordedExchange extends ObservedExchange {
  /** Positions in the order in which all requests began and all answers ended. */
  readonly began: number;
  readonly ended: number;
}

/** The first line that a proxy writes. */
interface Heading {
  readonly record: typeof mark;
  readonly version: typeof version;
  readonly target: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The lines of one proxy. */
export interface Section extends Heading {
  readonly exchanges: RecordedExchange[];
}

const mark = 'giftcard-sandbox proxy';
/** Version 0.1 wrote 1. */
const version = 2;

const headers = { type: 'object', additionalProperties: { type: 'string' } };
const [text, integer] = [{ type: 'string' }, { type: 'integer' }];
const isExchange = new Ajv2020().compile<RecordedExchange>({
  type: 'object',
  required: ['began', 'ended', 'at', 'ms', 'method', 'target', 'headers'],
  additionalProperties: false,
  properties: {
    began: integer,
    ended: integer,
    at: integer,
    ms: integer,
    method: text,
    target: text,
    body: text,
    headers,
    answer: {
      type: 'object',
      required: ['status', 'headers'],
      additionalProperties: false,
      properties: { status: integer, headers, body: text },
    },
    isUnsent: { const: true },
  },
});
const isHeading = new Ajv2020().compile<Heading>({
  type: 'object',
  required: ['record', 'version', 'target', 'at'],
  properties: { record: { const: mark }, version: integer, target: text, at: text },
});

/** Reads a record; `isCut`: its last line is not complete and was ignored. Throws UsageError for any other file. */
export function readRecord(path: string): { readonly sections: readonly Section[]; readonly isCut: boolean } {
  const lines = readText(path, 'record').split('\n');
  const sections: Section[] = [];
  let isCut = false;
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const value = parseJson(line);
    const section = sections.at(-1);
    if (isHeading(value)) {
      if (value.version !== version)
        throw new UsageError(
          `The record ${path} has version ${value.version}; this proxy reads ${version}. Record again with --record.`,
        );
      sections.push({ ...value, exchanges: [] });
    } else if (!section) throw new UsageError(`The file ${path} is not a record of this proxy: its first line is not a heading.`);
    else if (isExchange(value)) section.exchanges.push(value);
    // A killed proxy leaves half a line.
    else if (value === undefined && (index === lines.length - 1 || isHeading(parseJson(lines[index + 1] ?? '')))) isCut = true;
    else
      throw new UsageError(
        `Line ${index + 1} of the record ${path} is damaged. Nothing was checked. Record again with --record.`,
      );
  }
  if (sections.length === 0) throw new UsageError(`The file ${path} is not a record of this proxy: it is empty.`);
  const targets = [...new Set(sections.map(({ target }) => printable(target)))];
  if (targets.length > 1)
    throw new UsageError(`The record ${path} has several targets (${targets.join(', ')}). Give a record of one target.`);
  return { sections, isCut };
}

/** Appends exchanges to a file, one line each. */
export class Recorder {
  #file: number | undefined;
  readonly #path: string;
  readonly #report: (sentence: string) => void;

  /** Throws UsageError if the file cannot be written, or is not a record of this target. */
  constructor(path: string, target: string, at: string, report: (sentence: string) => void) {
    this.#path = path;
    this.#report = report;
    try {
      const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const heading = parseJson(before.split('\n', 1)[0] ?? '');
      if (before !== '' && !(isHeading(heading) && heading.version === version && heading.target === target))
        throw new UsageError(`The file ${path} is not a record of ${target}. Give another one with --record.`);
      this.#file = openSync(path, 'a', 0o600);
      // A file that existed before may be readable by others.
      fchmodSync(this.#file, 0o600);
      this.#write(
        `${before === '' || before.endsWith('\n') ? '' : '\n'}${JSON.stringify({ record: mark, version, target, at })}\n`,
      );
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`The record ${path} cannot be written: ${whyNot(error, 'written')}.`);
    }
  }

  add(exchange: RecordedExchange): void {
    this.#write(`${JSON.stringify(exchange)}\n`);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** A full disk ends the record; the proxy continues. */
  #write(line: string): void {
    if (this.#file === undefined) return;
    try {
      const bytes = Buffer.from(line);
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      this.close();
      this.#report(
        `The record ${this.#path} can no longer be written: ${whyNot(error, 'written')}. The proxy continues without it.`,
      );
    }
  }
}
