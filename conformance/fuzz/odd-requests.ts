import fc from 'fast-check';
import { excerpt } from '../core/text.ts';
import type { Ask } from '../http/exchange.ts';
import { anyValue, type JsonText, nestedJson, oddQueryValues, oddSegments, oddValues, type Sampler } from './odd-values.ts';
import type { InputField, OperationInput } from './operation-input.ts';

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
  /** No value of this run identifies the record that the request creates. */
  readonly isUnmarked?: boolean;
  apply(base: BaseRequest): Ask;
  /** Similar requests with a shorter text. */
  shorter?(): OddRequest[];
}

/** Which odd requests may be sent to the target. */
export interface InputLimits {
  /** Amounts of any size. */
  readonly allowsLargeAmounts: boolean;
  /** Paths that may name any record. */
  readonly allowsAnyRecord: boolean;
  /** Requests whose results hold no value of this run. */
  readonly allowsUnmarked: boolean;
}

/** The odd requests of an operation, in groups that are checked together. The same seed makes the same requests. */
export function oddRequests(input: OperationInput, limits: InputLimits, seed: number): OddRequest[][] {
  const { body, query, path, method } = input;
  const hasSegment = path.includes('{');
  // Each call gets a seed of its own, so that it draws other values.
  let calls = 0;
  const sample: Sampler = (values, count) => {
    calls += 1;
    return fc.sample(values, { seed: seed * 1_000 + calls, numRuns: count });
  };
  return [
    ...body.flatMap((field) => [
      oddValues(field, limits.allowsLargeAmounts, sample).map((value) => withValue(field, value, limits)),
      sample(anyValue(field), 4).map((value) => withValue(field, value, limits)),
    ]),
    ...(body.length > 0 ? oddBodies(body, limits, sample) : []),
    ...query.map((field) => oddQueryValues(field, sample).map((value) => withQueryValue(field, value))),
    ...(hasSegment ? [oddSegments(sample).map((segment) => withSegment(segment, limits))] : []),
    oddQueries(query).map((search) => ({
      description: `the query ?${excerpt(search, 60)}`,
      apply: (base) => requestFrom(base, { search }),
    })),
    oddHeaders.map(withHeaders),
    otherMethods(method, hasSegment),
  ];
}

/** The base request, with some of its parts replaced. */
export function requestFrom(base: BaseRequest, parts: Partial<Ask> & { segment?: string; search?: string } = {}): Ask {
  const { segment = base.segment, search = new URLSearchParams(base.query).toString(), ...ask } = parts;
  const { method, path, body } = base;
  const target = path + (segment === undefined ? '' : `/${segment}`) + (search === '' ? '' : `?${search}`);
  const hasNoBody = body === undefined || ask.method === 'GET' || ask.method === 'HEAD';
  return { method, path: target, ...(hasNoBody ? {} : { text: JSON.stringify(body) }), odd: true, ...ask };
}

type Entries = readonly (readonly [name: string, value: JsonText])[];

const jsonText = (entries: Entries): JsonText =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const entriesOf = ({ body = {} }: BaseRequest): Entries =>
  Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, JSON.stringify(value)]]));

/** Properties that name a record. Their odd values contain a value of this run, so that they never name another client's card. */
const namesRecord = /^(code|giftCardCode|giftCardId|url|uniqueId|uniqueAdjustmentId)$/;

function withValue(field: InputField, value: JsonText, limits: InputLimits): OddRequest {
  const { name } = field;
  const text = value.startsWith('"') ? (JSON.parse(value) as string) : undefined;
  const marked = (own: string): JsonText => {
    // A URL begins with its scheme.
    if (text !== undefined) return name === 'url' ? `${value.slice(0, -1)}${own}"` : `"${own}${value.slice(1)}`;
    return name === 'url' && !limits.allowsUnmarked ? `"${own}"` : value;
  };
  return {
    description: `${name} = ${excerpt(value, 60)}`,
    field: name,
    apply: (base) => {
      const others = entriesOf(base).filter(([each]) => each !== name);
      return requestFrom(base, { text: jsonText([...others, [name, namesRecord.test(name) ? marked(base.ownValue) : value]]) });
    },
    ...(text === undefined
      ? {}
      : { shorter: () => shorterTexts(text).map((each) => withValue(field, JSON.stringify(each), limits)) }),
  };
}

/** The halves of the text, and the text without one of its characters. */
function shorterTexts(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const halves = text.length > 1 ? [text.slice(0, middle), text.slice(middle)] : [];
  if (text.length > 24) return [...halves, text.slice(0, -1)];
  return [...halves, ...[...text].map((_, index, all) => all.toSpliced(index, 1).join(''))];
}

/** Bodies that are not the JSON object of any request. */
// biome-ignore format: a table
const strangeBodies: readonly string[] = [
  '', ' ', 'null', 'true', '7', '"text"', '[]', '{}', '{', '}', '[', '"', '\u0000', '\ufeff', 'NaN', 'undefined', '<xml/>',
  'a=1&b=2', '{"a":}', '{"a":1,}', "{'a':1}", '{a:1}', '//{}', '{}{}', '{"":""}', '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}', '"\\ud800"', '1e999', '[[]]', '['.repeat(5_000), '{"a":'.repeat(5_000),
];

// biome-ignore format: a table
const oddContentTypes: readonly (string | null)[] = [
  null, '', 'text/plain', 'text/html', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data',
  'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'application/json; charset=nonsense',
  'APPLICATION/JSON', 'application/json;;;', 'nonsense', 'application/json, text/plain', 'application/merge-patch+json',
  'application/octet-stream', '*/*', `application/${'x'.repeat(300)}`,
];

/** Texts around the correct body. The asterisk is its place. */
const surroundings = ['[*]', '{"body":*}', '\ufeff*', '*}', '*,', ' \r\n*\t', '"*', '*\u0000', '/**/*'];

/** Requests with an odd body as a whole, or with an odd content type. */
function oddBodies(fields: readonly InputField[], { allowsUnmarked }: InputLimits, sample: Sampler): OddRequest[][] {
  const withBody = (description: string, text: (base: BaseRequest) => string): OddRequest => ({
    description,
    apply: (base) => requestFrom(base, { text: text(base) }),
  });
  const structures = fields.flatMap(({ name }) => {
    const isOwn = ([each]: Entries[number]) => each === name;
    return [
      { ...withBody(`no ${name}`, (base) => jsonText(entriesOf(base).filter((each) => !isOwn(each)))), field: name },
      withBody(`${name} twice`, (base) => jsonText([...entriesOf(base).filter(isOwn), ...entriesOf(base)])),
    ];
  });
  const surrounded = surroundings.map((around) =>
    withBody(`the body as ${excerpt(around.replace('*', '…'), 40)}`, ({ body }) =>
      around.replace('*', () => JSON.stringify(body)),
    ),
  );
  const more = sample(fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }), 6).map(
    (extra) => {
      const entries = Object.entries(extra).map(([name, value]) => [`x${name}`, JSON.stringify(value)] as const);
      const [[name] = ['']] = entries;
      return withBody(`${entries.length} more properties, such as ${excerpt(JSON.stringify(name), 40)}`, (base) =>
        jsonText([...entriesOf(base), ...entries]),
      );
    },
  );
  const many = Array.from({ length: 3_000 }, (_, index) => [`x${index}`, '1'] as const);
  const typed = oddContentTypes.map(
    (contentType): OddRequest => ({
      description: contentType === null ? 'no content type' : `the content type ${excerpt(JSON.stringify(contentType), 60)}`,
      apply: (base) => requestFrom(base, { contentType }),
    }),
  );
  const groups = [
    [...structures, ...surrounded],
    [...more, withBody('3000 more properties', (base) => jsonText([...entriesOf(base), ...many]))],
    typed,
  ];
  if (!allowsUnmarked) return groups;
  const strange = [...strangeBodies, ...sample(nestedJson(5_000), 3)].map((text) =>
    withBody(`the body ${excerpt(JSON.stringify(text), 40)}`, () => text),
  );
  const cut = sample(fc.nat(95), 10).map((percent) =>
    withBody(`the body cut off after ${percent} %`, ({ body }) => {
      const whole = JSON.stringify(body);
      return whole.slice(0, Math.floor((whole.length * percent) / 100));
    }),
  );
  return [...groups, ...[strange, cut].map((group) => group.map((each) => ({ ...each, isUnmarked: true })))];
}

const withQueryValue = ({ name }: InputField, value: string): OddRequest => ({
  description: `${name} = ${excerpt(value, 60)} in the query`,
  apply: (base) => {
    const others = Object.entries(base.query ?? {}).filter(([each]) => each !== name);
    return requestFrom(base, { search: [new URLSearchParams(others).toString(), `${name}=${value}`].filter(Boolean).join('&') });
  },
});

function oddQueries(fields: readonly InputField[]): string[] {
  const names = fields.length > 0 ? fields.map(({ name }) => name) : ['nonsense'];
  const named = names.flatMap((name) => [
    `${name}=1&${name}=2`,
    ...[name, `${name}=`, `${name}[]=1`, `${name}[a]=1`, `${name.toUpperCase()}=1`, `${name}=%`],
  ]);
  const fixed = ['%', '&&', '=', '=&&=', '%00', '%E2%82=1', '?', 'x=%zz', '__proto__=1', 'x[__proto__]=1', ';', '+'];
  return [...named, ...fixed, Array.from({ length: 300 }, (_, index) => `x${index}=1`).join('&')];
}

/** The segment starts with a value of this run, so that it names no record, unless any record is allowed. */
const withSegment = (segment: string, { allowsAnyRecord }: InputLimits): OddRequest => ({
  description: `${excerpt(segment, 60)} in the path`,
  apply: (base) => requestFrom(base, { segment: allowsAnyRecord ? segment : `${base.ownValue}${segment}` }),
});

// biome-ignore format: a table
const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  { accept: '' }, { accept: 'nonsense' }, { accept: 'text/html;q=2' }, { accept: 'image/png' },
  { 'accept-language': 'xx-'.repeat(200) }, { 'accept-encoding': 'nonsense' }, { 'accept-charset': 'utf-7' },
  { 'content-encoding': 'nonsense' }, { 'content-language': 'nonsense' }, { cookie: '=;;=' }, { range: 'bytes=9-1' },
  { 'if-match': '*' }, { 'if-none-match': '"' }, { 'if-modified-since': 'soon' }, { authorization: 'Basic %%%' },
  { 'x-forwarded-for': 'unknown' }, { 'x-forwarded-host': '[' }, { 'x-forwarded-proto': 'gopher' }, { forwarded: 'for=' },
  { 'user-agent': '' }, { origin: 'null' }, { referer: 'nonsense' }, { traceparent: '00-0-0-0' },
  { 'x-request-id': 'é'.repeat(50) }, { 'x-long': 'x'.repeat(6_000) }, { te: 'nonsense' },
];

function withHeaders(headers: Readonly<Record<string, string>>): OddRequest {
  const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { description: `the header ${excerpt(text.join(', '), 60)}`, apply: (base) => requestFrom(base, { headers }) };
}

/** DELETE only where the path has a segment, so that the request deletes only the run's own value. */
function otherMethods(correct: Ask['method'], hasSegment: boolean): OddRequest[] {
  const all = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const methods = all.filter((method) => method !== correct && (method !== 'DELETE' || hasSegment));
  return methods.map((method) => ({
    description: `the method ${method}`,
    apply: (base) => requestFrom(base, { method, ...(hasSegment ? { segment: base.ownValue } : {}) }),
  }));
}
