import fc, { type Arbitrary } from 'fast-check';
import type { InputField } from './operation-input.ts';

/** A value as JSON text, because JSON.stringify writes neither -0 nor 1e999 nor NaN. */
export type JsonText = string;

const json = (value: unknown): JsonText => JSON.stringify(value);

/** Sent to every text property. */
const worstTexts = ['', '\u0000', '\ud800', '\ufeff', '😀👩‍👩‍👧', 'x'.repeat(5_000)];
/** Combining characters, right-to-left text, NUL, lone surrogates, syntax of other languages. A third of them is sent to each text property. */
// biome-ignore format: a table
const oddTexts = [
  '', ' ', 'a', 'e\u0301', '\u202egnp.exe', 'שלום', '😀👩‍👩‍👧', '\u0000', 'a\u0000b', '\ud800', '\udc00\ud800', '\ufeff',
  '\u2028', '\r\nx-injected: 1', "'; drop table cards; --", '<b>&amp;</b>', '{{7*7}} %s%n', '../../etc/passwd', 'null', '0',
  '\\', '"',
];

// biome-ignore format: a table
const oddMoments = [
  'soon', '2026-02-30T25:61:61Z', '0000-00-00T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z',
  '+275760-09-13T00:00:01Z', '-000001-01-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00.123456789123456789Z', '2016-12-31T23:59:60Z', '1767225600',
];

const oddAddresses = ['@', 'recipient@', '@example.com', 'recipient@@example.com', 'ré ci@example.com', '"a b"@example.com'];

/** A value of this run is appended to each. */
// biome-ignore format: a table
const oddUrls = [
  'http://conformance.invalid/', 'ftp://conformance.invalid/', 'javascript:', 'https://', 'https:', '//conformance.invalid/',
];
// biome-ignore format: a table
const oddPlaces = [
  'https://conformance.invalid:99999/', 'https://user:pw@conformance.invalid/', 'https://[::1/',
  'HTTPS://CONFORMANCE.INVALID/ ',
];

// biome-ignore format: a table
const oddObjects = [
  '{"a":1}', '{"a":null}', '{"a":["b"]}', '{"":""}', '{"a":"\\ud800"}', '{"__proto__":"x"}', '{"a":{"b":"c"}}',
  '{"a":"b","a":"c"}',
];

/** At most 1, because an accepted one is money. */
const smallNumbers = ['-1', '-0.01', '0', '-0', '1', '0.001', '0.015', '1e-7', '1e-400', '0.30000000000000004', '1.0', '100e-2'];
const largeNumbers = ['1e2', '2147483648', '9007199254740993', '1e15', '1e308', '1e999', '-1e999', '9'.repeat(400)];
/** Not JSON, but some programs write them as numbers. */
const noNumbers = ['NaN', 'Infinity', '-Infinity', '+1', '.5', '1.', '01', '0x10', '1_000', '1,5'];

const otherTypes = [null, true, false, 0, 1.5, '', 'text', [], [1], [[[]]], {}, { a: 1 }, [null]].map(json);

const characters = [...'a0 -_.~!*\'();:@&=+$,/?#[]%"<>\\^`{|}éß€漢😀', '\u0301', '\u202e', '\u200d', '\ufeff', '\uffff'];
const controls = ['\u0000', '\u0007', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u2028', '\ud800', '\udfff'];
const texts = (of: readonly string[], minLength = 0) =>
  fc.array(fc.constantFrom(...of), { minLength, maxLength: 30 }).map((parts) => parts.join(''));

const anyText = fc.oneof(
  fc.constantFrom(...worstTexts, ...oddTexts),
  texts([...characters, ...controls]),
  fc.nat(9_000).map((length) => 'x'.repeat(length)),
  fc.nat(2_000).map((length) => '😀'.repeat(length)),
);

const nested = fc.tuple(fc.constantFrom('[', '{"a":'), fc.nat(800)).map(([open, depth]) => {
  const close = open === '[' ? ']' : '}';
  return `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`.replace(/^$/, 'null');
});

/** One of `of` parts of the values; each turn takes another one. */
const some = <T>(values: readonly T[], turn: number, of = 3): T[] => values.filter((_, index) => (index + turn) % of === 0);

const ofFormat: Readonly<Record<string, readonly string[]>> = {
  'date-time': oddMoments,
  email: oddAddresses,
  uri: [...oddUrls, ...oddPlaces],
};

/** Values of a wrong type, format or size, as JSON or as something that only looks like it. */
export function oddValues({ types, format, bounds }: InputField, allowsLargeAmounts: boolean, turn: number): JsonText[] {
  const own = types.flatMap((type) => {
    if (type === 'number' || type === 'integer') {
      const large = allowsLargeAmounts ? [...largeNumbers, ...around(bounds)] : [];
      return [...smallNumbers, ...noNumbers, ...large, '"1"', '"NaN"', '" "'];
    }
    if (type === 'boolean') return ['"true"', '"yes"', '1', '"false"', 'True'];
    if (type === 'object') return oddObjects;
    if (type !== 'string') return [];
    const formatted = ofFormat[format ?? ''] ?? [];
    return [...formatted, ...worstTexts, ...some(oddTexts, turn)].map(json);
  });
  return [...new Set([...own, ...otherTypes])];
}

/** Random values of the field's types, and others. */
export function anyValue({ types }: InputField): Arbitrary<JsonText> {
  const own = types.flatMap((type) => {
    if (type === 'number' || type === 'integer') return [decimals];
    if (type === 'string') return [anyText.map(json)];
    if (type === 'object') return [fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }).map(json)];
    return [];
  });
  return fc.oneof(...own, nested, fc.jsonValue({ maxDepth: 3 }).map(small));
}

/** Less than one, with many decimals. */
const decimals = fc.bigInt({ min: 0n, max: 10n ** 40n }).map((digits) => `0.${digits}`);

const around = (bounds: readonly number[]) => bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).map(String);

/** Without numbers above 1. */
const small = (value: unknown): JsonText => JSON.stringify(value, (_, each) => (typeof each === 'number' ? each % 1 : each));

const odd = ['%', '%zz', '%00', '%E2%82', '%ED%A0%80', '+', '=', '1&', '%u0031', '[]', '1;2', '%23', '%2525', '1'.repeat(5_000)];

/** Values of a query parameter, as they are sent. */
export function oddQueryValues({ types, format, bounds }: InputField, turn: number): string[] {
  const isNumber = types.includes('integer') || types.includes('number');
  const own = isNumber
    ? [...smallNumbers, ...largeNumbers, ...noNumbers, ...around(bounds)]
    : format === 'date-time'
      ? oddMoments
      : [];
  const texts = [...own, ...some(oddTexts, turn, 2), 'true', 'maybe', '0'].filter((text) => !/\p{Cs}/u.test(text));
  return [...new Set([...texts.map(encodeURIComponent), ...odd])];
}

export const anyQueryValue: Arbitrary<string> = fc.oneof(
  texts(characters).map(encodeURIComponent),
  fc.nat(5_000).map((length) => '1'.repeat(length)),
);

/** Last segments of a path, as they are sent. */
// biome-ignore format: a table
export const oddSegments: readonly string[] = [
  '%', '%zz', '%00', '%E2%82', '%ED%A0%80', '%2F', '..%2f..%2fetc', '%2e%2e', 'a%2Fb', 'a/b', 'a//b', '%20', '%0d%0a', '%25', '%3F', '%23',
  '%5C', '*', "'", ';x=1', '+', '~', ':', '@', '%u0041', 'null', 'undefined', '0', '-1', '1e999', '%5Bobject%20Object%5D', '%F0%9F%98%80', '%22',
  'x'.repeat(5_000),
];

export const anySegment: Arbitrary<string> = fc.oneof(
  texts(characters, 1).map(encodeURIComponent),
  fc.nat(5_000).map((length) => `x${'x'.repeat(length)}`),
);
