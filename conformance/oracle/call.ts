import type { Reader } from '../../openapi/effective/reader.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { type EndpointOperation, serviceOperations } from '../core/operations.ts';
import type { ObservedExchange } from '../http/exchange.ts';
import { parseJson } from '../http/json-search.ts';

/** An exchange, parsed as a call of an operation. Fields and parameters have their names in the contract, even if the service uses other names. */
export interface ParsedCall {
  readonly operation: OperationId;
  /** Method and path: "GET /api/GiftCard/GetById/{id}". */
  readonly title: string;
  readonly key: string | undefined;
  /** True if the request may have a key outside the header x-api-key. */
  readonly hasOtherKey: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  /** True if services may read a parameter differently, because the parameter is repeated, escaped or misspelled. */
  readonly isAmbiguous: boolean;
  readonly requestBody: BodyKind;
  readonly request: Fields | undefined;
  /** Status of the response, or 0 without a response. */
  readonly status: number;
  readonly contentType: string;
  readonly responseBody: BodyKind;
  /** The JSON value of the response; undefined if the body is not JSON. */
  readonly response: unknown;
  /** `unknown`: the service may have executed the request. `unsent`: the service cannot have received the request. */
  readonly outcome: 'accepted' | 'refused' | 'unknown' | 'unsent';
}

export interface ObservedCall extends ParsedCall {
  readonly span: Span;
}

/** An `unread` body is too large, cut off or compressed in an unknown way. */
type BodyKind = 'empty' | 'json' | 'text' | 'unread';

export type Fields = Readonly<Record<string, unknown>>;

export function splitTarget(target: string): [path: string, query: URLSearchParams] {
  const [path = '', ...query] = target.split('?');
  return [path, new URLSearchParams(query.join('?'))];
}

export function findOperation(method: string, path: string): { operation: EndpointOperation; value: string } | undefined {
  const operation = serviceOperations.find((each) => each.method === method && each.exactly.test(path));
  return operation && { operation, value: path.slice(operation.prefix.length) };
}

export function parseCall(exchange: ObservedExchange, reader: Reader): ParsedCall | undefined {
  const { method, target, headers, response } = exchange;
  const [path, query] = splitTarget(target);
  const route = findOperation(method, path);
  if (!route) return undefined;
  const { id } = route.operation;
  const status = response?.status ?? 0;
  const isAccepted = status >= 200 && status < 300;
  const [requestJson, responseJson] = [parseBody(exchange.body), parseBody(response?.body)];
  return {
    operation: id,
    title: `${method} ${route.operation.path}`,
    key: headers['x-api-key'] || undefined,
    hasOtherKey: headers.authorization !== undefined || [...query.keys()].some((name) => /key|token/i.test(name)),
    ...parametersOf(route.operation, route.value, query, reader),
    requestBody: bodyKind(exchange.body, requestJson),
    request: fieldsOf(reader.request(id, requestJson)),
    status,
    contentType: response?.headers['content-type'] ?? '',
    responseBody: response ? bodyKind(response.body, responseJson) : 'empty',
    response: isAccepted ? reader.response(id, responseJson) : responseJson,
    outcome: exchange.isUnsent ? 'unsent' : isAccepted ? 'accepted' : status >= 400 && status < 500 ? 'refused' : 'unknown',
  };
}

const parseBody = (body: string | undefined): unknown => (body === undefined ? undefined : parseJson(body));

function bodyKind(body: string | undefined, value: unknown): BodyKind {
  if (body === undefined) return 'unread';
  return body.trim() === '' ? 'empty' : value === undefined ? 'text' : 'json';
}

function parametersOf(
  { id, parameter, query: queryNames }: EndpointOperation,
  value: string,
  query: URLSearchParams,
  reader: Reader,
) {
  const parameters: Record<string, string> = {};
  const segment = parameter === undefined ? undefined : plainSegment(value);
  let isAmbiguous = parameter !== undefined && segment === undefined;
  for (const wireName of new Set(query.keys())) {
    const name = reader.parameter(id, wireName);
    const isLike = (other?: string) => other !== name && other?.toLowerCase() === name.toLowerCase();
    const hasOtherSpelling = [...queryNames, parameter].some(isLike);
    if (query.getAll(wireName).length > 1 || name === parameter || hasOtherSpelling) isAmbiguous = true;
    else parameters[name] = query.get(wireName) ?? '';
  }
  if (parameter !== undefined && segment !== undefined) parameters[parameter] = segment;
  return { parameters, isAmbiguous };
}

/** Decodes a segment of a path. Returns undefined if services may decode the segment in different ways. */
function plainSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return /[%+]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns the same text for the camelCase, PascalCase and snake_case spellings of a name. A service may accept any of these spellings. */
export const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** Returns the value if it is a text that is not blank. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

export interface CardNames {
  readonly code: string;
  readonly id: string;
}

export function cardNamesIn(value: unknown): CardNames | undefined {
  const { code, id } = fieldsOf(value) ?? {};
  const hasId = (typeof id === 'string' && id !== '') || typeof id === 'number';
  return typeof code === 'string' && code !== '' && hasId ? { code, id: String(id) } : undefined;
}

const adjustmentFields = new Set(['adjustmentAmount', 'notes', 'actionedAtUtc', 'uniqueAdjustmentId', 'giftCardCode']);

/** Returns the name of the field that has the card's ID: giftCardId, or the only unknown field. The specification does not name this field. */
export function cardFieldIn(request: Fields): string | undefined {
  const names = Object.keys(request).filter((name) => !adjustmentFields.has(name));
  return names.includes('giftCardId') ? 'giftCardId' : names.length === 1 ? names[0] : undefined;
}

export type By = 'code' | 'ID';

export const byOf = ({ operation }: ParsedCall): By => (operation.endsWith('Id') ? 'ID' : 'code');

/** Returns the code or ID in a call. Returns undefined if services may read the code or ID in different ways. */
export function cardNameIn({ operation, parameters, request = {}, isAmbiguous }: ParsedCall): string | undefined {
  if (isAmbiguous) return undefined;
  if (operation === 'addAdjustmentByGiftCardCode') return textIn(request.giftCardCode);
  if (operation !== 'addAdjustmentByGiftCardId') return parameters.code ?? parameters.id ?? parameters.giftCardId;
  const value = request[cardFieldIn(request) ?? ''];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The position and time of an exchange, as its observer saw them. */
export interface Span {
  /** The number of the exchange, from 1. */
  readonly n: number;
  /** Positions of the request and of the response, in the order of all requests and responses. */
  readonly began: number;
  readonly ended: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds from the request to the end of the response. */
  readonly ms: number;
  /** The Date header of the response, in milliseconds since 1970. */
  readonly clock: number | undefined;
}

/** Reports whether one exchange had its response before the other request was sent. */
export const isBefore = (one: Span, other: Span): boolean => one.ended < other.began;

/** Reports whether the service may have executed either request first. */
export const overlaps = (one: Span, other: Span): boolean => !isBefore(one, other) && !isBefore(other, one);

/** Returns the milliseconds from the response of one exchange to the request of the other. */
export const timeBetween = (one: Span, other: Span): number => other.at - (one.at + one.ms);

/** Durations in milliseconds. */
export const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];

/** Milliseconds. The oracle assumes that a request without a response takes effect within this time, or never. */
export const LATE = MINUTE;

/** Reports whether less than a day passed on the service's clock, with a tolerance of an hour. The oracle assumes that unique values and the default expiry last a day. */
export function isWithinDay(one: Span, other: Span): boolean {
  const [from, to] = one.clock !== undefined && other.clock !== undefined ? [one.clock, other.clock] : [one.at, other.at];
  return to - from < DAY - 60 * MINUTE;
}
