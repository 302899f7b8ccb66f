import type { Reader } from '../../openapi/effective/reader.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { type Operation, operations } from '../core/operations.ts';
import type { ObservedExchange } from '../http/exchange.ts';
import { parseJson } from '../http/json-search.ts';

/** An exchange as a call of an operation, under the contract's own names. */
export interface ParsedCall {
  readonly operation: OperationId;
  /** For messages, such as "GET /api/GiftCard/GetById/{id}". */
  readonly title: string;
  readonly key: string | undefined;
  /** The request may have a key outside of the header x-api-key. */
  readonly hasOtherKey: boolean;
  /** Values of path and query, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** A parameter is repeated, escaped or spelled in a way that services read differently. */
  readonly isAmbiguous: boolean;
  readonly requestBody: BodyKind;
  readonly request: Fields | undefined;
  /** 0 without an answer. */
  readonly status: number;
  readonly contentType: string;
  readonly answerBody: BodyKind;
  /** The answer's body as JSON; undefined if it is not JSON. */
  readonly answer: unknown;
  /** `unknown`: the service may have executed the request. `unsent`: it cannot have received it. */
  readonly outcome: 'accepted' | 'refused' | 'unknown' | 'unsent';
}

export interface Call extends ParsedCall {
  readonly span: Span;
}

/** `unread`: too large, cut off or compressed in an unknown way. */
type BodyKind = 'empty' | 'json' | 'text' | 'unread';

export type Fields = Readonly<Record<string, unknown>>;

export function splitTarget(target: string): [path: string, query: URLSearchParams] {
  const [path = '', ...query] = target.split('?');
  return [path, new URLSearchParams(query.join('?'))];
}

/** The operation of a method and path, and the value in the path; undefined if the contract has none. */
export function findOperation(method: string, path: string): { operation: Operation; value: string } | undefined {
  const operation = operations.find((each) => each.method === method && each.exactly.test(path));
  return operation && { operation, value: path.slice(operation.prefix.length) };
}

/** Undefined for requests that are not an operation of the contract. */
export function parseCall(exchange: ObservedExchange, reader: Reader): ParsedCall | undefined {
  const { method, target, headers, answer } = exchange;
  const [path, query] = splitTarget(target);
  const route = findOperation(method, path);
  if (!route) return undefined;
  const { id } = route.operation;
  const status = answer?.status ?? 0;
  const isAccepted = status >= 200 && status < 300;
  const [requestJson, answerJson] = [parseBody(exchange.body), parseBody(answer?.body)];
  return {
    operation: id,
    title: `${method} ${route.operation.path}`,
    key: headers['x-api-key'] || undefined,
    hasOtherKey: headers.authorization !== undefined || [...query.keys()].some((name) => /key|token/i.test(name)),
    ...parametersOf(route.operation, route.value, query, reader),
    requestBody: bodyKind(exchange.body, requestJson),
    request: fieldsOf(reader.request(id, requestJson)),
    status,
    contentType: answer?.headers['content-type'] ?? '',
    answerBody: answer ? bodyKind(answer.body, answerJson) : 'empty',
    answer: isAccepted ? reader.answer(id, answerJson) : answerJson,
    outcome: exchange.isUnsent ? 'unsent' : isAccepted ? 'accepted' : status >= 400 && status < 500 ? 'refused' : 'unknown',
  };
}

const parseBody = (body: string | undefined): unknown => (body === undefined ? undefined : parseJson(body));

function bodyKind(body: string | undefined, value: unknown): BodyKind {
  if (body === undefined) return 'unread';
  return body.trim() === '' ? 'empty' : value === undefined ? 'text' : 'json';
}

function parametersOf({ id, parameter, query: queryNames }: Operation, value: string, query: URLSearchParams, reader: Reader) {
  const parameters: Record<string, string> = {};
  const segment = parameter === undefined ? undefined : plainSegment(value);
  let isAmbiguous = parameter !== undefined && segment === undefined;
  for (const wireName of new Set(query.keys())) {
    const name = reader.parameter(id, wireName);
    const isOtherSpelling = [...queryNames, parameter].some(
      (each) => each !== name && each?.toLowerCase() === name.toLowerCase(),
    );
    if (query.getAll(wireName).length > 1 || name === parameter || isOtherSpelling) isAmbiguous = true;
    else parameters[name] = query.get(wireName) ?? '';
  }
  if (parameter !== undefined && segment !== undefined) parameters[parameter] = segment;
  return { parameters, isAmbiguous };
}

/** Undefined if services may decode it in different ways. */
function plainSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return /[%+]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Equal for camelCase, PascalCase and snake_case: which spellings a service reads is open. */
export const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** Undefined for anything but a text that is not blank. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

export interface CardNames {
  readonly code: string;
  readonly id: string;
}

/** The code and the id of an object that looks like a card. */
export function cardNamesIn(value: unknown): CardNames | undefined {
  const { code, id } = fieldsOf(value) ?? {};
  const hasId = (typeof id === 'string' && id !== '') || typeof id === 'number';
  return typeof code === 'string' && code !== '' && hasId ? { code, id: String(id) } : undefined;
}

const adjustmentFields = new Set(['adjustmentAmount', 'notes', 'actionedAtUtc', 'uniqueAdjustmentId', 'giftCardCode']);

/** The field that names the card in an adjustment by ID, which the specification does not name: giftCardId, or the only unknown one. */
export function cardFieldIn(request: Fields): string | undefined {
  const names = Object.keys(request).filter((name) => !adjustmentFields.has(name));
  return names.includes('giftCardId') ? 'giftCardId' : names.length === 1 ? names[0] : undefined;
}

export type By = 'code' | 'ID';

export const byOf = ({ operation }: ParsedCall): By => (operation.endsWith('Id') ? 'ID' : 'code');

/** The code or ID of the card that a call names; undefined if it names none, or if services may read it in different ways. */
export function cardNameIn({ operation, parameters, request = {}, isAmbiguous }: ParsedCall): string | undefined {
  if (isAmbiguous) return undefined;
  if (operation === 'addAdjustmentByGiftCardCode') return textIn(request.giftCardCode);
  if (operation !== 'addAdjustmentByGiftCardId') return parameters.code ?? parameters.id ?? parameters.giftCardId;
  const value = request[cardFieldIn(request) ?? ''];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** When an exchange took place, as far as the observer can know. */
export interface Span {
  /** The number of the exchange, from 1. */
  readonly n: number;
  /** Positions in the order in which all requests began and all answers ended. */
  readonly began: number;
  readonly ended: number;
  /** When the request was sent, in milliseconds since 1970, and how long the answer took, in milliseconds. */
  readonly at: number;
  readonly ms: number;
  /** The service's own clock (its Date header), in milliseconds since 1970. */
  readonly clock: number | undefined;
}

/** The first exchange was answered before the other request was sent. */
export const isBefore = (one: Span, other: Span): boolean => one.ended < other.began;

/** The service may have handled either of them first. */
export const overlaps = (one: Span, other: Span): boolean => !isBefore(one, other) && !isBefore(other, one);

/** Milliseconds between the answer to one exchange and the request of the other. */
export const pause = (one: Span, other: Span): number => other.at - (one.at + one.ms);

/** In milliseconds. */
export const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];

/** A request without an answer may still take effect so many milliseconds later. */
export const LATE = MINUTE;

/** How long a service remembers unique values is open, and so is an account's default expiry. Both are assumed to be a day at least, by the service's clock. */
export function isWithinDay(one: Span, other: Span): boolean {
  const [from, to] = one.clock !== undefined && other.clock !== undefined ? [one.clock, other.clock] : [one.at, other.at];
  return to - from < DAY - 60 * MINUTE;
}
