import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import { parameters } from '../../openapi/generated/validators.js';
import { serveNow } from '../pipeline/handle.ts';
import { type SandboxFixture, sandboxOf } from '../testing/fixture.ts';

const KEY = 'sandbox-key-main-not-a-real-key';
const CREATE = '/api/GiftCard/Create';

/** Returns the whole response to a request with a valid key. Sends the body unchanged. */
function exchange({ sandbox }: Pick<SandboxFixture, 'sandbox'>, method: string, target: string, body?: Buffer | string) {
  const { response } = serveNow(sandbox, {
    method,
    target,
    headers: { 'x-api-key': KEY },
    body: body === undefined ? undefined : Buffer.from(body as string),
  });
  return { ...response, body: String(response.body) };
}

describe('finding the operation', () => {
  test.each([
    ['an unknown path', 'GET', '/api/GiftCard/Nothing'],
    ['the root', 'GET', '/'],
    ['the folder of the API', 'GET', '/api/'],
    ['a path above the API', 'GET', '/GiftCard/List'],
    ['a version in the path', 'GET', '/api/v1/GiftCard/List'],
    ['another letter case', 'GET', '/api/giftcard/List'],
    ['a trailing slash', 'GET', '/api/GiftCard/List/'],
    ['a trailing slash behind a value', 'GET', '/api/GiftCard/GetByCode/A-1/'],
    ['a doubled slash', 'GET', '/api//GiftCard/List'],
    ['an escaped letter of a path', 'GET', '/api/GiftCard/Lis%74'],
    ['a parameter left out', 'GET', '/api/GiftCard/GetByCode/'],
    ['a parameter and its slash left out', 'GET', '/api/GiftCard/GetByCode'],
    ['a segment too many', 'GET', '/api/GiftCard/GetByCode/A-1/more'],
    ['the template itself, but for its value', 'GET', '/api/GiftCard/{code}'],
    ['OPTIONS', 'OPTIONS', '/api/GiftCard/List'],
    ['OPTIONS of everything', 'OPTIONS', '*'],
    ['no path', 'GET', ''],
    ['a name of every object', 'GET', '/constructor'],
  ])('%s is 404', (_, method, target) => {
    const fixture = sandboxOf([{ cards: [{ code: 'A-1', initialValue: 5 }] }]);
    const { status, headers } = exchange(fixture, method, target);
    expect([status, headers]).toEqual([404, { 'content-type': 'text/plain; charset=utf-8' }]);
  });

  test.each([
    ['POST', '/api/GiftCard/List', 'GET, HEAD'],
    ['DELETE', '/api/GiftCard/GetById/x', 'GET, HEAD'],
    ['GET', CREATE, 'POST'],
    ['HEAD', CREATE, 'POST'],
    ['GET', '/api/GiftCard/VoidByCode/x', 'DELETE'],
    ['PATCH', '/api/WebStoreCoupon/Update/x', 'PUT'],
    ['get', '/api/GiftCard/List', 'GET, HEAD'],
    ['PROPFIND', '/api/GiftCard/List?pageSize=5', 'GET, HEAD'],
  ])('%s %s is 405, with Allow: %s', (method, target, allow) => {
    const { status, headers } = exchange(sandboxOf(), method, target);
    expect([status, headers]).toEqual([405, { 'content-type': 'text/plain; charset=utf-8', allow }]);
  });

  test('HEAD is found like GET', () => {
    const fixture = sandboxOf();
    expect(exchange(fixture, 'HEAD', '/api/GiftCard/List')).toEqual(exchange(fixture, 'GET', '/api/GiftCard/List'));
    expect(exchange(fixture, 'HEAD', '/api/GiftCard/GetByCode/none').status).toBe(404);
  });

  test('every operation of the document is found by its path, and by no other method', () => {
    const { sandbox } = sandboxOf();
    for (const [template, item] of Object.entries(contract.paths)) {
      const target = template.replace(/\{\w+\}/, 'x');
      for (const [method, { operationId }] of Object.entries(item as Record<string, { operationId: string }>)) {
        expect(sandbox.variant.contract.find(method.toUpperCase(), target)).toMatchObject({ operation: { id: operationId } });
      }
    }
  });
});

describe('values in a path', () => {
  test.each([
    ['escaped once', 'A%2FB', 'A/B'],
    ['not escaped twice', '%2541', '%41'],
    ['a plus', 'A+B', 'A+B'],
    ['an escaped plus', 'A%2BB', 'A+B'],
    ['a blank', 'A%20B', 'A B'],
    ['a question mark', 'A%3FB', 'A?B'],
    ['no valid escape', 'A%ZZ', 'A%ZZ'],
    ['half an escape', '100%', '100%'],
    ['letters of more than one byte', '%C3%BC%E2%9C%93', 'ü✓'],
    ['dots', '..', '..'],
  ])('%s', (_, written, code) => {
    const fixture = sandboxOf();
    fixture.create({ code });
    const { status, body } = exchange(fixture, 'GET', `/api/GiftCard/GetByCode/${written}`);
    expect([status, JSON.parse(body).code]).toEqual([200, code]);
  });
});

describe('values in a query', () => {
  test.each<[string, string, Record<string, unknown> | 400]>([
    ['defaults', '', { pageSize: 10, pageNumber: 0, includeAll: false }],
    ['the types of the contract', 'pageSize=5&includeAll=true', { pageSize: 5, pageNumber: 0, includeAll: true }],
    ['the first of several', 'pageSize=5&pageSize=x', { pageSize: 5, pageNumber: 0, includeAll: false }],
    ['escapes', 'pageSiz%65=%35', { pageSize: 5, pageNumber: 0, includeAll: false }],
    ['unknown names', 'x=1&__proto__=2&constructor=3', { pageSize: 10, pageNumber: 0, includeAll: false }],
    ['a value too large', 'pageSize=51', 400],
    ['another type', 'includeAll=TRUE', 400],
  ])('%s', (_, query, wanted) => {
    const { sandbox } = sandboxOf();
    const found = sandbox.variant.contract.find('GET', `/api/GiftCard/List?${query}`);
    const input = sandbox.variant.contract.parse(found as never, { method: 'GET', target: '', headers: {}, body: undefined });
    if (wanted === 400) expect(input).toMatchObject({ code: 'request.invalid' });
    else expect(input).toEqual({ parameters: wanted, body: undefined });
  });

  test('each operation has a validator for its values', () => {
    const ids = Object.values(contract.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    expect(Object.keys(parameters).sort()).toEqual(ids.sort());
  });
});

describe('bodies', () => {
  test.each<[string, string | Buffer | undefined]>([
    ['nothing', undefined],
    ['empty', ''],
    ['blanks', '  \n'],
    ['no JSON', '{balance: 25}'],
    ['JSON cut short', '{"balance": 25'],
    ['something behind the JSON', '{"balance": 25} x'],
    ['a form', 'balance=25'],
    ['null', 'null'],
    ['an array', '[{"balance": 25}]'],
    ['a text', '"balance"'],
    ['a number', '25'],
    ['true', 'true'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['UTF-16', Buffer.from('{"balance": 25}', 'utf16le')],
  ])('http.unreadable-body-response: %s is 400 in plain text', (_, body) => {
    const { status, headers } = exchange(sandboxOf(), 'POST', CREATE, body);
    expect([status, headers]).toEqual([400, { 'content-type': 'text/plain; charset=utf-8' }]);
  });

  const deep = (depth: number, value: string) => `${'['.repeat(depth)}${value}${']'.repeat(depth)}`;
  test.each<[string, string, number, object]>([
    ['a property named twice counts as the last', '{"balance": 1, "balance": 2}', 200, { balance: 2 }],
    ['__proto__ is a property like any other', '{"__proto__": {"balance": 5}, "balance": 2}', 200, { balance: 2 }],
    ['__proto__ gives nothing', '{"__proto__": {"balance": 5}}', 400, {}],
    ['constructor is ignored', '{"balance": 1, "constructor": {"prototype": {"code": "X"}}}', 200, { balance: 1 }],
    [
      'null is as if left out',
      '{"balance": 1, "notes": null, "sendAsGift": null, "isPromotional": null}',
      200,
      { sendAsGift: false },
    ],
    ['deep JSON that is not looked at', `{"balance": 1, "x": ${deep(200_000, '1')}}`, 200, { balance: 1 }],
    ['deep JSON in the place of a text', `{"balance": 1, "code": ${deep(200_000, '1')}}`, 400, {}],
    [
      'a lone surrogate is kept',
      '{"balance": 1, "notes": "\\ud800", "recipientName": "\\udfff"}',
      200,
      { recipientName: '\udfff' },
    ],
    ['a lone surrogate in a code', '{"balance": 1, "code": "\\ud800"}', 400, {}],
    ['NUL in a text', '{"balance": 1, "giftMessage": "a\\u0000b"}', 200, { giftMessage: 'a\0b' }],
    ['an exponent', '{"balance": 2.5e1}', 200, { balance: 25 }],
    ['a number finer than a double', '{"balance": 0.10000000000000000001}', 200, { balance: 0.1 }],
    ['a long text', `{"balance": 1, "notes": "${'x'.repeat(1_000_000)}"}`, 200, { balance: 1 }],
    ['a very fine time', `{"balance": 1, "expiresAtUtc": "2030-01-01T00:00:00.${'1'.repeat(300)}Z"}`, 200, {}],
  ])('%s', (_, body, status, wanted) => {
    const response = exchange(sandboxOf(), 'POST', CREATE, body);
    expect(response.status).toBe(status);
    if (status === 200) expect(JSON.parse(response.body)).toMatchObject(wanted);
  });

  test('are not read for an operation without a body', () => {
    expect(exchange(sandboxOf(), 'GET', '/api/GiftCard/List', '{').status).toBe(200);
    expect(exchange(sandboxOf(), 'DELETE', '/api/GiftCard/VoidByCode/none', '{').status).toBe(404);
  });
});

describe('errors.malformed-input-is-no-server-fault', () => {
  const targets = Object.entries(contract.paths).flatMap(([template, item]) =>
    Object.keys(item).map((method) => [method, template]),
  );

  test('errors.malformed-input-is-no-server-fault: any JSON value at any place', () => {
    const fixture = sandboxOf();
    const names = Object.values(contract.components.schemas).flatMap((schema) =>
      Object.keys('properties' in schema ? schema.properties : {}),
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.constantFrom('2026-01-15T11:00:00', -0, 1e21, ''),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...targets),
        fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value, { maxKeys: 12 }),
        fc.string({ unit: 'grapheme' }),
        ([method = '', template = ''], body, text) => {
          const target = template.replace(/\{\w+\}/, () => encodeURIComponent(text) || 'x');
          const { status } = exchange(fixture, method.toUpperCase(), target, JSON.stringify(body));
          expect([200, 400, 404]).toContain(status);
        },
      ),
      { numRuns: 500 },
    );
    expect(fixture.sandbox.defects).toEqual([]);
  });

  test('errors.malformed-input-is-no-server-fault: any target and any bytes', () => {
    const fixture = sandboxOf();
    const templates = targets.map(([, template]) => template?.replace(/\{\w+\}/, '') ?? '');
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD'),
        fc.constantFrom(...templates, '/api/GiftCard/List?since=', '/api/GiftCard/List?pageNumber=', ''),
        fc.string({ unit: 'binary-ascii' }),
        fc.uint8Array(),
        (method, template, rest, bytes) => {
          const { status } = exchange(fixture, method, `${template}${rest}`, Buffer.from(bytes));
          expect([200, 400, 404, 405]).toContain(status);
        },
      ),
      { numRuns: 500 },
    );
    expect(fixture.sandbox.defects).toEqual([]);
  });
});
