import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { repeatedName } from './repeated-name.ts';
import { whyNot } from './why-not.ts';

/** The way to a value inside what was read: property names and positions. */
export type Path = readonly (string | number)[];

/** Where in a text something stands: the line of a place, counted from 1, where it is known. */
export type LineOf = (path: Path) => number | undefined;

/** What is thrown for what cannot be used, which depends on what it is read for. */
type Unusable = new (problems: readonly string[]) => Error;

/** The text of a file; `what` is how messages call such files. Throws what `Unusable` makes for a file that cannot be read. */
export async function textOf(path: string, what: string, Unusable: Unusable): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new Unusable([`The ${what} ${path} cannot be read: ${whyNot(error, 'read')}.`]);
  }
  if (!isUtf8(bytes)) throw new Unusable([`The ${what} ${path} is no text in UTF-8; save it in that encoding.`]);
  return bytes.toString('utf8');
}

/**
 * The value of a text of YAML or JSON; `name` is what messages call it. JSON is YAML, so that one parser would do; but it is slow to load, and JSON
 * that is right does not need it.
 */
export async function parsed(text: string, name: string, Unusable: Unusable): Promise<{ value: unknown; lineOf: LineOf }> {
  const isLikeJson = /^\s*\{/.test(text);
  if (isLikeJson) {
    const value = jsonOf(text);
    const twice = value === undefined ? undefined : repeatedName(text);
    if (twice) throw new Unusable([`${name}, line ${twice.line}: "${twice.name}" stands there before; leave one of them out.`]);
    if (value !== undefined) return { value, lineOf: () => undefined };
    // The YAML parser below knows better where it goes wrong, and takes comments and trailing commas.
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

/** In our words where the parser's are for those who program with it, or for those who know its grammar. */
function whatIsWrong({ code, message }: { readonly code: string; readonly message: string }, isLikeJson: boolean): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; leave it out, with the line of hyphens before it.';
  if (code === 'DUPLICATE_KEY') return 'a name stands here that stands there before; leave one of them out.';
  if (isLikeJson) return 'it cannot be read on from here; look for a comma, a quote or a bracket that is missing or too many.';
  const [sentence = ''] = message.split('\n');
  return `${sentence.replace(/ at line.*$/, '').replace(/^Missing closing (["'])quote$/, 'a closing $1 is missing')}.`;
}
