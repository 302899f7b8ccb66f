import type { Evidence } from '../../openapi/facts/facts-file.ts';
import type { Exchange } from '../exchange.ts';
import { jsonIn } from '../json-text.ts';
import type { Names } from '../names.ts';
import { operations } from '../operations.ts';

/** What the last exchanges of a check were like, which are those that show what the ones before have prepared. */
export function evidenceOf(exchanges: readonly Exchange[], names?: Names): Evidence[] {
  const all = exchanges
    .filter(({ elsewhere }) => elsewhere === undefined)
    .map((exchange) => {
      const body = shapes.get(exchange) ?? shapeIn(exchange);
      return { method: exchange.method, path: pathLike(exchange.path), status: exchange.status, body: names?.mask(body) ?? body };
    });
  const distinct = new Map(all.map((each) => [JSON.stringify(each), each]));
  return [...distinct.values()].slice(-MOST);
}

const MOST = 2;

const shapes = new WeakMap<Exchange, string>();

/** Keeps what the body of an exchange was like, of which reports show less. */
export function noteShape(exchange: Exchange, body: string, json: unknown): void {
  shapes.set(exchange, json === undefined ? textual(body) : shapeOf(json));
}

/** Of an exchange that was read from a result file, in whose bodies types stand for what belongs to others. */
function shapeIn({ body }: Exchange): string {
  const json = jsonIn(body);
  return json === undefined ? textual(body) : shapeOf(json, true);
}

const textual = (body: string): string => (body.trim() === '' ? 'empty' : 'text');

/** Names and types of a JSON value, in which a text may be the name of a type already. */
export function shapeOf(json: unknown, isToldPartly = false): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return `[${[...new Set(json.map((each) => shapeOf(each, isToldPartly)))].slice(0, 3).join(' | ')}]`;
  if (isToldPartly && types.has(json)) return String(json);
  if (typeof json !== 'object') return typeof json;
  const told = Object.entries(json).map(([name, value]) => `${isName(name) ? name : '«name»'}: ${shapeOf(value, isToldPartly)}`);
  return `{${[...new Set(told)].join(', ')}}`;
}

const types = new Set<unknown>(['string', 'number', 'boolean']);

/** What is no name of a property may be a value in the place of one. */
const isName = (name: string): boolean => /^[A-Za-z_$][\w$.-]{0,59}$/.test(name) && !/\d{3}/.test(name);

/** The contract's path that it is one of, with the names of what stands in its query. */
function pathLike(path: string): string {
  const [own = '', query] = path.split('?');
  const known = operations.find(({ inAnyCase }) => inAnyCase.test(own))?.path;
  const asked = [...new URLSearchParams(query).keys()].filter(isName);
  return (known ?? '/api/…') + (asked.length > 0 ? `?${[...new Set(asked)].join('&')}` : '');
}
