import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hidden, hiddenInBody, MASK } from './secrets.ts';

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
  '1',
];

test('what is not looked at closely would have been left as it is', () => {
  const body = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((each) => each.join('')),
    fc
      .dictionary(fc.constantFrom('token', 'key', 'a "token"', 'api-key\\', 'k\u00e9y', 'notes', 'x key x'), fc.string())
      .map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(body, (text) => {
      expect(hiddenInBody(text)).toBe(hidden(text, MASK));
    }),
    { numRuns: 5000 },
  );
});

test('a card that speaks of a key in its notes is left as it is, a token is not shown', () => {
  const card = '{"notes":"Created through the API: \\"Sandbox key\\"","code":"KEY"}';
  expect(hiddenInBody(card)).toBe(card);
  expect(hiddenInBody('{"requestHeaderVerificationToken":"x"}')).toBe(`{"requestHeaderVerificationToken":"${MASK}"}`);
});
