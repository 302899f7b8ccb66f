import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ParseError, parseTree } from 'jsonc-parser';
import { whyNot } from '../openapi/input/why-not.ts';
import { UsageError } from './usage-error.ts';

/** Returns the text of a file that the user named. `what` names the kind of file in messages. Throws UsageError if the file cannot be read. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be read: ${whyNot(error, 'read')}.`);
  }
}

/** Returns the JSON of a file. The UsageError for invalid JSON shows only the position, because the text may contain keys. */
export function readJson(file: string, what: string): unknown {
  const text = readText(file, what);
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, { disallowComments: true });
  } catch {
    throw new UsageError(`The ${what} ${file} is nested too deeply to be read.`); // The parser has exceeded the stack.
  }
  const [error] = errors;
  if (!error) return JSON.parse(text);
  const lines = text.slice(0, error.offset).split('\n');
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  throw new UsageError(`The ${what} ${file} is not JSON: ${place}.`);
}

/** Throws UsageError if a file cannot be written. Commands call this function before the run, because a later failure would lose the result. */
export function mayWrite(file: string, what: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be written: ${whyNot(error, 'written')}. Nothing was sent.`);
  }
}

/** Creates a folder and its parents. Does not use the option `recursive`, because Node 20 then never returns for a path that starts with /proc/. */
export function makeFolder(path: string, mode = 0o777): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  makeFolder(dirname(resolve(path)), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (!isFolder()) throw error;
  }
}
