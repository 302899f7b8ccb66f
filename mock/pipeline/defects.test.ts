import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationsOf, resolve } from '../../openapi/document.ts';
import type { Behaviors } from '../../openapi/generated/rules.ts';
import { sandboxOf } from '../testing/fixture.ts';

/** These tests check that every request gets a response, and that no request causes a defect. */

const create = '/api/GiftCard/Create';

test.each([
  ['a host that only looks like one', 'POST', '/api/Webhook/Create', { url: 'https://xn--a.example/hook' }],
  ['a host in Punycode', 'POST', '/api/Webhook/Create', { url: 'https://xn--bcher-kva.example/hook' }],
])('%s', (_, method, path, body) => {
  const { send, sandbox } = sandboxOf();
  expect(send(method, path, body).status).toBeLessThan(500);
  expect(sandbox.defects).toEqual([]);
});

describe('at the end of the year 9999', () => {
  const END = Date.UTC(9999, 5, 1);

  test.each([
    ['days', {}],
    ['end-of-day', { 'gift-card.create.default-expiry-counting': 'end-of-day' }],
  ] as const)('a card that would expire later expires with it, counted in %s', (_, behaviors) => {
    const { sandbox, create, at } = sandboxOf([{ defaultExpiryDays: 365, timeZone: 'Pacific/Kiritimati' }], { behaviors });
    at(END);
    expect(create().expiresAtUtc).toBe('9999-12-31T23:59:59.999Z');
    expect(sandbox.defects).toEqual([]);
  });

  test('no reminder is due after it', async () => {
    const { sandbox, account, create, adjust, at } = sandboxOf([{ reminderAfterDays: 365 }]);
    at(END);
    adjust(create({ recipientEmailAddress: 'rita@example.com' }).code, -1);
    expect([account.clock.scheduler.next(), sandbox.defects]).toEqual([undefined, []]);
  });
});

describe('any body', () => {
  const { sandbox: standard } = sandboxOf();
  const document = standard.variant.contract.document as never;
  const names = operationsOf(document).flatMap(({ node }) => {
    const content = node.requestBody && resolve(document, node.requestBody as never).content;
    const schema =
      content && resolve(document, (content as { 'application/json': { schema: never } })['application/json'].schema);
    return Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  });
  const key = fc.constantFrom(...new Set(names), '__proto__', 'constructor', 'toString', '');
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      'https://xn--a.example/',
      'https://[::1',
      '9999-12-31T23:59:59-14:00',
      'a@b.example',
      1e308,
      -0,
      5e-324,
      '\u0000',
      '\ud800',
    ),
  );
  const body = fc.array(fc.tuple(key, value), { maxLength: 8 });
  const paths = operationsOf(document).flatMap(({ path, method, node }) =>
    node.requestBody ? [{ path: path.replaceAll(/\{\w+\}/g, 'x'), method: method.toUpperCase() }] : [],
  );

  const strict: Partial<Behaviors> = {
    'http.unknown-properties': 'refused',
    'errors.every-rejection-plain-text': 'json',
  };
  test.each([
    ['by default', {}],
    ['where rejections name every field', strict],
  ] as const)('%s', (_, behaviors) => {
    const { sandbox, send } = sandboxOf([{}], { behaviors });
    fc.assert(
      fc.property(fc.constantFrom(...paths, { path: create, method: 'POST' }), body, ({ path, method }, members) => {
        // The test writes the JSON as text, because an object cannot have some of the names, such as __proto__.
        const text = members.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`).join();
        expect(send(method, path, `{${text}}`).status).toBeLessThan(500);
        expect(sandbox.defects).toEqual([]);
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
});
