import { closeSync, existsSync, fchmodSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { UsageError } from '../../command-line/usage-error.ts';
import { isObject } from '../../openapi/document.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { printable } from '../http/excerpt.ts';
import { jsonIn } from '../http/json-text.ts';
import { type Heading, MARK, VERSION } from './record.ts';
import type { Seen } from './seen.ts';

/**
 * Writes what is seen at the end of a file, a line an exchange, each handed to the system before anything is judged by it. The heading comes with the first, or
 * at the end where there was none, so that one who never came to listen leaves nothing in it.
 */
export class Recorder {
  #file: number | undefined;
  /** What stands before the first exchange, until it is written. */
  #before: string;
  readonly #path: string;
  readonly #trouble: (sentence: string) => void;

  /** Throws UsageError for a file that cannot be written, that is no record, or that is one of another target. */
  constructor(path: string, target: string, at: string, trouble: (sentence: string) => void) {
    this.#path = path;
    this.#trouble = trouble;
    const ending = existsSync(path) ? endingOf(path, target) : '';
    try {
      this.#file = openSync(path, 'a', 0o600);
      // One that was there already may be open to others.
      fchmodSync(this.#file, 0o600);
    } catch (error) {
      throw new UsageError(`The record ${path} cannot be written: ${whyNot(error, 'written')}.`);
    }
    const heading: Heading = { record: MARK, version: VERSION, target, at };
    this.#before = `${ending}${JSON.stringify(heading)}\n`;
  }

  add(seen: Seen): void {
    this.#write(() => `${JSON.stringify(seen)}\n`);
  }

  close(): void {
    this.#write(() => '');
    this.#close();
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** What cannot be written any more ends the record, and nothing else. */
  #write(text: () => string): void {
    if (this.#file === undefined) return;
    try {
      const bytes = Buffer.from(this.#before + text());
      this.#before = '';
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      this.#close();
      this.#trouble(
        `The record ${this.#path} can no longer be written (${whyNot(error, 'written')}); it ends here, and watching goes on.`,
      );
    }
  }
}

/** A heading with the longest URL that anybody gives. */
const mostHeading = 16_384;

/** What has to be written before anything else, so that a line that was cut stays one of its own. Throws UsageError for a file of something else, or of another target. */
function endingOf(path: string, target: string): string {
  try {
    const found = statSync(path);
    const { size } = found;
    if (!found.isFile() && !found.isDirectory()) throw new UsageError(`The record ${path} cannot be written: it is no file.`);
    const file = openSync(path, 'r');
    const bytes = Buffer.alloc(mostHeading);
    const begin = bytes.toString('utf8', 0, readSync(file, bytes, 0, mostHeading, 0)).replace(/^\uFEFF/, '');
    const last = size === 0 ? '' : bytes.toString('utf8', 0, readSync(file, bytes, 0, 1, size - 1));
    closeSync(file);
    if (size === 0) return '';
    if (begin.startsWith(`{"record":"${MARK}"`)) {
      // Of one target each record is, so that its first heading says of which.
      const heading = jsonIn(begin.split('\n', 1)[0] ?? '');
      if (isObject(heading) && heading.target !== target)
        throw new UsageError(
          `The record ${path} is of ${printable(String(heading.target))}, and what passes to ${target} would be judged as if it were the same. Name another with --record.`,
        );
      return last === '\n' ? '' : '\n';
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The record ${path} cannot be written: ${whyNot(error, 'written')}.`);
  }
  throw new UsageError(
    `The file ${path} is there and is no record of this proxy, so that nothing is written to it. Name another with --record.`,
  );
}
