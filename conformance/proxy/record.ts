import { appendFileSync, chmodSync, existsSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../cli/usage-error.ts';
import { mayWrite, readText } from '../../cli/user-files.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import schema from '../generated/record.schema.json' with { type: 'json' };
import { parseJson } from '../http/json-search.ts';
import type { ObservedExchange } from '../oracle/oracle.ts';

interface RecordedExchange extends ObservedExchange {
  /** Position of the request in the sequence of all requests and responses. `ended` is the position of the response. */
  readonly began: number;
  readonly ended: number;
}

/** The line that a proxy writes before its exchanges. */
interface Heading {
  readonly record: typeof mark;
  readonly version: number;
  readonly target: string;
  readonly at: string;
}

export type RecordLine = Heading | RecordedExchange;

export interface ProxyRecord extends Pick<Heading, 'target' | 'at'> {
  /** Exchanges, in one list for each proxy that wrote to the record. */
  readonly runs: readonly (readonly RecordedExchange[])[];
  /** True if the reader ignored an incomplete line. A killed proxy may leave such a line. */
  readonly isCut: boolean;
}

const mark = 'giftcard-sandbox proxy';
const version = 1;

const isLine = new Ajv2020().compile<RecordLine>(schema);
const isHeading = (value: unknown): value is Heading => isLine(value) && 'record' in value;

/** Reads a record. Throws UsageError if the file is not a record. */
export function readRecord(path: string): ProxyRecord {
  const lines = readText(path, 'record').split('\n');
  const first = parseJson(lines[0] ?? '');
  if (!isHeading(first))
    throw new UsageError(`The file ${path} was not written by proxy --record: its first line is not a heading.`);
  const runs: RecordedExchange[][] = [];
  let isCut = false;
  for (const [index, line] of lines.entries()) {
    const value = parseJson(line);
    if (isLine(value) && 'began' in value) runs.at(-1)?.push(value);
    else if (value === undefined) isCut ||= line !== '';
    else if (isHeading(value) && value.version === version && value.target === first.target) runs.push([]);
    else
      throw new UsageError(
        `Line ${index + 1} of the record ${path} cannot be used: the line is damaged, or its version is not ${version}, or its target is not ${first.target}. Record again with --record.`,
      );
  }
  return { target: first.target, at: first.at, runs, isCut };
}

export class Recorder {
  readonly #path: string;
  readonly #report: (sentence: string) => void;
  #hasFailed = false;

  /** Throws UsageError if the file cannot be written, or if an existing file is not a record of this target. */
  constructor(path: string, target: string, at: string, report: (sentence: string) => void) {
    this.#path = path;
    this.#report = report;
    mayWrite(path, 'record');
    const before = existsSync(path) ? readText(path, 'record') : '';
    const heading = parseJson(before.split('\n', 1)[0] ?? '');
    if (before !== '' && !(isHeading(heading) && heading.version === version && heading.target === target))
      throw new UsageError(`The file ${path} is not a record of ${target}. Name another file with --record.`);
    if (before !== '') chmodSync(path, 0o600);
    // A killed proxy may have left an incomplete line, so the heading starts on a new line.
    this.#write(`${before === '' ? '' : '\n'}${JSON.stringify({ record: mark, version, target, at })}\n`);
  }

  add(exchange: RecordedExchange): void {
    this.#write(`${JSON.stringify(exchange)}\n`);
  }

  /** Writes a line. After an error, such as a full disk, the recorder writes nothing more and the proxy continues. */
  #write(line: string): void {
    if (this.#hasFailed) return;
    try {
      appendFileSync(this.#path, line, { mode: 0o600 });
    } catch (error) {
      this.#hasFailed = true;
      const why = whyNot(error, 'written');
      this.#report(`The record ${this.#path} can no longer be written: ${why}. The proxy continues without a record.`);
    }
  }
}
