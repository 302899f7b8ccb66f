import { expect, test } from 'vitest';
import { type JsonObject, resolve } from '../../openapi/document.ts';
import world from '../world/world.schema.json' with { type: 'json' };
import document from './generated/control.json' with { type: 'json' };
import { controlOperations, read, router } from './operations.ts';

/** Returns the input that an operation receives from a request. */
function readAt(method: string, target: string, body?: unknown) {
  const route = router.find(method, target);
  if (!('operation' in route)) throw new Error(`No operation has ${method} ${target}.`);
  const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return read(route, { method, target, headers: {}, body: body === 'too large' ? body : bytes });
}

const card = '/__mock/accounts/main/cards/A%2FB';

test('path and body come as the document has them', () => {
  const values = { account: 'main', card: 'A/B' };
  expect(readAt('POST', `${card}/payments`, { amount: 5 })).toEqual({ path: values, query: values, body: { amount: 5 } });
  expect(readAt('POST', `${card}/redemption`)).toMatchObject({ body: undefined });
});

test.each<[string, string, string, unknown, number, RegExp]>([
  ['no body', 'POST', `${card}/payments`, undefined, 400, /payments .*JSON object.*empty/],
  ['not an object', 'POST', `${card}/payments`, '[]', 400, /JSON object.*array/],
  ['not JSON', 'POST', `${card}/payments`, '{', 400, /JSON object.*not JSON/],
  ['a property that is missing', 'POST', `${card}/payments`, {}, 400, /^The body: "amount"/],
  ['a misspelt property', 'POST', `${card}/payments`, { amount: 5, note: 'x' }, 400, /^The body: "note" .*"notes"/],
  ['a string for a number', 'POST', `${card}/payments`, { amount: '5' }, 400, /amount .*number.*"5"/],
  ['an amount of nothing', 'POST', `${card}/payments`, { amount: 0 }, 400, /amount .* 0/],
  [
    'no address',
    'POST',
    `${card}/gift`,
    { recipientName: 'R', buyerName: 'B', recipientEmailAddress: 'r' },
    400,
    /recipientEmailAddress .*"r"/,
  ],
  ['not a pattern', 'PATCH', '/__mock/accounts/main/channels/till', { acceptsCodes: '[' }, 400, /acceptsCodes .*"\["/],
  ['no time zone', 'PATCH', '/__mock/accounts/main/settings', { timeZone: 'Europe/Lisboa' }, 400, /timeZone .*"Europe\/Lisboa"/],
  ['an empty change', 'PATCH', '/__mock/accounts/main/channels/till', {}, 400, /name, acceptsCodes/],
  [
    'a blank name',
    'POST',
    `${card}/gift`,
    { recipientName: ' ', recipientEmailAddress: 'ada@example.com', buyerName: 'Ben' },
    400,
    /recipientName .*blank/,
  ],
  ['a body where none is allowed', 'POST', `${card}/void`, { now: true }, 400, /void .*no body/],
  ['a query where none is allowed', 'POST', `${card}/void?now=1`, undefined, 400, /"now" is not a known property/],
  ['a body that is nested too deeply', 'POST', '/__mock/accounts', nested(3000), 400, /deeper than 100 levels/],
  [
    'a long name that is misspelt',
    'PATCH',
    '/__mock/accounts/main/settings',
    { ['x'.repeat(1_000_000)]: 1 },
    400,
    /^The body: "x{200}…" is not a known property\. Known: /,
  ],
  ['a body that is too large', 'POST', `${card}/payments`, 'too large', 413, /1048576 bytes/],
  [
    'a text that is too long',
    'PATCH',
    '/__mock/accounts/main/settings',
    { name: 'x'.repeat(1001) },
    400,
    /name .*1000 .* 1001\.$/,
  ],
  ['a path that is too long', 'GET', `/__mock/accounts/${'x'.repeat(1001)}`, undefined, 400, /account .*1000 .* 1001\.$/],
])('%s is refused in one sentence', (_, method, target, body, status, message) => {
  expect(() => readAt(method, target, body)).toThrow(
    expect.objectContaining({ status, message: expect.stringMatching(message) }),
  );
});

function nested(levels: number): object {
  return Array.from({ length: levels }).reduce((inner: object) => ({ id: inner }), {});
}

test('no two operations have the same path and method', () => {
  const seen = controlOperations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(new Set(seen).size).toBe(seen.length);
});

type Node = Readonly<Record<string, unknown>>;

/** Returns the paths of the texts in a request that may have any length. */
function unlimitedTexts(node: unknown, path: string, seen = new Set<unknown>()): string[] {
  if (typeof node !== 'object' || node === null || seen.has(node)) return [];
  seen.add(node);
  const { type, $ref, maxLength, pattern, format } = node as Node;
  if (typeof $ref === 'string' && $ref.startsWith('#/components/'))
    return unlimitedTexts(resolve(document as unknown as JsonObject, { $ref }), $ref, seen);
  const isLimited =
    maxLength !== undefined || 'enum' in node || 'const' in node || /\}\$$/.test(String(pattern)) || format === 'uuid';
  const own = [type].flat().includes('string') && !isLimited ? [path] : [];
  const inside = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples');
  return [...own, ...inside.flatMap(([key, each]) => unlimitedTexts(each, `${path}/${key}`, seen))];
}

test('every text in a request or a world file has a longest length', () => {
  const requests = Object.entries(document.paths as Record<string, Record<string, Node>>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters, requestBody }]) =>
      unlimitedTexts([parameters, requestBody], `${method} ${path}`),
    ),
  );
  expect([...requests, ...unlimitedTexts(world.$defs, 'world')]).toEqual([]);
  expect(unlimitedTexts({ properties: { name: { type: 'string' } } }, 'x')).toEqual(['x/properties/name']);
});
