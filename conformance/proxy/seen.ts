import { isObject } from '../../openapi/document.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { type Operation, operations } from '../core/operations.ts';
import { decompress } from '../http/decompress.ts';
import { jsonIn } from '../http/json-text.ts';
import { instantOf } from '../http/structure.ts';
import { cardFieldIn, findOperation } from './operations.ts';
import type { Bytes, Headers, Lost, Passed } from './passed.ts';
import type { Veil } from './pseudonymizer.ts';

/** An exchange as it is judged and kept: nothing in it that must not be read. As JSON it is a line of a record. */
export interface Seen {
  /** Its number, in the order in which exchanges end. */
  readonly n: number;
  readonly began: number;
  readonly ended: number;
  readonly at: number;
  readonly ms: number;
  readonly method: string;
  /** As people read it. */
  readonly path: string;
  /** Whether it is a request to the service: all of those are under /api/. */
  readonly own: boolean;
  readonly operation?: OperationId;
  /** The path is the document's but for letter case or a slash at its end. */
  readonly nearly?: true;
  /** The path is the document's, and the method is not. */
  readonly otherMethod?: true;
  /** Path and query by the names of the wire; a value that can be read in several ways is left out, and so is one that is given twice. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly doubtful?: true;
  /** The key, by a name; none where the header is missing. */
  readonly key?: string;
  /** Something that may be a key stands elsewhere than in its header. */
  readonly otherKey?: true;
  readonly body: Body;
  readonly status?: number;
  readonly type?: string;
  /** By the clock of the target, as its Date header has it, in milliseconds. */
  readonly clock?: number;
  readonly answer: Body;
  readonly lost?: Lost;
}

/**
 * A body by what it is: nothing, JSON, a text (whether it says anything), what was too large or too deep to be judged, what is packed in a way that is not known here, or a
 * request's that was answered before it had come.
 */
export type Body =
  | { readonly is: (typeof wordless)[number] }
  | { readonly is: 'json'; readonly json: unknown; readonly size: number };

export const wordless = ['empty', 'blank', 'text', 'too large', 'packed', 'cut'] as const;

/** Nobody here knows what it says. */
export const isUnread = ({ is }: Body): boolean => is === 'too large' || is === 'packed' || is === 'cut';

export const jsonOf = (body: Body): unknown => (body.is === 'json' ? body.json : undefined);

/** What passed, as it may be read. */
export function seenIn(passed: Passed, n: number, veil: Veil): Seen {
  const { began, ended, at, ms, method, headers, answer, lost } = passed;
  const [path = '', ...query] = passed.target.split('?');
  const search = new URLSearchParams(query.join('?'));
  const found = findOperation(method, path);
  const operation = 'operation' in found ? found.operation : undefined;
  const key = veil.key(headers.get('x-api-key'));
  const otherKey = headers.has('authorization') || [...search.keys()].some((name) => /key|token/i.test(name));
  const { values, doubtful } = parametersOf(operation, 'named' in found ? found.named : undefined, search, veil);
  const status = lost ? undefined : answer?.status;
  const clock = Date.parse(answer?.headers.get('date') ?? '');
  return {
    n,
    began,
    ended,
    at,
    ms,
    method: /^[A-Z]{1,12}$/.test(method) ? method : 'OTHER',
    path: operation ? operation.prefix + (operation.parameter ? `{${operation.parameter}}` : '') : unknownPath(path),
    own: /^\/api\//i.test(path),
    ...(operation ? { operation: operation.id } : {}),
    ...('exactly' in found && !found.exactly ? { nearly: true as const } : {}),
    ...('known' in found && found.known ? { otherMethod: true as const } : {}),
    parameters: values,
    ...(doubtful ? { doubtful: true as const } : {}),
    ...(key === undefined ? {} : { key }),
    ...(otherKey ? { otherKey: true as const } : {}),
    body: bodyOf(passed.body, headers, (json) =>
      operation?.id === 'addAdjustmentByGiftCardId' ? adjustmentById(json, veil) : veil.json(json),
    ),
    ...(status === undefined ? {} : { status }),
    ...(answer?.headers.has('content-type')
      ? { type: (answer.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase().slice(0, 60) ?? '' }
      : {}),
    ...(Number.isNaN(clock) ? {} : { clock }),
    answer: answer && !lost ? bodyOf(answer.body, answer.headers, (json) => veil.json(json)) : { is: 'empty' },
    ...(lost ? { lost } : {}),
  };
}

/** Words that the contract has; what else stands in a path may be a code. */
function unknownPath(path: string): string {
  return path
    .slice(0, 200)
    .split('/')
    .map((segment) => (pathWords.has(segment) || /^v\d{1,2}$/.test(segment) ? segment : '…'))
    .join('/');
}

const pathWords = new Set(['__mock', ...operations.flatMap(({ prefix }) => prefix.split('/'))]);

function parametersOf(operation: Operation | undefined, named: string | undefined, search: URLSearchParams, veil: Veil) {
  const values: Record<string, string> = {};
  let doubtful = false;
  if (operation?.parameter !== undefined && named !== undefined) {
    // How a path is read that holds escapes is open; a blank or a slash as an escape is read by everybody alike.
    const plain = plainSegment(named);
    if (plain === undefined) doubtful = true;
    else values[operation.parameter] = operation.parameter === 'code' ? veil.code(plain) : veil.text(plain, operation.parameter);
  }
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name);
    // Which of the two is meant where the path has a parameter of that name, nobody knows.
    if (all.length > 1 || name.toLowerCase() === operation?.parameter?.toLowerCase()) doubtful = true;
    // Whether another letter case is the same parameter is open.
    else if (operation?.query.some((known) => known !== name && known.toLowerCase() === name.toLowerCase())) doubtful = true;
    else values[veil.name(name)] = valueIn(operation, name, all[0] ?? '', veil);
  }
  return { values, doubtful };
}

/** In the place of a date that is not written as ISO 8601 has one with a time, which is a date all the same. */
export const otherDate = 'date';
const isOtherDate = (text: string) =>
  instantOf(text) === undefined && /\d/.test(text) && /^(?:\d+|[TZ]|[A-Z]{3}|[\s:.,/+-])+$/i.test(text) && text.length <= 40;

function valueIn(operation: Operation | undefined, name: string, value: string, veil: Veil): string {
  const isPlain =
    operation?.id === 'listGiftCards' &&
    ((/^page(Size|Number)$/i.test(name) && /^[+-]?\d{1,6}$/.test(value)) ||
      (/^includeAll$/i.test(name) && /^(true|false|yes|no|on|off|[01])$/i.test(value)));
  if (operation?.id === 'listGiftCards' && /^since$/i.test(name) && isOtherDate(value)) return otherDate;
  return isPlain ? value : veil.text(value, name);
}

function plainSegment(segment: string): string | undefined {
  if (/^[\w.~-]+$/.test(segment)) return segment;
  try {
    const read = decodeURIComponent(segment);
    return /[%+]/.test(read) || /\+/.test(segment) ? undefined : read;
  } catch {
    return undefined;
  }
}

/** What names the card is an ID, whatever it is called. */
function adjustmentById(json: unknown, veil: Veil): unknown {
  const veiled = veil.json(json);
  if (!isObject(json) || !isObject(veiled) || json.adjustmentAmount === undefined) return veiled;
  const name = cardFieldIn(json);
  return name === undefined ? veiled : { ...veiled, [veil.name(name)]: veil.json(json[name], 'id') };
}

const mostUnpacked = 32 * 1_048_576;

function bodyOf(bytes: Bytes, headers: Headers, veiled: (json: unknown) => unknown): Body {
  if (typeof bytes === 'string') return { is: bytes };
  if (bytes.length === 0) return { is: 'empty' };
  const encoding = headers.get('content-encoding') ?? '';
  const plain = decompress(bytes, encoding, mostUnpacked);
  if (plain === undefined) return { is: 'too large' };
  const isPacked = plain === bytes && !/^\s*(identity\s*)?$/i.test(encoding);
  const text = new TextDecoder().decode(plain);
  if (text.trim() === '') return { is: 'blank' };
  const json = jsonIn(text);
  if (json === undefined) return { is: isPacked ? 'packed' : 'text' };
  return isTooDeep(json) ? { is: 'too large' } : { is: 'json', json: veiled(json), size: plain.length };
}

/** Levels of JSON within each other; whoever judges calls himself once for each. */
const mostLevels = 200;

/** Whether so much stands within each other that it is not judged. */
export function isTooDeep(json: unknown): boolean {
  let level = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
