import fc, { type Arbitrary } from 'fast-check';
import type { InputField } from './operation-input.ts';

/** A value as JSON text, because JSON.stringify writes neither -0 nor 1e999 nor NaN. */
export type JsonText = string;

const json = (value: unknown): JsonText => JSON.stringify(value);

/** Every text property gets these. */
const worstTexts = ['', '\u0000', '\ud800', '\ufeff', '😀👩‍👩‍👧', 'x'.repeat(5_000)];
/** Combining characters, right-to-left text, NUL, lone surrogates, syntax of other languages. Every text property gets some of them. */
// biome-ignore format: a table
const oddTexts = [
  ' ', 'a', 'e\u0301', '\u202egnp.exe', 'שלום', 'a\u0000b', '\udc00\ud800', '\u2028', '\r\nx-injected: 1',
  "'; drop table cards; --", '<b>&amp;</b>', '{{7*7}} %s%n', '../../etc/passwd', 'null', '0', '\\', '"',
];

/** By format. A value of this run is appended to each URL. */
// biome-ignore format: a table
const formattedTexts: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    'soon', '2026-02-30T25:61:61Z', '0000-00-00T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z',
    '+275760-09-13T00:00:01Z', '-000001-01-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00:00+99:99',
    '2026-01-01T00:00:00.123456789123456789Z', '2016-12-31T23:59:60Z', '1767225600',
  ],
  email: ['@', 'recipient@', '@example.com', 'recipient@@example.com', 'ré ci@example.com', '"a b"@example.com'],
  uri: [
    'http://conformance.invalid/', 'ftp://conformance.invalid/', 'javascript:', 'https://', 'https:', '//conformance.invalid/',
    'https://conformance.invalid:99999/', 'https://user:pw@conformance.invalid/', 'https://[::1/', 'HTTPS://CONFORMANCE.INVALID/ ',
  ],
};

/** At most 1, because an accepted amount is money. */
const smallNumbers = ['-1', '-0.01', '0', '-0', '1', '0.001', '0.015', '1e-7', '1e-400', '0.30000000000000004', '1.0', '100e-2'];
const largeNumbers = ['1e2', '2147483648', '9007199254740993', '1e15', '1e308', '1e999', '-1e999', '9'.repeat(400)];
/** Not JSON, but some programs write them as numbers. */
const notJsonNumbers = ['NaN', 'Infinity', '-Infinity', '+1', '.5', '1.', '01', '0x10', '1_000', '1,5'];

/** By type. */
// biome-ignore format: a table
const typedValues: Readonly<Record<string, readonly JsonText[]>> = {
  number: [...smallNumbers, ...notJsonNumbers, '"1"', '"NaN"', '" "'],
  boolean: ['"true"', '"yes"', '1', '"false"', 'True'],
  object: [
    '{"a":1}', '{"a":null}', '{"a":["b"]}', '{"":""}', '{"a":"\\ud800"}', '{"__proto__":"x"}', '{"a":{"b":"c"}}', '{"a":"b","a":"c"}',
  ],
  string: worstTexts.map(json),
};
const valuesOfAnyType = [null, true, false, 0, 1.5, '', 'text', [], [1], [[[]]], {}, { a: 1 }, [null]].map(json);

/** Random values, always the same ones for a seed. */
export type Sampler = <T>(values: Arbitrary<T>, count: number) => T[];

/** Values of a wrong type, format or size, as JSON or as something that only looks like it. */
export function oddValues({ types, format = '', bounds }: InputField, allowsLargeAmounts: boolean, sample: Sampler): JsonText[] {
  const own = types.flatMap((type) => typedValues[type === 'integer' ? 'number' : type] ?? []);
  const large = isNumeric(types) && allowsLargeAmounts ? [...largeNumbers, ...around(bounds)] : [];
  const texts = types.includes('string') ? [...(formattedTexts[format] ?? []), ...sample(fc.constantFrom(...oddTexts), 7)] : [];
  return [...new Set([...own, ...large, ...texts.map(json), ...valuesOfAnyType])];
}

/** Random values of the field's types, and others. */
export function anyValue({ types }: InputField): Arbitrary<JsonText> {
  const own = types.flatMap((type): Arbitrary<JsonText>[] => {
    // Less than one, with many decimals.
    if (type === 'number' || type === 'integer') return [fc.bigInt({ min: 0n, max: 10n ** 40n }).map((digits) => `0.${digits}`)];
    if (type === 'string') return [anyText.map(json), fc.nat(9_000).map((length) => json('x'.repeat(length)))];
    return type === 'object' ? [fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }).map(json)] : [];
  });
  return fc.oneof(...own, nestedJson(800), fc.jsonValue({ maxDepth: 3 }).map(withSmallNumbers));
}

const anyText = fc.string({ unit: 'binary', maxLength: 30 });

/** Lists in lists, or objects in objects, up to this depth. */
export const nestedJson = (most: number): Arbitrary<JsonText> =>
  fc
    .tuple(fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const), fc.integer({ min: 1, max: most }))
    .map(([[open, close], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

const withSmallNumbers = (value: unknown): JsonText =>
  JSON.stringify(value, (_, each) => (typeof each === 'number' ? each % 1 : each));

const isNumeric = (types: readonly string[]) => types.includes('integer') || types.includes('number');
const around = (bounds: readonly number[]) => bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).map(String);

// biome-ignore format: a table
const oddEncodings = [
  '%', '%zz', '%00', '%E2%82', '%ED%A0%80', '+', '=', '1&', '%u0031', '[]', '1;2', '%23', '%2525', '1'.repeat(5_000),
];

/** Values of a query parameter, percent-encoded. */
export function oddQueryValues({ types, format = '', bounds }: InputField, sample: Sampler): string[] {
  const numbers = isNumeric(types) ? [...smallNumbers, ...largeNumbers, ...notJsonNumbers, ...around(bounds)] : [];
  const texts = [...numbers, ...(formattedTexts[format] ?? []), ...sample(fc.constantFrom(...oddTexts), 9), 'true', 'maybe', '0'];
  // A lone surrogate cannot be percent-encoded.
  const encoded = texts.filter((text) => !/\p{Cs}/u.test(text)).map(encodeURIComponent);
  return [...new Set([...encoded, ...sample(anyText.map(encodeURIComponent), 4), ...oddEncodings])];
}

// biome-ignore format: a table
const fixedSegments: readonly string[] = [
  '%', '%zz', '%00', '%E2%82', '%ED%A0%80', '%2F', '..%2f..%2fetc', '%2e%2e', 'a%2Fb', 'a/b', 'a//b', '%20', '%0d%0a', '%25', '%3F', '%23',
  '%5C', '*', "'", ';x=1', '+', '~', ':', '@', '%u0041', 'null', 'undefined', '0', '-1', '1e999', '%5Bobject%20Object%5D', '%F0%9F%98%80', '%22',
  'x'.repeat(5_000),
];

/** Last segments of a path, percent-encoded. */
export const oddSegments = (sample: Sampler): string[] => [
  ...fixedSegments,
  ...sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map(encodeURIComponent), 6),
  ...sample(
    fc.integer({ min: 1, max: 5_000 }).map((length) => 'x'.repeat(length)),
    2,
  ),
];
