import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Evidence } from '../../openapi/variant/facts-file.ts';
import { clauseTexts } from '../core/contract.ts';
import { operations } from '../core/operations.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonIn } from '../http/json-text.ts';
import type { Names } from '../http/redactor.ts';

/**
 * What those exchanges of a check were like that show what it saw: those of the operations that its clause is about, among which are the ones that
 * several clauses share, and beside a single one, or none, the last, which show what the ones before have prepared.
 */
export function evidenceOf(clause: ClauseName, exchanges: readonly Exchange[], names?: Names): Evidence[] {
  const about = new Set(clauseTexts.get(clause)?.operations);
  // A target's clock is none of the service's operations, and may stand beside them.
  const all = exchanges
    .filter(({ elsewhere, path }) => elsewhere === undefined && /^\/api\//i.test(path))
    .map((exchange): [Evidence, boolean] => {
      const [path = '', query] = exchange.path.split('?');
      const operation = operations.find(({ method, inAnyCase }) => method === exchange.method && inAnyCase.test(path));
      const body = shapes.get(exchange) ?? shapeIn(exchange);
      const like = {
        method: exchange.method,
        path: pathLike(path, query),
        status: exchange.status,
        body: names?.mask(body) ?? body,
      };
      return [like, operation !== undefined && about.has(operation.id)];
    });
  // One that is like an earlier one stands where that stood.
  const distinct = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  const own = distinct.filter(([, isOwn]) => isOwn).slice(-MOST_OWN);
  const others = distinct.filter(([, isOwn]) => !isOwn).slice(Math.min(own.length - LEAST, 0) || distinct.length);
  return distinct.filter((each) => own.includes(each) || others.includes(each)).map(([like]) => like);
}

const LEAST = 2;
const MOST_OWN = 4;

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

/** The contract's path that it is one of, whatever the method, with the names of what stands in its query. */
function pathLike(path: string, query: string | undefined): string {
  const known = operations.find(({ inAnyCase }) => inAnyCase.test(path))?.path;
  const asked = [...new URLSearchParams(query).keys()].filter(isName);
  return (known ?? '/api/…') + (asked.length > 0 ? `?${[...new Set(asked)].join('&')}` : '');
}
