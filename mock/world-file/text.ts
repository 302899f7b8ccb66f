import { readFile } from 'node:fs/promises';
import type { UnusableInput } from '../unusable-input.ts';
import type { Path } from './places.ts';

/** Where in a text something stands: the line of a place, counted from 1, where it is known. */
export type LineOf = (path: Path) => number | undefined;

/** What is thrown for what cannot be used, which depends on what it is read for. */
type Unusable = new (problems: readonly string[]) => UnusableInput;

/** The text of a file; `what` is how messages call such files. Throws what `Unusable` makes for a file that cannot be read. */
export async function textOf(path: string, what: string, Unusable: Unusable): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : (error as Error).message;
    throw new Unusable([`The ${what} ${path} cannot be read: ${why}.`]);
  }
}

/**
 * The value of a text of YAML or JSON; `name` is what messages call it. JSON is YAML, so that one parser would do; but it is slow to load, and JSON
 * that is right does not need it.
 */
export async function parsed(text: string, name: string, Unusable: Unusable): Promise<{ value: unknown; lineOf: LineOf }> {
  if (/^\s*\{/.test(text)) {
    try {
      return { value: JSON.parse(text), lineOf: () => undefined };
    } catch {
      // The YAML parser below says better what is wrong, and takes comments and trailing commas.
    }
  }
  const { LineCounter, isNode, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const error = document.errors[0];
  if (error)
    throw new Unusable([
      `${name}, line ${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]?.replace(/ at line.*$/, '')}.`,
    ]);
  const lineOf = (path: Path) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
  try {
    return { value: document.toJS(), lineOf };
  } catch (problem) {
    throw new Unusable([`${name}: ${(problem as Error).message}.`]);
  }
}
