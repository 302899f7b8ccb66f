import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ParseError, parseTree } from 'jsonc-parser';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';

/** The text of a file that the user named. `what` is its kind in messages. Throws UsageError if it cannot be read. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be read: ${whyNot(error, 'read')}.`);
  }
}

/** The JSON of a file. Throws UsageError with the position if it is not JSON; the text is not quoted, because it may contain keys. */
export function readJson(file: string, what: string): unknown {
  const text = readText(file, what);
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (!error) return JSON.parse(text);
  const lines = text.slice(0, error.offset).split('\n');
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  throw new UsageError(`The ${what} ${file} is not JSON: ${place}.`);
}

/** Throws UsageError if a file could not be written after the run. */
export function mayWrite(file: string, what: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be written: ${whyNot(error, 'written')}. Nothing was sent.`);
  }
}

/** Creates a folder and its parents. Not with `recursive`: below /proc, Node 20 retries that without end. */
export function makeFolder(path: string, mode = 0o777): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  makeFolder(dirname(resolve(path)), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder()) throw error;
  }
}
