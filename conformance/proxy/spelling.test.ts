import { describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { jsonIn } from '../http/json-text.ts';
import { within } from '../testing/within-fixture.ts';
import { foldOf, guidFold, Veil } from './pseudonymizer.ts';
import { readOf } from './read.ts';
import { readerBy } from './reading-facts.ts';

const [small, large] = ['a0af802e-9205-4aed-a905-712f5de71818', 'A0AF802E-9205-4AED-A905-712F5DE71818'];

describe('names of what differs in letter case alone', () => {
  test.each([
    ['a GUID', small, large],
    ['a text', 'deadbeef', 'DEADBEEF'],
  ])('%s', (_, one, other) => {
    const veil = new Veil('salt');
    const [first, second] = [veil.text(one, 'uniqueId'), veil.text(other, 'uniqueId')];
    expect(first).not.toBe(second);
    expect(foldOf(first)).toBe(foldOf(second));
    expect(veil.text(one, 'uniqueId')).toBe(first);
    expect(foldOf(veil.text(`${one}0`, 'uniqueId'))).not.toBe(foldOf(first));
  });

  test.each([
    ['dashes', 'GIFT-12', 'GIFT12', 'code'],
    ['the width of letters', 'GIFT', 'ＧＩＦＴ', 'code'],
    ['zeros before a number', '17', '0017', 'id'],
    ['braces', small, `{${small}}`, 'id'],
    ['the dashes of a GUID', small, small.replaceAll('-', ''), 'id'],
  ])('what a service may take for the same, because nothing but %s differs, is told as such', (_, one, other, name) => {
    const veil = new Veil('salt');
    expect(veil.text(one, name)).not.toBe(veil.text(other, name));
    expect(foldOf(veil.text(one, name))).toBe(foldOf(veil.text(other, name)));
    expect(foldOf(veil.text(one, name))).not.toBe(foldOf(veil.text('other', name)));
  });

  test('a GUID stays one', () => {
    const veil = new Veil('salt');
    expect(guidFold(veil.text(small, 'id'))).toBe(guidFold(veil.text(large, 'id')));
    expect(guidFold(veil.text('deadbeef', 'id'))).toBeUndefined();
  });
});

/** A client of a service, and what was found in what it did. */
function client(fetch: (request: Request) => Promise<Response>, key = 'key') {
  const proxy = within(fetch);
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers: { 'x-api-key': key, 'content-type': 'application/json' } };
    const answer = await proxy.fetch(
      new Request(`http://127.0.0.1/api/${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) }),
    );
    const text = await answer.text();
    return { status: answer.status, told: jsonIn(text) };
  };
  const found = () =>
    proxy.found.flatMap(({ kind, clause, what }) => (kind === 'violated' || kind === 'unexpected' ? [`${clause}: ${what}`] : []));
  return { ask, found, proxy };
}

const adjustment = (adjustmentAmount: number, uniqueAdjustmentId: string) => ({
  ...{ adjustmentAmount, uniqueAdjustmentId },
  actionedAtUtc: '2026-01-01T00:00:00Z',
});

test('GUIDs as codes and unique values are as exact as other texts', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const { ask, found } = client((request) => mock.fetch(request), mock.apiKey);
  const create = (code: string, uniqueId: string) => ask('POST', 'GiftCard/Create', { balance: 5, code, uniqueId });
  expect((await create(small, small)).status).toBe(200);
  expect((await ask('GET', `GiftCard/GetByCode/${large}`)).status).toBe(404);
  expect((await create('another', large)).status).toBe(200);
  const adjust = (unique: string) =>
    ask('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', { ...adjustment(1, unique), giftCardCode: small });
  expect([(await adjust(small)).status, (await adjust(large)).status]).toEqual([200, 200]);
  expect((await ask('GET', `GiftCard/GetByCode/${small}`)).told).toMatchObject({ balance: 7 });
  await mock.close();
  expect(found()).toEqual([]);
});

describe('an ID in another letter case', () => {
  const links = {
    viewBalanceUrl: 'https://a.example/',
    appleWalletUrl: 'https://a.example/',
    googleWalletUrl: 'https://a.example/',
  };
  const json = (value: unknown) => new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

  test.each([
    ['is no ID', (_: string, asked: string) => asked === small, () => small],
    ['is the same, shown as it is', () => true, () => small],
    ['is the same, shown as it was asked for', () => true, (asked: string) => asked],
  ])('%s', async (_, isThere, shown) => {
    let balance = 5;
    const { ask, found } = client(async (request) => {
      const asked = new URL(request.url).pathname.split('/').at(-1) ?? '';
      const isAsked = /^a0/i.test(asked);
      const named = isAsked ? asked : small;
      if (!isThere(asked, named)) return new Response('There is none.', { status: 404 });
      const card = { id: shown(named), code: 'A-CODE', balance, currency: 'EUR', status: 'Active', ...links };
      if (request.method !== 'POST' || request.url.endsWith('Create')) return json(card);
      const { adjustmentAmount, giftCardId } = (await request.json()) as { adjustmentAmount: number; giftCardId: string };
      if (!isThere('', giftCardId)) return new Response('There is none.', { status: 404 });
      if (balance + adjustmentAmount < 0) return new Response('It holds less.', { status: 400 });
      balance += adjustmentAmount;
      return json(true);
    });
    await ask('POST', 'GiftCard/Create', { balance: 5, code: 'A-CODE' });
    await ask('GET', `GiftCard/GetById/${large}`);
    await ask('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardId', { ...adjustment(3, 'one'), giftCardId: large });
    await ask('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardId', { ...adjustment(-7, 'two'), giftCardId: small });
    await ask('GET', `GiftCard/GetById/${small}`);
    await ask('GET', 'GiftCard/GetByCode/A-CODE');
    expect(found()).toEqual([]);
  });
});

test('a query value of the same name does not stand for what the path names', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const { ask, found } = client((request) => mock.fetch(request), mock.apiKey);
  const look = (path: string) => ask('GET', `GiftCard/GetByCode/${path}`);
  const create = (code: string) => ask('POST', 'GiftCard/Create', { balance: 5, code, uniqueId: code });
  for (const code of ['FIRST', 'SECOND']) expect((await create(code)).status).toBe(200);
  for (const query of ['code=SECOND', 'Code=SECOND', 'code=SECOND&code=FIRST']) await look(`FIRST?${query}`);
  expect((await ask('DELETE', 'GiftCard/VoidByCode/FIRST?code=SECOND')).status).toBe(200);
  for (const code of ['FIRST', 'SECOND']) expect((await look(code)).status).toBe(200);
  await mock.close();
  expect(found()).toEqual([]);
});

test('nor does one that a facts file calls so', async () => {
  const proxy = within(async () => new Response('{}'));
  await proxy.fetch(new Request('http://127.0.0.1/api/GiftCard/GetByCode/FIRST?cardCode=SECOND'));
  const [seen] = proxy.exchanges;
  const reader = readerBy([{ row: { rename: 'getGiftCardByCode.code', to: 'cardCode' }, from: 'wire' }]);
  expect(seen && readOf(seen, reader)?.parameters).toEqual({ code: seen?.parameters.code });
});
