import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { getJournalEntry, listJournal, listSandboxJournal } from '../control/journal.ts';
import { Faults } from '../faults/faults.ts';
import { serveNow } from '../pipeline/handle.ts';
import { journaledAccount, shop } from '../testing/account-fixture.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';

describe('an exchange', () => {
  test('request, response, operation and changes, under the number of its cause', async () => {
    const { create, account, last, sandbox } = journaledAccount();
    const { id, code } = create({ balance: 20 });
    await sandbox.settled();
    expect(last()).toEqual({
      number: 1,
      kind: 'request',
      what: 'createGiftCard',
      atUtc: '2026-01-15T12:00:00.000Z',
      milliseconds: expect.any(Number),
      request: {
        method: 'POST',
        target: '/api/GiftCard/Create',
        headers: { 'content-type': 'application/json', 'x-api-key': '***' },
        body: '{"balance":20}',
        bytes: 14,
        cut: false,
      },
      response: {
        status: 200,
        mediaType: 'application/json; charset=utf-8',
        body: expect.stringContaining(`"code":"${code}"`),
        bytes: Buffer.byteLength(last().response?.body ?? ''),
        cut: false,
      },
      refusal: null,
      fault: null,
      changes: [{ table: 'cards', id, giftCardId: id, what: 'added, balance 20 USD, Active' }],
      effects: [
        { kind: 'push', giftCardId: id, what: 'to Web shop: 20 USD', outcome: 'synced', milliseconds: null, rule: null },
        expect.objectContaining({ kind: 'suppressed', what: 'email', rule: 'emails.none-by-default' }),
        expect.objectContaining({
          kind: 'suppressed',
          what: 'giftcard/updated',
          rule: 'delivery.updated.without-notification',
        }),
      ],
      curl: expect.stringContaining('curl'),
      advice: [expect.objectContaining({ name: 'create-without-unique-id' })],
    });
    expect(account.effects.outbox.all()).toEqual([]);
  });

  test('a change of the balance, and the rule of a refusal', () => {
    const { create, adjust, entries, send } = journaledAccount();
    const { id, code } = create({ balance: 20 });
    adjust(code, -5.5, { uniqueAdjustmentId: 'a-1' });
    adjust(code, -5.5, { uniqueAdjustmentId: 'a-1' });
    send('DELETE', `/api/GiftCard/VoidById/${id}`);
    const [, adjusted, refused, voided] = entries();
    expect(adjusted?.changes).toEqual([
      { table: 'cards', id, giftCardId: id, what: 'changed, balance 20 → 14.5 USD' },
      { table: 'adjustments', id: expect.any(String), giftCardId: id, what: 'added, -5.5 USD' },
    ]);
    expect(refused).toMatchObject({
      number: 3,
      what: 'addAdjustmentByGiftCardCode',
      refusal: { code: 'adjustment.unique-id-used', rule: 'idempotency.adjustment.refuses-repeat' },
      response: { status: 400 },
      changes: [],
      effects: [],
    });
    expect(voided?.changes).toEqual([
      { table: 'cards', id, giftCardId: id, what: 'changed, balance 14.5 → 0 USD, Active → Voided' },
    ]);
  });

  test('an email and a delivery with the receiver’s response', async () => {
    const receiver = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?token=s3cret`;
    try {
      const { create, last, sandbox } = journaledAccount({ webhooks: [{ url }] });
      create({ shouldSendNotification: true, recipientEmailAddress: 'ada@example.com' });
      await sandbox.settled();
      expect(
        last()
          .effects.slice(1)
          .map(({ kind, what, outcome, milliseconds }) => [kind, what, outcome, milliseconds]),
      ).toEqual([
        ['email', 'gift-card to ada@example.com', 'sent', null],
        [
          'delivery',
          `giftcard/updated to ${url.replace('s3cret', '***')}`,
          'failed: 503 (1 of 6 lifetime failures)',
          expect.any(Number),
        ],
      ]);
    } finally {
      receiver.close();
    }
  });

  test('events of the clock are entries, too', async () => {
    const { create, at, entries, sandbox } = journaledAccount();
    const { id } = create({ balance: 20, expiresAtUtc: '2026-02-01T00:00:00Z' });
    at(Date.UTC(2026, 1, 2));
    await sandbox.settled();
    expect(entries().at(-1)).toMatchObject({
      number: 2,
      kind: 'clock',
      what: 'expiry',
      atUtc: '2026-02-01T00:00:00.000Z',
      request: null,
      response: null,
      curl: null,
      changes: [{ id, what: 'changed, Active → Expired' }],
      effects: [
        { kind: 'push', outcome: 'synced' },
        { kind: 'suppressed', outcome: 'not sent: the account has no webhook', rule: 'delivery.one-per-webhook' },
      ],
    });
  });

  test('a fault that matched, with the response that was sent', () => {
    const { account, send, last } = journaledAccount();
    account.faults = new Faults(1, account.id);
    const any = { body: null, milliseconds: 0, first: null, nth: null, probability: null };
    account.faults.add({ on: 'request', fault: 'status', operation: 'createGiftCard', when: 'after', status: 503, ...any });
    send('POST', '/api/GiftCard/Create', { balance: 5 });
    expect(last()).toMatchObject({
      response: { status: 503 },
      refusal: null,
      fault: expect.stringContaining('status 503 after the change'),
      changes: [{ what: 'added, balance 5 USD, Active' }],
    });
  });

  test('a long body is cut, and its length is kept', () => {
    const { create, last, send } = journaledAccount();
    create({ notes: 'é'.repeat(20_000) });
    const { request, response, curl } = last();
    expect(request).toMatchObject({ bytes: 40_000 + '{"balance":25,"notes":""}'.length, cut: true });
    expect(request?.body).toMatch(/^\{"balance":25,"notes":"é+$/);
    expect(response?.cut).toBe(true);
    expect(curl).toBeNull();
    send('POST', '/api/GiftCard/Create', 'not JSON');
    expect(last()).toMatchObject({ request: { body: 'not JSON', cut: false }, refusal: { code: 'request.malformed-json' } });
  });

  test('a body that was too large is not kept', () => {
    const { sandbox, account, last } = journaledAccount();
    const headers = { 'x-api-key': account.keys[0]?.key as string };
    serveNow(sandbox, { method: 'POST', target: '/api/GiftCard/Create', headers, body: 'too large' });
    expect(last()).toMatchObject({
      request: { body: null, bytes: null, cut: true },
      refusal: { code: 'request.too-large' },
      curl: null,
    });
  });
});

describe('requests without a valid key', () => {
  test('are in the journal of the sandbox', () => {
    const { send, sandbox, entries } = journaledAccount();
    send('GET', '/api/GiftCard/List', undefined, 'misspelt');
    send('GET', '/api/GiftCard/List?x-api-key=misplaced', undefined, null);
    expect(entries()).toEqual([]);
    const listed = listSandboxJournal({ sandbox, query: {} });
    expect(listed.entries.map(({ number, refusal, request }) => [number, refusal?.code, request?.target])).toEqual([
      [1, 'auth.key-unknown', '/api/GiftCard/List'],
      [2, 'auth.key-missing', '/api/GiftCard/List?x-api-key=***'],
    ]);
    expect(JSON.stringify(listed)).not.toContain('misspelt');
    sandbox.reset();
    expect(listSandboxJournal({ sandbox, query: {} }).entries).toEqual([]);
  });
});

describe('finding entries', () => {
  test('by operation, status, refusal, card and number', () => {
    const { sandbox, account, send, create, adjust } = journaledAccount();
    const one = create({ code: 'GIFT-1' });
    create({ code: 'GIFT-10' });
    adjust('GIFT-1', -5);
    adjust('NONE', -5);
    send('GET', '/api/GiftCard/GetByCode/gift-1');
    send('GET', `/api/GiftCard/GetById/${one.id}`);
    send('GET', '/api/GiftCard/GetByCode/GIFT-10');
    const numbers = (query: Parameters<typeof listJournal>[0]['query'] & object) =>
      listJournal({ sandbox, account, query }).entries.map(({ number }) => number);
    expect(numbers({})).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(numbers({ operation: 'createGiftCard' })).toEqual([1, 2]);
    expect(numbers({ status: 404 })).toEqual([4, 5]);
    expect(numbers({ refusal: 'gift-card.not-found', limit: 1 })).toEqual([5]);
    expect(numbers({ card: 'GIFT-1' })).toEqual([1, 3, 5, 6]);
    expect(numbers({ limit: 2 })).toEqual([6, 7]);
    expect(numbers({ after: 2, limit: 2 })).toEqual([3, 4]);
    expect(listJournal({ sandbox, account, query: { limit: 2 } })).toMatchObject({ matching: 7, dropped: 0 });
  });

  test('one entry by its number, or a sentence if it is not kept', () => {
    const { sandbox, account, create } = journaledAccount();
    create();
    expect(getJournalEntry({ sandbox, account, path: { account: account.id, number: 1 } }).number).toBe(1);
    expect(() => getJournalEntry({ sandbox, account, path: { account: account.id, number: 2 } })).toThrow(
      'The journal of main has no entry 2',
    );
  });
});

test('the journal is limited, and counts the entries that it dropped', () => {
  const { sandbox, account, create, send } = journaledAccount();
  const { code } = create({ notes: 'n'.repeat(10_000) });
  for (let index = 0; index < 2_000; index++) send('GET', `/api/GiftCard/GetByCode/${code}`);
  const { entries, matching, dropped } = listJournal({ sandbox, account, query: { limit: 1 } });
  expect(dropped).toBeGreaterThan(500);
  expect(matching + dropped).toBe(2_001);
  expect(entries[0]?.number).toBe(2_001);
});

test('the state is plain JSON, and a restored journal shows the same', async () => {
  const { account, create, adjust, send, entries, sandbox, at } = journaledAccount();
  const { code } = create({ expiresAtUtc: '2026-02-01T00:00:00Z' });
  adjust(code, -30);
  send('POST', '/api/Webhook/Create', { url: 'https://hook.example/', requestHeaderVerificationToken: 's3cret' });
  at(NOON + 60 * 24 * 3_600_000);
  await sandbox.settled();
  const state = JSON.parse(JSON.stringify(account.journal.state()));
  const other = sandboxOf([{ channels: [shop] }]).account;
  other.journal.restore(state);
  other.effects.restore(JSON.parse(JSON.stringify(account.effects.state())));
  expect(listJournal({ sandbox, account: other, query: {} }).entries).toEqual(entries());
  expect(other.journal.advice()).toEqual(account.journal.advice());
  expect(JSON.parse(JSON.stringify(other.journal.state()))).toEqual(state);
});
