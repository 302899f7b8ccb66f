import { expect, test } from 'vitest';
import { read } from './read.ts';
import { operations, routesAt } from './route.ts';

/** What is read of a request to an operation of the door. */
function readAt(method: string, target: string, body?: unknown) {
  const route = routesAt(target.split('?')[0] as string).find(({ operation }) => operation.method === method);
  if (!route) throw new Error(`Nothing is at ${method} ${target}.`);
  const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return read(route, { method, target, headers: {}, body: body === 'too large' ? body : bytes });
}

const card = '/__mock/accounts/main/cards/A%2FB';

test('path and body come as the document has them', () => {
  expect(readAt('POST', `${card}/payments`, { amount: 5 })).toEqual({
    path: { account: 'main', card: 'A/B' },
    query: {},
    body: { amount: 5 },
  });
  expect(readAt('POST', `${card}/redemption`)).toMatchObject({ body: undefined });
});

test.each<[string, string, string, unknown, number, string]>([
  [
    'no body',
    'POST',
    `${card}/payments`,
    undefined,
    400,
    'The body is missing; POST /__mock/accounts/{account}/cards/{card}/payments takes a JSON object of amount and, if wanted, order, notes.',
  ],
  ['no object', 'POST', `${card}/payments`, '[]', 400, 'The body must be a JSON object of amount and, if wanted, order, notes.'],
  ['a property that is missing', 'POST', `${card}/payments`, {}, 400, 'The body: it lacks "amount"; give it one.'],
  [
    'a misspelt property',
    'POST',
    `${card}/payments`,
    { amount: 5, note: 'x' },
    400,
    'The body: "note" is no property of it. Did you mean "notes"?',
  ],
  ['a number that is none', 'POST', `${card}/payments`, { amount: '5' }, 400, 'The body: amount "5" must be a number.'],
  ['an amount of nothing', 'POST', `${card}/payments`, { amount: 0 }, 400, 'The body: amount 0 must be > 0.'],
  [
    'no address',
    'POST',
    `${card}/gift`,
    { recipientName: 'R', buyerName: 'B', recipientEmailAddress: 'r' },
    400,
    'The body: recipientEmailAddress "r" is no e-mail address, such as someone@example.com.',
  ],
  [
    'an empty change',
    'PATCH',
    '/__mock/accounts/main/channels/till',
    {},
    400,
    'The body: the content must not be empty; known are: name, acceptsCodes.',
  ],
  [
    'a name that says nothing',
    'POST',
    `${card}/gift`,
    { recipientName: ' ', recipientEmailAddress: 'ada@example.com', buyerName: 'Ben' },
    400,
    'The body: recipientName " " says nothing; give it letters.',
  ],
  [
    'a body where none is taken',
    'POST',
    `${card}/void`,
    { now: true },
    400,
    'POST /__mock/accounts/{account}/cards/{card}/void takes no body; leave it out.',
  ],
  [
    'a query where none is taken',
    'POST',
    `${card}/void?now=1`,
    undefined,
    400,
    '"now" is no query parameter of /__mock/accounts/{account}/cards/{card}/void. It takes none.',
  ],
  [
    'a body that is too large',
    'POST',
    `${card}/payments`,
    'too large',
    413,
    'The body is larger than 524288000 bytes; send a smaller one.',
  ],
])('%s is told in a sentence', (_, method, target, body, status, sentence) => {
  expect(() => readAt(method, target, body)).toThrow(expect.objectContaining({ status, message: sentence }));
});

test('no JSON is told in a sentence', () => {
  expect(() => readAt('POST', `${card}/payments`, '{')).toThrow(/^The body is not JSON: .*[^.]\.$/);
});

test('no two operations are at one path and method, whatever is put for the parameters', () => {
  const seen = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(new Set(seen).size).toBe(seen.length);
});
