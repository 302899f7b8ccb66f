import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Account } from '../accounts/account.ts';
import { deliveriesOf } from '../control/effects.ts';
import { adviceOf, cardChain, journalEntry, listJournal, listStrangers } from '../control/journal.ts';
import { Faults } from '../faults/faults.ts';
import { NOON, sandboxOf } from '../fixture.ts';
import { heldBy } from '../secrets/held.ts';
import type { CardRecord } from '../state/records.ts';
import type { AccountFile } from '../world-file/description.ts';

const shop = { id: 'shop', name: 'Web shop', acceptsCodes: '.*' };

/** An account with a channel, and its journal as the control door shows it. */
function journalled(account: AccountFile = { channels: [shop] }) {
  const fixture = sandboxOf([account]);
  const entries = (filter = {}) => listJournal(fixture.account, undefined, filter).entries;
  const last = () => {
    const entry = entries().at(-1);
    if (!entry) throw new Error('The journal is empty.');
    return entry;
  };
  return { ...fixture, entries, last };
}

describe('an exchange', () => {
  test('request, answer, operation and changes, under the number of its cause', async () => {
    const { create, account, last, sandbox } = journalled();
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
      answer: {
        status: 200,
        mediaType: 'application/json; charset=utf-8',
        body: expect.stringContaining(`"code":"${code}"`),
        bytes: Buffer.byteLength(last().answer?.body ?? ''),
        cut: false,
      },
      refusal: null,
      fault: null,
      changes: [{ table: 'cards', id, giftCardId: id, what: 'added, balance 20 USD, Active' }],
      effects: [
        { kind: 'push', giftCardId: id, what: 'to Web shop: 20 USD', outcome: 'synced', clause: null },
        expect.objectContaining({ kind: 'suppressed', what: 'email', clause: 'emails.none-by-default' }),
        expect.objectContaining({
          kind: 'suppressed',
          what: 'giftcard/updated',
          clause: 'delivery.updated.without-notification',
        }),
      ],
      curl: expect.stringContaining('curl'),
      advice: [expect.objectContaining({ name: 'create-without-unique-id' })],
    });
    expect(account.outbox.emails()).toEqual([]);
  });

  test('a change of balance in words, and what a refusal was for', () => {
    const { create, adjust, entries, ask } = journalled();
    const { id, code } = create({ balance: 20 });
    adjust(code, -5.5, { uniqueAdjustmentId: 'a-1' });
    adjust(code, -5.5, { uniqueAdjustmentId: 'a-1' });
    ask('DELETE', `/api/GiftCard/VoidById/${id}`);
    const [, adjusted, refused, voided] = entries();
    expect(adjusted?.changes).toEqual([
      { table: 'cards', id, giftCardId: id, what: 'changed, balance 20 → 14.5 USD' },
      { table: 'adjustments', id: expect.any(String), giftCardId: id, what: 'added, -5.5 USD' },
    ]);
    expect(refused).toMatchObject({
      number: 3,
      what: 'addAdjustmentByGiftCardCode',
      refusal: { code: 'adjustment.unique-id-used', clause: 'idempotency.adjustment.refuses-repeat' },
      answer: { status: 400 },
      changes: [],
      effects: [],
    });
    expect(voided?.changes).toEqual([
      { table: 'cards', id, giftCardId: id, what: 'changed, balance 14.5 → 0 USD, Active → Voided' },
    ]);
  });

  test('an email and a delivery with the receiver’s answer', async () => {
    const receiver = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?token=s3cret`;
    try {
      const { create, last, sandbox } = journalled({ webhooks: [{ url }] });
      create({ shouldSendNotification: true, recipientEmailAddress: 'ada@example.com' });
      await sandbox.settled();
      expect(
        last()
          .effects.slice(1)
          .map(({ kind, what, outcome }) => [kind, what, outcome]),
      ).toEqual([
        ['email', 'gift-card to ada@example.com', 'sent'],
        ['delivery', `giftcard/updated to ${url.replace('s3cret', '***')}`, 'failed: 503 (1 of 6 lifetime failures)'],
      ]);
    } finally {
      receiver.close();
    }
  });

  test('a moment of the clock and the dashboard are entries too', async () => {
    const { create, at, entries, sandbox } = journalled();
    const { id } = create({ balance: 20, expiresAtUtc: '2026-02-01T00:00:00Z' });
    at(Date.UTC(2026, 1, 2));
    await sandbox.settled();
    expect(entries().at(-1)).toMatchObject({
      number: 2,
      kind: 'clock',
      what: 'expiry',
      atUtc: '2026-02-01T00:00:00.000Z',
      request: null,
      answer: null,
      curl: null,
      changes: [{ id, what: 'changed, Active → Expired' }],
      effects: [
        { kind: 'push', outcome: 'synced' },
        { kind: 'suppressed', outcome: 'not sent: the account has no webhook', clause: 'delivery.one-per-webhook' },
      ],
    });
  });

  test('a fault that struck, with the answer as it left', () => {
    const { account, ask, last } = journalled();
    account.faults = new Faults(1, account.id);
    const any = { body: null, milliseconds: 0, first: null, nth: null, probability: null };
    account.faults.add({ fault: 'status', operation: 'createGiftCard', when: 'after', status: 503, ...any });
    ask('POST', '/api/GiftCard/Create', { balance: 5 });
    expect(last()).toMatchObject({
      answer: { status: 503 },
      refusal: null,
      fault: 'status 503 after the change, on every call of createGiftCard',
      changes: [{ what: 'added, balance 5 USD, Active' }],
    });
  });

  test('a body that is long is cut, and it is said how long it was', () => {
    const { create, last, ask } = journalled();
    create({ notes: 'é'.repeat(20_000) });
    const { request, answer, curl } = last();
    expect(request).toMatchObject({ bytes: 40_000 + '{"balance":25,"notes":""}'.length, cut: true });
    expect(request?.body).toMatch(/^\{"balance":25,"notes":"é+$/);
    expect(answer?.cut).toBe(true);
    expect(curl).toBeNull();
    ask('POST', '/api/GiftCard/Create', 'not JSON');
    expect(last()).toMatchObject({ request: { body: 'not JSON', cut: false }, refusal: { code: 'request.malformed-json' } });
  });

  test('what was too large was not kept', () => {
    const { sandbox, account, last } = journalled();
    const headers = { 'x-api-key': account.keys[0]?.key as string };
    sandbox.handle({ method: 'POST', target: '/api/GiftCard/Create', headers, body: 'too large' });
    expect(last()).toMatchObject({
      request: { body: null, bytes: null, cut: true },
      refusal: { code: 'request.too-large' },
      curl: null,
    });
  });
});

describe('nothing secret is shown', () => {
  const key = 'sandbox-key-that-nobody-may-see';
  const account: AccountFile = { keys: [{ key, description: 'Key' }] };

  test('in headers, addresses and bodies', () => {
    const { sandbox, account: holder, entries } = journalled(account);
    const body = (text: string) => Buffer.from(text);
    const url = 'https://hook.example/x';
    for (const text of [
      `{"url":"${url}","requestHeaderVerificationToken":"s3cret"}`,
      `{"url":"${url}","requestHeaderVerificationToken" : "s3cret \\" more s3cret"}`,
      `{"url":"${url}","requestHeaderVerificationTok\\u0065n":"s3cret"}`,
      `{"requestHeaderVerificationToken":"s3cret`,
      `{'requestHeaderVerificationToken':'s3cret'}`,
      'requestHeaderVerificationToken=s3cret&url=x',
      `{"requestHeaderVerificationToken":"s3cret${'x'.repeat(20_000)}"}`,
      `{"url":"${url}","description":"my key is ${key}"}`,
      `{"url":"https://shop:s3cret@hook.example/x?token=s3cret"}`,
      `{"url":"http://shop:s3cret@hook.example/refused"}`,
    ]) {
      const headers = { 'x-api-key': key, authorization: 'Bearer s3cret', cookie: 'a=s3cret', 'x-auth-token': 's3cret' };
      sandbox.handle({ method: 'POST', target: `/api/Webhook/Create?api_key=${key}&token=s3cret`, headers, body: body(text) });
    }
    for (const shown of [JSON.stringify(entries()), JSON.stringify(holder.journal.state())])
      expect(shown).not.toContain('s3cret');
    expect(JSON.stringify(entries())).not.toContain(key);
    expect(entries()).toHaveLength(10);
    expect(entries()[8]?.answer?.body).toContain('"https://shop:***@hook.example/x?token=***"');
    expect(entries()[0]?.request).toMatchObject({
      target: '/api/Webhook/Create?api_key=***&token=***',
      headers: { 'x-api-key': '***', authorization: 'Bearer ***', cookie: '***', 'x-auth-token': '***' },
      body: `{"url":"${url}","requestHeaderVerificationToken":"***"}`,
    });
  });

  test('in what an adviser has seen', () => {
    const { ask, account: holder, entries } = journalled(account);
    ask('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'a', [key]: 1, 'https://u:s3cret@h.example': 2 });
    for (const shown of [entries(), adviceOf(holder)]) {
      expect(JSON.stringify(shown)).toContain('which the service does not know');
      expect(JSON.stringify(shown)).not.toMatch(`${key}|s3cret`);
    }
  });

  test('in what was caused', async () => {
    const {
      create,
      ask,
      entries,
      sandbox,
      account: holder,
    } = journalled({ webhooks: [{ url: 'http://shop:s3cret@127.0.0.1:1/hook?key=s3cret&a=1' }] });
    const card = create({ shouldSendNotification: true, recipientEmailAddress: 'ada@example.com' });
    await sandbox.settled();
    const told = [entries(), cardChain(holder, holder.state.card(card.id) as CardRecord), await deliveriesOf(holder)];
    for (const shown of told) {
      expect(JSON.stringify(shown)).toContain('http://shop:***@127.0.0.1:1/hook?key=***&a=1');
      expect(JSON.stringify(shown)).not.toContain('s3cret');
    }
    expect(ask('GET', '/api/Webhook/List').body).toMatchObject([{ url: 'http://shop:s3cret@127.0.0.1:1/hook?key=s3cret&a=1' }]);
  });

  test('under the name that a row of the wire gives it, also of a webhook that was refused or is gone', () => {
    const rows = [{ rename: 'CreateWebhookRequest.requestHeaderVerificationToken', to: 'verification' }];
    const { ask, account: holder } = sandboxOf([account], { rows });
    const made = ask('POST', '/api/Webhook/Create', { url: 'https://hook.example/', verification: 'a-token-of-ours' });
    ask('POST', '/api/Webhook/Create', { url: 5, verification: 'a-token-of-ours' });
    ask('GET', '/api/GiftCard/GetByCode/a-token-of-ours');
    expect(JSON.stringify(listJournal(holder, undefined, {}))).not.toContain('a-token-of-ours');
    ask('DELETE', `/api/Webhook/Delete/${made.body.id}`);
    const [created, refused] = listJournal(holder, undefined, {}).entries;
    expect([created?.answer?.status, refused?.answer?.status]).toEqual([200, 400]);
    for (const entry of [created, refused]) {
      expect(entry?.request?.body).toContain('"verification":"***"');
      expect(entry?.curl).toContain('GIFTCARD_SECRET');
      expect(JSON.stringify(entry)).not.toContain('a-token-of-ours');
    }
  });

  test('a key of one account is shown neither to another nor among the requests of nobody', () => {
    const other = '"key"/of<an>account';
    const { ask, sandbox } = sandboxOf([account, { id: 'other', keys: [{ key: other, description: 'Key' }] }]);
    const wanted = [`/api/GiftCard/GetByCode/${encodeURIComponent(other)}`, { note: other }] as const;
    ask('POST', ...wanted);
    ask('POST', ...wanted, null);
    const [holder] = sandbox.accounts.values();
    const held = heldBy(sandbox.accounts.values());
    const told = JSON.stringify([listJournal(holder as Account, undefined, {}, held), listStrangers(sandbox, {})]);
    expect(told).not.toContain('of<an>account');
    expect(told).not.toContain('of%3Can%3Eaccount');
    expect(told.match(/GetByCode\/\*\*\*/g)).toHaveLength(2);
  });

  test('a body that is no text makes no line where a secret is in it', () => {
    const { sandbox, last } = journalled(account);
    const send = (text: string) =>
      sandbox.handle({
        method: 'POST',
        target: '/api/Webhook/Create',
        headers: { 'x-api-key': key },
        body: Buffer.concat([Buffer.from([255]), Buffer.from(text)]),
      });
    send(`"my key is ${key}"`);
    expect(last().curl).toBeNull();
    send('nothing');
    expect(last().curl).toContain('printf');
  });

  test('an idempotency_key is no secret', () => {
    const { ask, last } = journalled();
    ask('POST', '/api/AutomationTriggerEvents', {
      event_name: 'x',
      recipient_email: 'ada@example.com',
      idempotency_key: 'order-1',
    });
    expect(last().request?.body).toContain('"idempotency_key":"order-1"');
  });
});

describe('requests of nobody', () => {
  test('are kept by the sandbox', () => {
    const { ask, sandbox, entries } = journalled();
    ask('GET', '/api/GiftCard/List', undefined, 'misspelt');
    ask('GET', '/api/GiftCard/List?x-api-key=misplaced', undefined, null);
    expect(entries()).toEqual([]);
    const listed = listStrangers(sandbox, {});
    expect(listed.entries.map(({ number, refusal, request }) => [number, refusal?.code, request?.target])).toEqual([
      [1, 'auth.key-unknown', '/api/GiftCard/List'],
      [2, 'auth.key-missing', '/api/GiftCard/List?x-api-key=***'],
    ]);
    expect(JSON.stringify(listed)).not.toContain('misspelt');
    expect(sandbox.journal.advice().map(({ name }) => name)).toEqual(['key-in-query']);
    sandbox.reset();
    expect(listStrangers(sandbox, {}).entries).toEqual([]);
  });
});

describe('finding entries', () => {
  test('by operation, status, refusal, card and number', () => {
    const { account, ask, create, adjust } = journalled();
    const one = create({ code: 'GIFT-1' });
    create({ code: 'GIFT-10' });
    adjust('GIFT-1', -5);
    adjust('NONE', -5);
    ask('GET', '/api/GiftCard/GetByCode/gift-1');
    ask('GET', `/api/GiftCard/GetById/${one.id}`);
    ask('GET', '/api/GiftCard/GetByCode/GIFT-10');
    const numbers = (filter: Parameters<typeof listJournal>[2], code?: string) =>
      listJournal(account, code === undefined ? undefined : (account.state.cardByCode(code) as CardRecord), filter).entries.map(
        ({ number }) => number,
      );
    expect(numbers({})).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(numbers({ operation: 'createGiftCard' })).toEqual([1, 2]);
    expect(numbers({ status: 404 })).toEqual([4, 5]);
    expect(numbers({ refusal: 'gift-card.not-found', limit: 1 })).toEqual([5]);
    expect(numbers({}, 'GIFT-1')).toEqual([1, 3, 5, 6]);
    expect(numbers({ limit: 2 })).toEqual([6, 7]);
    expect(numbers({ after: 2, limit: 2 })).toEqual([3, 4]);
    expect(listJournal(account, undefined, { limit: 2 })).toMatchObject({ matching: 7, dropped: 0 });
  });

  test('one by its number, or why it is not there', () => {
    const { account, create } = journalled();
    create();
    expect(journalEntry(account, 1).number).toBe(1);
    expect(() => journalEntry(account, 2)).toThrow('The journal of main has no entry 2.');
  });
});

test('it has an end, and says what it dropped', () => {
  const { account, create, ask } = journalled();
  const { code } = create({ notes: 'n'.repeat(10_000) });
  for (let asked = 0; asked < 2_000; asked++) ask('GET', `/api/GiftCard/GetByCode/${code}`);
  const { entries, matching, dropped } = listJournal(account, undefined, { limit: 1 });
  expect(dropped).toBeGreaterThan(500);
  expect(matching + dropped).toBe(2_001);
  expect(entries[0]?.number).toBe(2_001);
});

test('its state is plain JSON, and a journal that takes it shows the same', async () => {
  const { account, create, adjust, ask, entries, sandbox, at } = journalled();
  const { code } = create({ expiresAtUtc: '2026-02-01T00:00:00Z' });
  adjust(code, -30);
  ask('POST', '/api/Webhook/Create', { url: 'https://hook.example/', requestHeaderVerificationToken: 's3cret' });
  at(NOON + 60 * 24 * 3_600_000);
  await sandbox.settled();
  const state = JSON.parse(JSON.stringify(account.journal.state()));
  const other = sandboxOf([{ channels: [shop] }]).account;
  other.journal.restore(state);
  const withoutElsewhere = (list: ReturnType<typeof entries>) =>
    list.map(({ effects, ...rest }) => ({ ...rest, effects: effects.filter(({ kind }) => kind === 'push') }));
  expect(withoutElsewhere(listJournal(other, undefined, {}).entries)).toEqual(withoutElsewhere(entries()));
  expect(other.journal.advice()).toEqual(account.journal.advice());
  expect(JSON.parse(JSON.stringify(other.journal.state()))).toEqual(state);
});
