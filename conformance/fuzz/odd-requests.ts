import fc, { type Arbitrary } from 'fast-check';
import { excerpt } from '../core/text.ts';
import type { Ask } from '../http/exchange.ts';
import { entriesOf, jsonText, type OddRequest, written } from './base-request.ts';
import { anyQueryValue, anySegment, anyValue, type JsonText, oddQueryValues, oddSegments, oddValues } from './input-values.ts';
import { oddBodies, oddHeaders } from './odd-bodies.ts';
import type { InputField, OperationInput } from './operation-input.ts';

/** What the target may be sent. */
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
  const turn = Math.abs(seed) % 6;
  const random = <T>(values: Arbitrary<T>, number: number): T[] => fc.sample(values, { seed, numRuns: number });
  const segment = (value: string) => withSegment(value, limits.allowsAnyRecord);
  return [
    ...body.flatMap((field, index) => [
      oddValues(field, limits.allowsLargeAmounts, turn + index).map((value) => withValue(field, value, limits)),
      random(anyValue(field), 4).map((value) => withValue(field, value, limits)),
    ]),
    ...(body.length > 0 ? oddBodies(body, limits.allowsUnmarked, random) : []),
    ...query.flatMap((field, index) => [
      oddQueryValues(field, turn + index).map((value) => withQueryValue(field, value)),
      random(anyQueryValue, 4).map((value) => withQueryValue(field, value)),
    ]),
    ...(hasSegment ? [oddSegments.map(segment), random(anySegment, 8).map(segment)] : []),
    oddQueries(query, random),
    oddHeaders.map(withHeaders),
    otherMethods(method, hasSegment),
  ];
}

/** Properties that name a record: their odd values contain a value of this run, so that they name no card of anybody else. */
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
    write: (base) => {
      const others = entriesOf(base).filter(([each]) => each !== name);
      return written(base, { text: jsonText([...others, [name, namesRecord.test(name) ? marked(base.ownValue) : value]]) });
    },
    ...(text === undefined
      ? {}
      : { shorter: () => shorterTexts(text).map((each) => withValue(field, JSON.stringify(each), limits)) }),
  };
}

/** Halves of the text; then the text without one of its characters. */
function shorterTexts(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const halves = text.length > 1 ? [text.slice(0, middle), text.slice(middle)] : [];
  if (text.length > 24) return [...halves, text.slice(0, -1)];
  return [...halves, ...[...text].map((_, index, all) => all.toSpliced(index, 1).join(''))];
}

const withQueryValue = ({ name }: InputField, value: string): OddRequest => ({
  description: `${name} = ${excerpt(value, 60)} in the query`,
  write: (base) => {
    const others = Object.entries(base.query ?? {}).filter(([each]) => each !== name);
    return written(base, { search: [new URLSearchParams(others).toString(), `${name}=${value}`].filter(Boolean).join('&') });
  },
});

function oddQueries(fields: readonly InputField[], random: <T>(values: Arbitrary<T>, number: number) => T[]): OddRequest[] {
  const names = fields.length > 0 ? fields.map(({ name }) => name) : ['nonsense'];
  const named = names.flatMap((name) => [
    `${name}=1&${name}=2`,
    ...[name, `${name}=`, `${name}[]=1`, `${name}[a]=1`, `${name.toUpperCase()}=1`, `${name}=%`],
  ]);
  const odd = ['%', '&&', '=', '=&&=', '%00', '%E2%82=1', '?', 'x=%zz', '__proto__=1', 'x[__proto__]=1', ';', '+'];
  const long = fc.nat(300).map((number) => Array.from({ length: number }, (_, index) => `x${index}=1`).join('&'));
  return [...named, ...odd, ...random(long, 2)].map((search) => ({
    description: `the query ?${excerpt(search, 60)}`,
    write: (base) => written(base, { search }),
  }));
}

/** The segment starts with a value of this run, so that it names no record, unless any record is allowed. */
const withSegment = (segment: string, allowsAnyRecord: boolean): OddRequest => ({
  description: `${excerpt(segment, 60)} in the path`,
  write: (base) => written(base, { segment: allowsAnyRecord ? segment : `${base.ownValue}${segment}` }),
});

function withHeaders(headers: Readonly<Record<string, string>>): OddRequest {
  const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { description: `the header ${excerpt(text.join(', '), 60)}`, write: (base) => written(base, { headers }) };
}

/** DELETE only where the path has a segment, so that nothing but the run's own value can be deleted. */
function otherMethods(usual: Ask['method'], hasSegment: boolean): OddRequest[] {
  const all = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const methods = all.filter((method) => method !== usual && (method !== 'DELETE' || hasSegment));
  return methods.map((method) => ({
    description: `the method ${method}`,
    write: (base) => written(base, { method, ...(hasSegment ? { segment: base.ownValue } : {}) }),
  }));
}
