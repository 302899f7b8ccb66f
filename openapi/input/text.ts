import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { Path } from '../document.ts';
import { DEEPEST, isDeeperThan } from './depth.ts';
import { whyNot } from './why-not.ts';

/** Returns the line of the value at a path, counted from 1. If the line is unknown, returns undefined. */
export type LineOf = (path: Path) => number | undefined;

type ErrorOfProblems = new (problems: readonly string[]) => Error;

/** Returns the text of a file. `what` is the kind of file in messages. Throws `Unusable` if the file cannot be read. */
export async function textOf(path: string, what: string, Unusable: ErrorOfProblems): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new Unusable([`The ${what} ${path} cannot be read: ${whyNot(error, 'read')}.`]);
  }
  if (!isUtf8(bytes)) throw new Unusable([`The ${what} ${path} is not UTF-8 text; save the file as UTF-8.`]);
  return bytes.toString('utf8');
}

/** Returns the value of a YAML or JSON text. `name` is the name of the text in messages. Throws `Unusable` for an invalid text. */
export async function parsed(text: string, name: string, Unusable: ErrorOfProblems): Promise<unknown> {
  // The YAML parser reads JSON, too, but it is slow to load.
  const json = /^\s*\{/.test(text) ? jsonOf(text) : undefined;
  const value = json ?? (await yamlOf(text, name, Unusable));
  if (isDeeperThan(DEEPEST, value)) throw new Unusable([`${name} is nested deeper than ${DEEPEST} levels.`]);
  return value;
}

async function yamlOf(text: string, name: string, Unusable: ErrorOfProblems): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { merge: true });
  const [error] = document.errors;
  const why = error?.message.includes('call stack')
    ? 'it is nested too deeply to be read'
    : error?.message.split(' at line', 1)[0];
  if (error) throw new Unusable([`${name}, line ${error.linePos?.[0].line ?? 1}: ${why}.`]);
  try {
    return document.toJS();
  } catch (problem) {
    throw new Unusable([`${name}: ${(problem as Error).message}.`]);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON escapes of characters, such as \u202e. */
export function jsonEscapes(characters: string): string {
  return characters.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns JSON in which no text controls a terminal or changes the direction of reading. */
export function terminalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, jsonEscapes);
}

/** Returns a function that finds the line of a value in a YAML or JSON text. */
export async function linesOf(text: string): Promise<LineOf> {
  const { LineCounter, isNode, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
}
