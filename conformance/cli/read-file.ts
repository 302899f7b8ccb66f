import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { whyNot } from '../../openapi/input/why-not.ts';
import { placeOfFault } from '../http/json-place.ts';
import { UsageError } from './usage-error.ts';

/** The text of a file that somebody has named; `what` is how messages call such files. Throws UsageError where it cannot be read. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be read: ${whyNot(error, 'read')}.`);
  }
}

/** The same as JSON. Throws UsageError for what is none, with its place and nothing of the text, which may hold keys. */
export function readJson(file: string, what: string): unknown {
  const text = readText(file, what);
  const fault = placeOfFault(text);
  if (fault) throw new UsageError(`The ${what} ${file} is no JSON from line ${fault.line}, column ${fault.column}, on.`);
  return JSON.parse(text);
}

/** Throws UsageError where a file could not be written after a run. */
export function mayWrite(file: string, what: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be written: ${whyNot(error, 'written')}. Nothing was sent.`);
  }
}
