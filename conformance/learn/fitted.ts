import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { isObject, type JsonObject } from '../../openapi/document.ts';
import type { FactsFile } from './file.ts';

/** A text of YAML changed into one that says these facts, with its comments and its order where they were. */
export function fitted(text: string, facts: FactsFile): string {
  const document = parseDocument(text, { merge: true });
  if (isMap(document.contents)) {
    // What was begun as {} has room for one line only.
    if (document.contents.items.length === 0) document.contents.flow = false;
    fitMap(document, document.contents, facts as unknown as JsonObject);
  }
  return document.toString({ lineWidth: 0 });
}

/** Rows and exchanges stand in a line each. */
export function inLines(node: unknown): void {
  if (isSeq(node)) for (const item of node.items) if (isMap(item)) item.flow = true;
  if (isMap(node)) for (const { value } of node.items) inLines(value);
}

/** What is no part of the facts, or brings parts of theirs from elsewhere in the text. */
const others = new Set(['$schema', '<<']);

function fitMap(document: Document, map: YAMLMap, wanted: JsonObject): void {
  for (const pair of [...map.items]) if (!Object.hasOwn(wanted, nameOf(pair)) && !others.has(nameOf(pair))) takeOut(map, pair);
  let last: number | undefined;
  for (const [name, value] of Object.entries(wanted)) {
    const at = map.items.findIndex((pair) => nameOf(pair) === name);
    const pair = map.items[at];
    if (pair) {
      fitValue(document, pair, value);
      last = at;
    } else {
      // Behind what comes before it elsewhere, too; never first, where the comments of the whole stand.
      last = last === undefined ? map.items.length : last + 1;
      map.items.splice(last, 0, newPair(document, name, value));
    }
  }
}

const nameOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

function newPair(document: Document, name: string, value: unknown): Pair {
  const pair = document.createPair(name, value, { aliasDuplicateObjects: false });
  inLines(pair.value);
  return pair as Pair;
}

function fitValue(document: Document, pair: Pair, wanted: unknown): void {
  const { value } = pair;
  if (isMap(value) && isObject(wanted)) fitMap(document, value, wanted);
  else if (isSeq(value) && Array.isArray(wanted)) fitList(document, value, wanted);
  else if (isScalar(value) && !isObject(wanted) && !Array.isArray(wanted)) {
    // YAML reads 409 and true as what they look like.
    if (String(value.value) !== String(wanted)) value.value = wanted;
  } else pair.value = newPair(document, '', wanted).value;
}

/** Items that stay keep the comments that stand with them. */
function fitList(document: Document, list: YAMLSeq, wanted: readonly unknown[]): void {
  const had = list.items.map((item) => ({ item, says: plain(document, item) }));
  const kept = (one: unknown) => had.find(({ says }) => isDeepStrictEqual(says, one))?.item;
  list.items = wanted.map((each) => kept(each) ?? document.createNode(each));
  inLines(list);
  const gone = had.flatMap(({ item }) => (list.items.includes(item) || !isNode(item) ? [] : [item.commentBefore]));
  list.comment = joined([list.comment, ...gone]);
}

const plain = (document: Document, item: unknown): unknown => (isNode(item) ? item.toJS(document) : item);

/** What stands above it may be about what follows as well. */
function takeOut(map: YAMLMap, pair: Pair): void {
  const at = map.items.indexOf(pair);
  const comment = isScalar(pair.key) ? pair.key.commentBefore : undefined;
  map.items.splice(at, 1);
  if (!comment) return;
  const next = map.items[at]?.key;
  if (isScalar(next)) next.commentBefore = joined([comment, next.commentBefore]);
  else map.comment = joined([map.comment, comment]);
}

const joined = (comments: readonly (string | null | undefined)[]): string | null => comments.filter(Boolean).join('\n') || null;
