import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { repeatedName } from './repeated-name.ts';
import { whyNot } from './why-not.ts';

/** The path of a value in a document: property names and positions. */
export type Path = readonly (string | number)[];

/** The line of a path, from 1, if it is known. */
export type LineOf = (path: Path) => number | undefined;

/** The error class for input that cannot be used. */
type Unusable = new (problems: readonly string[]) => Error;

/** The text of a file. `what` is the kind of file in messages. Throws `Unusable` if the file cannot be read. */
export async function textOf(path: string, what: string, Unusable: Unusable): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new Unusable([`The ${what} ${path} cannot be read: ${whyNot(error, 'read')}.`]);
  }
  if (!isUtf8(bytes)) throw new Unusable([`The ${what} ${path} is not UTF-8 text; save it in that encoding.`]);
  return bytes.toString('utf8');
}

/**
 * The value of a text of YAML or JSON; `name` is its name in messages. The YAML parser reads JSON, too, but it is slow to load, so valid JSON does not
 * use it.
 */
export async function parsed(text: string, name: string, Unusable: Unusable): Promise<{ value: unknown; lineOf: LineOf }> {
  const isLikeJson = /^\s*\{/.test(text);
  if (isLikeJson) {
    const value = jsonOf(text);
    const twice = value === undefined ? undefined : repeatedName(text);
    if (twice) throw new Unusable([`${name}, line ${twice.line}: "${twice.name}" is repeated; remove one of them.`]);
    if (value !== undefined) return { value, lineOf: () => undefined };
    // The YAML parser finds the place of an error, and accepts comments and trailing commas.
  }
  const { document, lineOf } = await documentOf(text);
  const error = document.errors[0];
  if (error) throw new Unusable([`${name}, line ${error.linePos?.[0].line ?? 1}: ${whatIsWrong(error, isLikeJson)}`]);
  try {
    return { value: document.toJS(), lineOf };
  } catch (problem) {
    throw new Unusable([`${name}: ${(problem as Error).message}.`]);
  }
}

/** The lines of a text of YAML or JSON. */
export async function linesOf(text: string): Promise<LineOf> {
  return (await documentOf(text)).lineOf;
}

async function documentOf(text: string) {
  const { LineCounter, isNode, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const lineOf = (path: Path) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
  return { document, lineOf };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The parser's error in plain words: its own messages are for people who know its grammar. */
function whatIsWrong({ code, message }: { readonly code: string; readonly message: string }, isLikeJson: boolean): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; remove it and the line of hyphens before it.';
  if (code === 'DUPLICATE_KEY') return 'this name is repeated; remove one of them.';
  if (isLikeJson) return 'it is not valid JSON from here on; look for a missing or extra comma, quote or bracket.';
  const [sentence = ''] = message.split('\n');
  return `${sentence.replace(/ at line.*$/, '').replace(/^Missing closing (["'])quote$/, 'a closing $1 is missing')}.`;
}
