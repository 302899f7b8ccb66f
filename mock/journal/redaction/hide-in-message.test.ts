import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSecret, hidden, hiddenInBody, hiddenInHeaders } from './hide-in-message.ts';
import { isSecret, MASK } from './secret-names.ts';

const pieces = [
  'token',
  'To',
  'ken',
  'secret',
  'api_key',
  'key',
  'monkey',
  'x',
  '"',
  "'",
  '\\',
  '\\"',
  '\\u006b',
  ' ',
  ':',
  '=',
  ',',
  '{',
  '}',
  '[',
  ']',
  '1',
  'https:',
  '//',
  '/',
  '\\/',
  '?',
  '@',
  '\\u0040',
  '%40',
  '%2F',
  '%3D',
  '%3F',
];

const names = fc.constantFrom('token', 'key', 'a "token"', 'api-key\\', 'k\u00e9y', 'notes', 'x key x', 'idempotency_key', '"');

test('what is not looked at closely would have been left as it is', () => {
  const body = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((each) => each.join('')),
    fc.dictionary(names, fc.string()).map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(body, (text) => {
      expect(hiddenInBody(text)).toBe(hidden(text));
    }),
    { numRuns: 10_000 },
  );
});

/** The same value with the mask for everything under a secret name. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (each === null || each === '' || !isSecret(name)) return [name, masked(each)];
      return [name, MASK];
    }),
  );
}

test('of JSON nothing under a secret name is shown, however deep, and all else is', () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('', 'S3CRET', 'a "quoted\\', '}]', 5, -1.5e9, true, null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (given, spaces) => {
      expect(JSON.parse(hiddenInBody(JSON.stringify(given, null, spaces)))).toEqual(masked(given));
    }),
    { numRuns: 5000 },
  );
});

describe('a secret is not shown', () => {
  test.each([
    '{"tokens":["S3CRET"],"token":{"value":"S3CRET"}}',
    '{"a":[{"token":{"value":{"deep":["S3CRET"]}}}]}',
    '{"tok\\u0065n":["S3CRET"]}',
    '{"token":{"value":"S3CRET',
    '{"token":["x","S3CRET"], broken',
    "{'token':{'value':'S3CRET'}}",
    "{'token':'a S3CRET'}",
    'token={"value":"S3CRET"}',
    'data={"token":"S3CRET"}',
    'x="token=S3CRET"',
    'token[value]=S3CRET',
    'token%5Bvalue%5D=S3CRET',
    '%74oken=S3CRET',
    'authorization: Bearer S3CRET',
    `{"token${'n'.repeat(5_000)}":"S3CRET"}`,
    '{"password":"S3CRET","access_key":"S3CRET","client_secret":"S3CRET","Authorization":"S3CRET"}',
  ])('in %s', (text) => {
    expect(hiddenInBody(text)).not.toContain('S3CRET');
    expect(hiddenInBody(text)).toContain(MASK);
  });

  test.each([
    '{"url":"https://u:S3CRET@h.example/x"}',
    '{"url":"https:\\/\\/u:S3CRET@h.example\\/x"}',
    '{"url":"https://u:S3CRET\\u0040h.example"}',
    '{"url":"https://u:a\\"S3CRET@h.example"}',
    '{"url":"https://u:a S3CRET b@h.example"}',
    '{"url":"https:u:x@h.example:S3CRET@h.example"}',
    '{"url":"https://h.example/?a=b&token=S3CRET&c=d"}',
    '{"webhooks":[{"url":"https://h.example/?a=b#token=S3CRET"}]}',
    '{"notes":"it is at https://u:S3CRET@h.example"}',
    '{"url":"https://u:S3CRET@h.example/x","notes":"cut',
    "{'url':'https://u:S3CRET@h.example'}",
    'url=https%3A%2F%2Fu%3AS3CRET%40h.example&x=1',
    'The URL https://u:S3CRET@h.example/?token=S3CRET must be one.',
  ])('of an address in %s', (text) => {
    expect(hiddenInBody(text)).not.toContain('S3CRET');
    expect(hiddenInBody(text)).toContain(MASK);
  });

  test('while it is still JSON, and still says where it leads', () => {
    const body = '{"url":"https:\\/\\/u:p\\"\\u0041@h.example\\/x?a=1&token=b\\\\","balance":1.50, "b" : "\\/"}';
    expect(hiddenInBody(body)).toBe('{"url":"https://u:***@h.example/x?a=1&token=***","balance":1.50, "b" : "\\/"}');
  });

  test('and what is none stays as it was written', () => {
    expect(hiddenInBody('{ "balance": 25.00, "balance":1e400, "token": {"a":1} ,"x":1 }')).toBe(
      `{ "balance": 25.00, "balance":1e400, "token": "${MASK}" ,"x":1 }`,
    );
    expect(hiddenInBody('{"requestHeaderVerificationToken":null,"idempotency_key":"order-1"}')).toBe(
      '{"requestHeaderVerificationToken":null,"idempotency_key":"order-1"}',
    );
  });
});

test('bodies, addresses and headers agree on what is a secret', () => {
  for (const name of [
    'x-api-key',
    'access_key',
    'token',
    'client_secret',
    'password',
    'signature',
    'authorization',
    'set-cookie',
  ]) {
    expect(hiddenInBody(JSON.stringify({ [name]: 'S3CRET' })), name).toBe(JSON.stringify({ [name]: MASK }));
    expect(hiddenInHeaders({ [name]: 'S3CRET' }), name).toEqual({ [name]: MASK });
    expect(hasSecret(`a=b&${name}=S3CRET`), name).toBe(true);
  }
  expect(hasSecret('idempotency_key=1&page=2')).toBe(false);
});

test('a card that speaks of a key in its notes is left as it is, a token is not shown', () => {
  const card = '{"notes":"Created through the API: \\"Sandbox key\\"","code":"KEY"}';
  expect(hiddenInBody(card)).toBe(card);
  expect(hiddenInBody('{"requestHeaderVerificationToken":"x"}')).toBe(`{"requestHeaderVerificationToken":"${MASK}"}`);
});

test.each([
  ['names without a value', 'key'],
  ['names and a quote', 'key"'],
  ['escaped quotes', '\\"'],
  ['names and spaces', 'key  '],
  ['names with a value', '"key":1 '],
  ['brackets', '{"key":[['],
  ['addresses', '://u:'],
  ['addresses in addresses', '"https://u:p@h?a=%40'],
])('a look at a long body comes to an end: %s', (_, part) => {
  for (const text of [part.repeat(100_000), `{"x":"${part.repeat(100_000)}`]) expect(typeof hidden(text)).toBe('string');
  expect(typeof hiddenInBody(part.repeat(100_000))).toBe('string');
});
