import fc, { type Arbitrary } from 'fast-check';
import type { InputField } from './operation-input.ts';

/** A value as JSON text, because JSON.stringify writes neither -0 nor 1e999 nor NaN. */
export type JsonText = string;

const json = (value: unknown): JsonText => JSON.stringify(value);

/** Long and blank texts, combining characters, NUL, lone surrogates, right-to-left text, and the syntax of other languages. */
// biome-ignore format: a table
const oddTexts = [
  'x'.repeat(5_000), '', ' ', '\u0000', '\ud800', '\ufeff', '😀👩‍👩‍👧', 'e\u0301', '\u202egnp.exe', '\u2028', '\r\nx-injected: 1',
  "'; drop table cards; --", '<b>&amp;</b>', '{{7*7}}', '../../etc/passwd', 'null', '0', '\\', '"',
];

/** By format. A value of this run is appended to each URL. */
// biome-ignore format: a table
const formattedTexts: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    'soon', '2026-02-30T25:61:61Z', '0000-00-00T00:00:00Z', '9999-12-31T23:59:59.9999999Z', '+275760-09-13T00:00:01Z', '2026-01-01',
    '2026-01-01T00:00:00', '2026-01-01T00:00:00+99:99', '2026-01-01T00:00:00.123456789123456789Z', '2016-12-31T23:59:60Z', '1767225600',
  ],
  email: ['@', 'recipient@', '@example.com', 'recipient@@example.com', '"a b"@example.com'],
  uri: [
    'http://conformance.invalid/', 'javascript:', 'https://', 'https:', '//conformance.invalid/', 'https://conformance.invalid:99999/',
    'https://user:pw@conformance.invalid/', 'https://[::1/', 'HTTPS://CONFORMANCE.INVALID/ ',
  ],
};

/** At most 1, because an accepted amount is money. Some programs write the last ones, which are not JSON. */
// biome-ignore format: a table
const smallNumbers = [
  '-1', '-0.01', '0', '-0', '1', '0.001', '0.015', '1e-7', '1e-400', '0.30000000000000004', '1.0',
  'NaN', 'Infinity', '-Infinity', '+1', '.5', '1.', '01', '0x10', '1_000', '1,5',
];
const largeNumbers = ['1e2', '2147483648', '9007199254740993', '1e308', '1e999', '-1e999', '9'.repeat(400)];

/** Of every type, for every field. */
// biome-ignore format: a table
const anyType: readonly JsonText[] = [
  'null', 'true', 'True', '"yes"', '0', '1.5', '"1"', '"NaN"', '""', '"text"', '[]', '[1]', '[[[]]]', '[null]', '{}', '{"a":1}', '{"a":{"b":"c"}}',
  '{"":""}', '{"a":"\\ud800"}', '{"__proto__":"x"}', '{"a":"b","a":"c"}',
];

const isNumeric = ({ types }: InputField) => types.includes('integer') || types.includes('number');

function numbersOf(field: InputField, allowsLarge: boolean): readonly string[] {
  if (!isNumeric(field)) return [];
  const aroundBounds = field.bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).map(String);
  return allowsLarge ? [...smallNumbers, ...largeNumbers, ...aroundBounds] : smallNumbers;
}

const textsOf = ({ types, format = '' }: InputField): readonly string[] =>
  types.includes('string') ? [...(formattedTexts[format] ?? []), ...oddTexts] : [];

/** Values of a wrong type, format or size, as JSON or as something that only looks like it. */
export const oddValues = (field: InputField, allowsLargeAmounts: boolean): JsonText[] => [
  ...new Set([...numbersOf(field, allowsLargeAmounts), ...textsOf(field).map(json), ...anyType]),
];

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

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });

/** Lists in lists, or objects in objects, up to this depth. */
export const nestedJson = (most: number): Arbitrary<JsonText> =>
  fc
    .tuple(fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const), fc.integer({ min: 1, max: most }))
    .map(([[open, close], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

const withSmallNumbers = (value: unknown): JsonText =>
  JSON.stringify(value, (_, each) => (typeof each === 'number' ? each % 1 : each));

/** A lone surrogate cannot be percent-encoded. */
const encoded = (texts: readonly string[]) => texts.filter((text) => !/\p{Cs}/u.test(text)).map(encodeURIComponent);

/** Random text, percent-encoded. */
export const anyEncodedText = anyText.map(encodeURIComponent);

// biome-ignore format: a table
const oddEncodings = ['%', '%25', '%zz', '%00', '%E2%82', '%ED%A0%80', '+', '=', '%u0031', '1;2', '%23', '%2525'];

/** Values of a query parameter, percent-encoded. */
export const oddQueryValues = (field: InputField): string[] => [
  ...oddEncodings,
  ...encoded([...numbersOf(field, true), ...textsOf(field), 'true', 'maybe', '0']),
];

// biome-ignore format: a table
const oddPaths = ['%2F', '..%2f..%2fetc', '%2e%2e', 'a%2Fb', 'a/b', 'a//b', '%20', '%0d%0a', '%3F', '%5C', ';x=1', '~', ':', '@', '-1', '1e999'];

/** Last segments of a path, percent-encoded. */
export const oddSegments: readonly string[] = [...oddEncodings, ...oddPaths, ...encoded(oddTexts).filter((text) => text !== '')];
