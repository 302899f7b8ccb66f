import type { Ask } from '../http/exchange.ts';
import type { JsonText } from './input-values.ts';

/** A correct request of an operation, which odd requests change. */
export interface BaseRequest {
  readonly method: Ask['method'];
  /** Without the segment that names a record. */
  readonly path: string;
  /** Names the record, percent-encoded. */
  readonly segment?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A value of this run that no record has, for places that name a record. */
  readonly ownValue: string;
}

/** One way to make a base request odd. */
export interface OddRequest {
  readonly description: string;
  /** The changed property of the body. */
  readonly field?: string;
  /** What the request creates cannot be found by the values of this run. */
  readonly isUnmarked?: boolean;
  write(base: BaseRequest): Ask;
  /** Similar requests with a shorter text. */
  shorter?(): OddRequest[];
}

/** The base request, with some of its parts replaced. */
export function written(base: BaseRequest, replaced: Partial<Ask> & { segment?: string; search?: string } = {}): Ask {
  const { segment = base.segment, search = new URLSearchParams(base.query).toString(), ...ask } = replaced;
  const { method, path, body } = base;
  const target = path + (segment === undefined ? '' : `/${segment}`) + (search === '' ? '' : `?${search}`);
  const hasNoBody = body === undefined || ask.method === 'GET' || ask.method === 'HEAD';
  return { method, path: target, ...(hasNoBody ? {} : { text: JSON.stringify(body) }), odd: true, ...ask };
}

export const jsonText = (entries: readonly (readonly [string, JsonText])[]): JsonText =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

export const entriesOf = ({ body = {} }: BaseRequest): [string, JsonText][] =>
  Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, JSON.stringify(value)]]));
