import fc, { type Arbitrary } from 'fast-check';

/** A value as JSON text, because JSON.stringify cannot write -0, 1e999 or NaN. */
export type JsonText = string;

const json = (value: unknown): JsonText => JSON.stringify(value);

/** Long and blank texts, combining characters, NUL, lone surrogates, right-to-left text, and the syntax of other languages. */
// biome-ignore format: a table
const oddTexts = [
  'x'.repeat(5_000), '', '\u0000', '\ud800', '\ufeff', '😀👩‍👩‍👧', 'e\u0301', '\u202egnp.exe', '\r\nx-injected: 1',
  "'; drop table cards; --", '<b>&amp;</b>', '{{7*7}}', '../../etc/passwd', '\\', '"',
];

/** Texts for fields with certain names. A value that only this run uses is appended to each URL. */
// biome-ignore format: a table
const textsByName: readonly (readonly [name: RegExp, texts: readonly string[]])[] = [
  [/Utc$|^since$/, [
    'soon', '2026-02-30T25:61:61Z', '0000-00-00T00:00:00Z', '9999-12-31T23:59:59.9999999Z', '+275760-09-13T00:00:01Z', '2026-01-01',
    '2026-01-01T00:00:00', '2026-01-01T00:00:00+99:99', '2026-01-01T00:00:00.123456789123456789Z', '2016-12-31T23:59:60Z', '1767225600',
  ]],
  [/email/i, ['@', 'recipient@', '@example.com', 'recipient@@example.com', '"a b"@example.com']],
  [/^url$/, [
    'http://conformance.invalid/', 'javascript:', 'https://', 'https:', '//conformance.invalid/', 'https://conformance.invalid:99999/',
    'https://user:pw@conformance.invalid/', 'https://[::1/', 'HTTPS://CONFORMANCE.INVALID/ ',
  ]],
];

const isNumeric = (name: string) => /balance|amount|^page/i.test(name);
/** The numbers are at most 1, because a target may accept them as amounts of real money. The last row is not valid JSON, but some programs write such numbers. */
// biome-ignore format: a table
const smallNumbers = [
  '-1', '-0.01', '0', '-0', '1', '0.001', '0.015', '1e-7', '1e-400', '0.30000000000000004', '1.0',
  'NaN', 'Infinity', '-Infinity', '+1', '.5', '1.', '01', '0x10', '1_000', '1,5',
];
const largeNumbers = ['51', '1e2', '2147483648', '9007199254740993', '1e308', '1e999', '-1e999', '9'.repeat(400)];

// biome-ignore format: a table
const valuesForAnyField: readonly JsonText[] = [
  'null', 'true', 'True', '0', '1.5', '"1"', '[]', '[[[]]]', '{}', '{"a":1}', '{"":""}', '{"a":"\\ud800"}', '{"__proto__":"x"}', '{"a":"b","a":"c"}',
];

const numbersOf = (name: string, allowsLarge: boolean): readonly string[] =>
  isNumeric(name) ? [...smallNumbers, ...(allowsLarge ? largeNumbers : [])] : [];

const textsOf = (name: string): readonly string[] =>
  isNumeric(name) ? [] : [...textsByName.flatMap(([names, texts]) => (names.test(name) ? texts : [])), ...oddTexts];

/** Returns values of a wrong type, format or size. Some values are not valid JSON. */
export const oddValues = (name: string, allowsLargeAmounts: boolean): JsonText[] => [
  ...new Set([...numbersOf(name, allowsLargeAmounts), ...textsOf(name).map(json), ...valuesForAnyField]),
];

/** Any character but half of a surrogate pair, as the unit "binary" of fast-check, which builds a table of all characters when it is loaded. */
const anyCharacter = fc.integer({ min: 0, max: 0x10_f7ff }).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));

const anyText = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 });

export const nestedJson = (most: number): Arbitrary<JsonText> =>
  fc
    .tuple(fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const), fc.integer({ min: 1, max: most }))
    .map(([[open, close], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

/** Generates values whose numbers are less than 1. */
export const anyValue: Arbitrary<JsonText> = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 40n }).map((digits) => `0.${digits}`),
  anyText.map(json),
  fc.nat(9_000).map((length) => json('x'.repeat(length))),
  nestedJson(800),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value, (_, each) => (typeof each === 'number' ? each % 1 : each))),
);

/** Percent-encodes the texts. Omits texts with a lone surrogate, because these cannot be percent-encoded. */
const encoded = (texts: readonly string[]) => texts.filter((text) => !/\p{Cs}/u.test(text)).map(encodeURIComponent);

export const anyEncodedText = anyText.map(encodeURIComponent);

// biome-ignore format: a table
const oddEncodings = ['%', '%25', '%zz', '%00', '%E2%82', '%ED%A0%80', '+', '=', '%u0031', '1;2', '%23', '%2525'];

/** Returns values of a query parameter, percent-encoded. */
export const oddQueryValues = (name: string): string[] => [
  ...oddEncodings,
  ...encoded([...numbersOf(name, true), ...textsOf(name), 'true', 'maybe']),
];

// biome-ignore format: a table
const oddPaths = ['%2F', '..%2f..%2fetc', '%2e%2e', 'a%2Fb', 'a/b', 'a//b', '%20', '%0d%0a', '%3F', '%5C', ';x=1', '~', ':', '@', '-1', '1e999'];

/** Last segments of a path, percent-encoded. */
export const oddSegments: readonly string[] = [...oddEncodings, ...oddPaths, ...encoded(oddTexts).filter((text) => text !== '')];
