import { describe, expect, test } from 'vitest';
import { overridesFor } from '../../openapi/effective/names.ts';
import { names } from '../../openapi/generated/names.ts';
import { sandboxOf } from '../testing/fixture.ts';

const AT = '/api/WebStoreCoupon';
const wanted = { code: 'TEN-OFF', discountType: 'Percentage', discountValue: 10 };

test('coupon.can-be-managed: created, looked up, listed, updated and deleted', () => {
  const { send } = sandboxOf();
  const full = {
    ...wanted,
    startsAtUtc: '2026-01-01T00:00:00.000Z',
    endsAtUtc: '2026-12-31T00:00:00.000Z',
    usageLimit: 5,
    isActive: false,
  };
  const created = send('POST', `${AT}/Create`, full);
  expect(created).toEqual({ status: 200, mediaType: 'application/json', body: { id: created.body.id, ...full } });
  const { id } = created.body;
  expect(send('GET', `${AT}/GetById/${id}`).body).toEqual(created.body);
  expect(send('GET', `${AT}/GetByCode/TEN-OFF`).body).toEqual(created.body);
  expect(send('GET', `${AT}/List`).body).toEqual([created.body]);
  const updated = send('PUT', `${AT}/Update/${id}`, { ...wanted, code: 'TWELVE-OFF', discountValue: 12 });
  const blank = { startsAtUtc: null, endsAtUtc: null, usageLimit: null, isActive: true };
  expect(updated.body).toEqual({ id, ...wanted, code: 'TWELVE-OFF', discountValue: 12, ...blank });
  expect(send('GET', `${AT}/GetByCode/TEN-OFF`).status).toBe(404);
  expect(send('GET', `${AT}/List`).body).toEqual([updated.body]);
  expect(send('DELETE', `${AT}/Delete/${id}`).body).toBe(true);
  expect(send('DELETE', `${AT}/Delete/${id}`).status).toBe(404);
  expect(send('GET', `${AT}/List`).body).toEqual([]);
});

describe('codes', () => {
  test('are unique on the account in any letter case, and free after a deletion', () => {
    const { sandbox, send } = sandboxOf([{}, { id: 'two' }]);
    const { id } = send('POST', `${AT}/Create`, wanted).body;
    const other = send('POST', `${AT}/Create`, { ...wanted, code: 'OTHER' }).body;
    expect(send('POST', `${AT}/Create`, { ...wanted, code: 'ten-off' })).toMatchObject({ status: 400, mediaType: 'text/plain' });
    expect(send('PUT', `${AT}/Update/${other.id}`, wanted).status).toBe(400);
    expect(send('PUT', `${AT}/Update/${id}`, { ...wanted, code: 'Ten-Off' }).body.code).toBe('Ten-Off');
    const key = sandbox.accounts.get('two')?.keys[0]?.key as string;
    expect(send('POST', `${AT}/Create`, wanted, key).status).toBe(200);
    expect(send('GET', `${AT}/GetById/${id}`, undefined, key).status).toBe(404);
    send('DELETE', `${AT}/Delete/${id}`);
    expect(send('POST', `${AT}/Create`, wanted).status).toBe(200);
  });
});

test.each([
  ['no code', { code: undefined }],
  ['a blank code', { code: ' ' }],
  ['no kind', { discountType: undefined }],
  ['another kind', { discountType: 'FreeShipping' }],
  ['no value', { discountValue: undefined }],
  ['a value below zero', { discountValue: -1 }],
  ['a start that is not a time', { startsAtUtc: 'soon' }],
  ['an end beyond the years', { endsAtUtc: '9999-12-31T23:59:59-01:00' }],
  ['no uses', { usageLimit: 0 }],
  ['half a use', { usageLimit: 1.5 }],
])('%s is refused, and nothing changes', (_, fields) => {
  const { send } = sandboxOf();
  const { body } = send('POST', `${AT}/Create`, { ...wanted, code: 'FIRST' });
  expect(send('POST', `${AT}/Create`, { ...wanted, ...fields })).toMatchObject({ status: 400, mediaType: 'text/plain' });
  expect(send('PUT', `${AT}/Update/${body.id}`, { ...wanted, ...fields }).status).toBe(400);
  expect(send('GET', `${AT}/List`).body).toEqual([body]);
});

test.each([
  ['GET', 'GetById/none'],
  ['GET', 'GetByCode/none'],
  ['PUT', 'Update/none'],
  ['DELETE', 'Delete/none'],
])('%s %s: an unknown coupon is 404', (method, path) => {
  const body = method === 'PUT' ? wanted : undefined;
  expect(sandboxOf().send(method, `${AT}/${path}`, body)).toMatchObject({ status: 404, mediaType: 'text/plain' });
});

test('an override of a coupon property renames it in requests, too', () => {
  const { send } = sandboxOf([{}], {
    overrides: names.flatMap((question) => {
      const [target] = question.targets;
      const name = {
        'WebStoreCoupon.discountValue': 'amount',
        'WebStoreCoupon.endsAtUtc': 'endDate',
        'WebStoreCoupon.isActive': 'enabled',
      }[target as string];
      return name === undefined ? [] : overridesFor(question, name);
    }),
  });
  const wanted = { code: 'SPRING', discountType: 'Percentage', amount: 10, endDate: '2026-06-01T00:00:00.000Z', enabled: false };
  const { status, body } = send('POST', '/api/WebStoreCoupon/Create', wanted);
  expect([status, body]).toEqual([200, expect.objectContaining(wanted)]);
  const changed = { ...wanted, amount: 20, enabled: true };
  expect(send('PUT', `/api/WebStoreCoupon/Update/${body.id}`, changed).body).toMatchObject(changed);
  expect(send('POST', '/api/WebStoreCoupon/Create', { ...wanted, amount: undefined, discountValue: 10 }).status).toBe(400);
});
