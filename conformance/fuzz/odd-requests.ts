import fc, { type Arbitrary } from 'fast-check';
import type { EndpointOperation } from '../core/operations.ts';
import { excerpt } from '../core/text.ts';
import type { TargetRequest } from '../safety/effects.ts';
import { anyEncodedText, anyValue, type JsonText, nestedJson, oddQueryValues, oddSegments, oddValues } from './odd-values.ts';

/** The parts of a correct request. An odd request changes one part. */
export interface BaseRequest {
  /** The last segment of the path, percent-encoded. The segment names a record. */
  readonly segment?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A value that no record has. An odd request uses this value as the name of a record, so the request affects no existing record. */
  readonly ownValue: string;
}

/** A correct request with one change. */
export interface OddRequest {
  readonly description: string;
  /** The changed property of the body. */
  readonly field?: string;
  /** True if the request omits the values by which cleanup recognizes the records of this run. */
  readonly isUnmarked?: boolean;
  /** Returns the parts that replace those of the correct request. */
  parts(base: BaseRequest): Parts;
  shorter?(): OddRequest[];
}

export interface InputLimits {
  readonly allowsLargeAmounts: boolean;
  /** Allows paths that may name any record. */
  readonly allowsAnyRecord: boolean;
  /** Allows requests that omit the values by which cleanup recognizes the records of this run. */
  readonly allowsUnmarked: boolean;
}

type Sample = <T>(values: Arbitrary<T>, count: number) => T[];

/** Returns the odd requests of an operation. `body` has the names of the body's properties. The same seed gives the same requests. */
export function oddRequests(
  operation: EndpointOperation,
  body: readonly string[],
  limits: InputLimits,
  seed: number,
): OddRequest[] {
  const { query, method } = operation;
  const hasSegment = operation.parameter !== undefined;
  const sample: Sample = (values, numRuns) => fc.sample(values, { seed, numRuns });
  const valuesOf = (name: string) => [...oddValues(name, limits.allowsLargeAmounts), ...sample(anyValue, 4)];
  const queryValuesOf = (name: string) => [...oddQueryValues(name), ...sample(anyEncodedText, 4)];
  const segments = hasSegment ? [...oddSegments, ...sample(anyEncodedText, 6)] : [];
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  return [
    ...body.flatMap((name) => valuesOf(name).map((value) => withValue(name, value, limits))),
    ...(body.length > 0 ? oddStructures(body) : []),
    ...(body.length > 0 && limits.allowsUnmarked ? withStrangeBodies(sample) : []),
    ...query.flatMap((name) => queryValuesOf(name).map((value) => withQueryValue(name, value))),
    ...oddQueries(query).map((search) => odd(`the query ?${excerpt(search, 60)}`, () => ({ search }))),
    // A segment that starts with a value of this run names no record.
    ...segments.map((segment) =>
      odd(`${excerpt(segment, 60)} in the path`, ({ ownValue }) => ({
        segment: limits.allowsAnyRecord ? segment : `${ownValue}${segment}`,
      })),
    ),
    ...oddHeaders.map(([name, value]) =>
      odd(`the header ${name}: ${excerpt(value, 40)}`, () => ({ headers: { [name]: value } })),
    ),
    // A DELETE without a segment might delete a record of another client.
    ...methods
      .filter((other) => other !== method && (other !== 'DELETE' || hasSegment))
      .map((other) =>
        odd(`the method ${other}`, ({ ownValue }) => ({ method: other, ...(hasSegment ? { segment: ownValue } : {}) })),
      ),
  ];
}

type Parts = Partial<TargetRequest> & { readonly segment?: string; readonly search?: string };

export function requestFrom({ method, prefix }: EndpointOperation, base: BaseRequest, parts: Parts = {}): TargetRequest {
  const { segment = base.segment, search = new URLSearchParams(base.query).toString(), ...request } = parts;
  const path = prefix.replace(/\/$/, '') + (segment === undefined ? '' : `/${segment}`) + (search === '' ? '' : `?${search}`);
  const hasNoBody = base.body === undefined || request.method === 'GET' || request.method === 'HEAD';
  return { method, path, ...(hasNoBody ? {} : { text: JSON.stringify(base.body) }), odd: true, ...request } as TargetRequest;
}

const odd = (description: string, parts: OddRequest['parts'], more: Partial<OddRequest> = {}) => ({
  description,
  parts,
  ...more,
});

/** Properties that name a record. Their odd values contain a value of this run, so that no request names another client's record. */
const namesRecord = /^(code|giftCardCode|giftCardId|url|uniqueId|uniqueAdjustmentId)$/;

function withValue(name: string, value: JsonText, limits: InputLimits): OddRequest {
  const text = value.startsWith('"') ? (JSON.parse(value) as string) : undefined;
  const marked = (own: string): JsonText => {
    // In a URL, the value of this run comes last, because a URL must begin with its scheme.
    if (text !== undefined) return name === 'url' ? `${value.slice(0, -1)}${own}"` : `"${own}${value.slice(1)}`;
    return name === 'url' && !limits.allowsUnmarked ? `"${own}"` : value;
  };
  const parts = ({ body, ownValue }: BaseRequest): Parts => {
    const place = 'place of the value';
    const odd = namesRecord.test(name) ? marked(ownValue) : value;
    return { text: JSON.stringify({ ...body, [name]: place }).replace(JSON.stringify(place), () => odd) };
  };
  const shorter = () => shorterTexts(text ?? '').map((each) => withValue(name, JSON.stringify(each), limits));
  return odd(`${name} = ${excerpt(value, 60)}`, parts, { field: name, shorter });
}

/** Returns the halves of the text, and the text without its first or last character. */
function shorterTexts(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const parts = [text.slice(0, middle), text.slice(middle), text.slice(1), text.slice(0, -1)];
  return parts.filter((part) => part !== text);
}

// biome-ignore format: a table
const oddContentTypes: readonly (string | null)[] = [
  null, '', 'text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json; charset=utf-16',
  'application/json;;;', 'nonsense', 'application/json, text/plain', 'application/octet-stream', `application/${'x'.repeat(300)}`,
];

/** Texts around the correct body. The body replaces the ellipsis. */
const surroundings = ['[…]', '{"body":…}', '\ufeff…', '…}', '…,', ' \r\n…\t', '"…', '…\u0000', '/**/…'];

/** Returns requests with an odd content type or structure. Their bodies still have the values of the correct body. */
function oddStructures(names: readonly string[]): OddRequest[] {
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`x${index}`, 1]));
  return [
    ...names.flatMap((name) => [
      odd(`no ${name}`, ({ body }) => ({ text: JSON.stringify({ ...body, [name]: undefined }) }), { field: name }),
      odd(`${name} twice`, ({ body }) => {
        const once = JSON.stringify({ [name]: body?.[name] ?? null });
        return { text: `${once.slice(0, -1)},${JSON.stringify({ [name]: null, ...body }).slice(1)}` };
      }),
    ]),
    ...surroundings.map((around) =>
      odd(`the body as ${excerpt(around, 40)}`, ({ body }) => ({
        text: around.replace('…', () => JSON.stringify(body)),
      })),
    ),
    odd('3000 more properties', ({ body }) => ({ text: JSON.stringify({ ...body, ...many }) })),
    ...oddContentTypes.map((contentType) => odd(`the content type ${excerpt(String(contentType), 60)}`, () => ({ contentType }))),
  ];
}

// biome-ignore format: a table
const strangeBodies: readonly string[] = [
  '', ' ', 'null', 'true', '7', '"text"', '[]', '{}', '{', '}', '[', '"', '\u0000', '\ufeff', 'NaN', '<xml/>', 'a=1&b=2', '{"a":}',
  '{"a":1,}', "{'a':1}", '{a:1}', '//{}', '{}{}', '{"constructor":{"prototype":1}}', '"\\ud800"', '['.repeat(5_000), '{"a":'.repeat(5_000),
];

function withStrangeBodies(sample: Sample): OddRequest[] {
  const isUnmarked = true;
  return [
    ...[...strangeBodies, ...sample(nestedJson(5_000), 3)].map((text) =>
      odd(`the body ${excerpt(JSON.stringify(text), 40)}`, () => ({ text }), { isUnmarked }),
    ),
    ...sample(fc.nat(95), 8).map((percent) => {
      const cut = (whole: string) => whole.slice(0, Math.floor((whole.length * percent) / 100));
      return odd(`the body cut off after ${percent} %`, ({ body }) => ({ text: cut(JSON.stringify(body)) }), { isUnmarked });
    }),
  ];
}

const withQueryValue = (name: string, value: string): OddRequest =>
  odd(`${name} = ${excerpt(value, 60)} in the query`, ({ query = {} }) => {
    const others = Object.entries(query).filter(([each]) => each !== name);
    return { search: [new URLSearchParams(others).toString(), `${name}=${value}`].filter(Boolean).join('&') };
  });

function oddQueries(names: readonly string[]): string[] {
  const endings = ['', '=', '[]=1', '[a]=1'];
  const named = ['nonsense', ...names].flatMap((name) => [`${name}=1&${name}=2`, ...endings.map((ending) => name + ending)]);
  const fixed = ['%', '&&', '=', '=&&=', '%00', '%E2%82=1', '?', 'x=%zz', '__proto__=1', 'x[__proto__]=1', ';', '+'];
  return [...named, ...fixed, Array.from({ length: 300 }, (_, index) => `x${index}=1`).join('&')];
}

// biome-ignore format: a table
const oddHeaders: readonly (readonly [name: string, value: string])[] = [
  ['accept', ''], ['accept', 'nonsense'], ['accept', 'text/html;q=2'], ['accept-language', 'xx-'.repeat(200)], ['accept-encoding', 'nonsense'],
  ['content-encoding', 'nonsense'], ['cookie', '=;;='], ['range', 'bytes=9-1'], ['if-match', '*'], ['if-none-match', '"'],
  ['if-modified-since', 'soon'], ['authorization', 'Basic %%%'], ['x-forwarded-for', 'unknown'], ['x-forwarded-host', '['], ['forwarded', 'for='],
  ['user-agent', ''], ['origin', 'null'], ['referer', 'nonsense'], ['x-request-id', 'é'.repeat(50)], ['x-long', 'x'.repeat(6_000)],
];
