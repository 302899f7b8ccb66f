import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { NOTIFIED, shopOf } from '../testing/shop-fixture.ts';
import { fireDelivery, listDeliveries, listEmails, listSuppressed, resendDelivery } from './effects.ts';

describe('a read that waits', () => {
  test('returns the entries that exist, or a new entry as soon as it comes', async () => {
    const { account, create, sandbox } = await shopOf();
    const waiting = listDeliveries({ account, query: { wait: '1m', state: 'delivered' } });
    const email = listEmails({ account, query: { wait: '1m', kind: 'gift-card' } });
    const card = create(NOTIFIED);
    expect(await waiting).toMatchObject([{ giftCardId: card.id, state: 'delivered' }]);
    expect(await email).toMatchObject([{ giftCardId: card.id, to: NOTIFIED.recipientEmailAddress }]);
    expect(await listDeliveries({ account, query: { wait: '1m' } })).toHaveLength(1);
    const silent = listSuppressed({ account, query: { wait: '1m', what: 'email', card: create().id } });
    expect(await silent).toMatchObject([{ what: 'email', rule: 'emails.none-by-default' }]);
    await sandbox.settled();
  });

  test('waits for as many entries as `count` says', async () => {
    const { account, create } = await shopOf();
    const waiting = listDeliveries({ account, query: { wait: '1m', count: 2, topic: 'giftcard/updated' } });
    for (const code of ['A', 'B']) create({ ...NOTIFIED, code });
    expect(await waiting).toHaveLength(2);
    expect(await listDeliveries({ account, query: { limit: 1 } })).toMatchObject([{ code: 'B' }]);
  });

  test('waits for a card by a code that there is not yet', async () => {
    const { account, create } = await shopOf();
    const waiting = listDeliveries({ account, query: { wait: 'PT1M', card: 'TO-COME' } });
    const email = listEmails({ account, query: { wait: '1m', card: 'TO-COME' } });
    create({ ...NOTIFIED, code: 'ANOTHER' });
    create({ ...NOTIFIED, code: 'TO-COME' });
    expect(await waiting).toMatchObject([{ code: 'TO-COME' }]);
    expect(await email).toMatchObject([{ code: 'TO-COME' }]);
  });

  test('at the deadline, or when the account is gone, returns the entries that exist', async () => {
    const { account, sandbox } = sandboxOf();
    expect(await listDeliveries({ account, query: { wait: '1ms' } })).toEqual([]);
    const waits = [
      listDeliveries({ account, query: { wait: '10m' } }),
      listEmails({ account, query: { wait: '10m' } }),
      listSuppressed({ account, query: { wait: '10m' } }),
    ];
    sandbox.reset();
    expect(await Promise.all(waits)).toEqual([[], [], []]);
  });

  test('returns the entries that match the query', async () => {
    const { account, send, create, sandbox, at, webhookId } = await shopOf();
    const one = create(NOTIFIED);
    at(NOON + 1000);
    const other = create({ ...NOTIFIED, recipientEmailAddress: 'other@example.com' });
    await sandbox.settled();
    const ids = async (filter: Parameters<typeof listDeliveries>[0]['query'] & object) =>
      (await listDeliveries({ account, query: filter })).map((each) => each.giftCardId);
    expect(await ids({})).toEqual([one.id, other.id]);
    expect(await ids({ card: other.id })).toEqual([other.id]);
    expect(await ids({ card: other.code })).toEqual([other.id]);
    await expect(ids({ card: 'UNKNOWN' })).rejects.toThrow(/no gift card with the id or code UNKNOWN/);
    expect(await ids({ since: '2026-01-15T12:00:01Z' })).toEqual([other.id]);
    expect(await ids({ webhookId })).toHaveLength(2);
    expect(await ids({ webhookId: 'another' })).toEqual([]);
    send('DELETE', `/api/Webhook/Delete/${webhookId}`);
    expect(await ids({ webhookId })).toHaveLength(2);
    expect(await ids({ topic: 'giftcard/voided' })).toEqual([]);
    expect(await listEmails({ account, query: { to: 'other@example.com' } })).toMatchObject([{ giftCardId: other.id }]);
  });

  test.each([
    [{ wait: '11m' }, /10 minutes.*"11m"/],
    [{ wait: 'long' }, /^wait .*"long"/],
  ])('%o is refused with a sentence', async (filter, sentence) => {
    await expect(listDeliveries({ account: sandboxOf().account, query: filter })).rejects.toThrow(sentence);
  });
});

test('a receiver’s response is shown without what is secret in it', async () => {
  const { account, create, receiver, sandbox } = await shopOf();
  receiver.respond = (response) => response.writeHead(302, { location: 'https://u:s3cret@hook.example/new?token=s3cret' }).end();
  create(NOTIFIED);
  await sandbox.settled();
  const [delivery] = await listDeliveries({ account });
  expect(delivery?.attempts[0]?.response).toMatchObject({
    headers: { location: 'https://u:***@hook.example/new?token=***' },
  });
});

describe('resending', () => {
  test('posts exactly the same once more, and costs the webhook nothing', async () => {
    const { account, create, sandbox, receiver } = await shopOf({}, { requestHeaderVerificationToken: 'the token' });
    create(NOTIFIED);
    await sandbox.settled();
    const { requestId } = (await listDeliveries({ account }))[0] as { requestId: string };
    receiver.respond = 500;
    const delivery = await resendDelivery({ account, path: { account: account.id, requestId } });
    const [one, again] = receiver.received;
    expect(again?.bytes.equals(one?.bytes as Buffer)).toBe(true);
    expect(again?.headers['hmac-signature-sha256']).toBe(one?.headers['hmac-signature-sha256']);
    expect(delivery).toMatchObject({ state: 'delivered', failures: '0 of 6 lifetime failures' });
    expect(delivery.attempts).toMatchObject([
      { kind: 'delivery', response: { status: 200 }, cause: { number: 2, kind: 'request', what: 'createGiftCard' } },
      { kind: 'resend', response: { status: 500 }, cause: { number: 3, kind: 'control', what: 'resend' } },
    ]);
    expect(account.state.webhook(delivery.webhookId)?.failures).toBe(0);
  });

  test('what was dropped can be sent after all; what waits or is unknown cannot', async () => {
    const { account, create, sandbox, receiver, send, webhookId } = await shopOf();
    create(NOTIFIED);
    const { requestId } = (await listDeliveries({ account }))[0] as { requestId: string };
    await expect(resendDelivery({ account, path: { account: account.id, requestId } })).rejects.toMatchObject({ status: 409 });
    send('DELETE', `/api/Webhook/Delete/${webhookId}`);
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
    expect(await resendDelivery({ account, path: { account: account.id, requestId } })).toMatchObject({
      state: 'dropped',
      attempts: [{ kind: 'resend', response: { status: 200 } }],
    });
    await expect(resendDelivery({ account, path: { account: account.id, requestId: 'unknown' } })).rejects.toThrow(
      /no delivery with the RequestId unknown/,
    );
  });

  test('the response of a receiver is shown, and the signature', async () => {
    const { account, create, sandbox, receiver } = await shopOf({}, { requestHeaderVerificationToken: 'the token' });
    receiver.respond = (response) => response.writeHead(418, { 'content-type': 'text/plain', 'x-other': 'x' }).end('a teapot');
    create(NOTIFIED);
    await sandbox.settled();
    const [delivery] = await listDeliveries({ account });
    const [attempt] = delivery?.attempts ?? [];
    const signature = receiver.received[0]?.headers['hmac-signature-sha256'] as string;
    expect(attempt).toMatchObject({
      response: { status: 418, headers: { 'content-type': 'text/plain' }, body: 'a teapot' },
      error: null,
      headers: { 'HMAC-Signature-SHA256': signature },
    });
    expect([delivery?.body, attempt?.body]).toEqual([receiver.received[0]?.bytes.toString('utf8'), null]);
  });
});

test("a webhook's token is masked in its URL and in what a receiver sends back", async () => {
  const token = 'token-of-this-webhook';
  const { account, create, sandbox, receiver, register } = await shopOf();
  register(`${receiver.url}/hooks/${token}`, { requestHeaderVerificationToken: token });
  receiver.respond = (response) => response.writeHead(200, { location: `/${token}` }).end(`got ${token}`);
  create(NOTIFIED);
  await sandbox.settled();
  const shown = JSON.stringify(await listDeliveries({ account }));
  expect(shown).toContain('got ***');
  expect(shown).toContain('/hooks/***');
  expect(shown).not.toContain(token);
});

test('webhook.disabled-gets-no-deliveries: a delivery without a receiver is suppressed, with the reason', async () => {
  const suppressedFor = async (webhooks: { url: string; enabled: boolean }[]) => {
    const { account, create, send } = sandboxOf([{ webhooks }]);
    send('DELETE', `/api/GiftCard/VoidByCode/${create({ code: 'GONE' }).code}`);
    return listSuppressed({ account, query: { what: 'giftcard/voided', card: 'GONE' } });
  };
  expect(await suppressedFor([])).toMatchObject([{ rule: 'delivery.one-per-webhook', why: 'the account has no webhook' }]);
  const disabled = { url: 'https://hook.example/', enabled: false };
  const rule = 'webhook.disabled-gets-no-deliveries';
  expect(await suppressedFor([disabled, disabled])).toMatchObject([
    { rule, why: expect.stringMatching(/^every webhook was disabled/) },
  ]);
  expect(await suppressedFor([disabled, { ...disabled, enabled: true }])).toEqual([]);
});

describe('firing', () => {
  test('delivers any topic for any card, as any other delivery', async () => {
    const { account, create, sandbox, receiver } = await shopOf();
    const card = account.state.card(create().id);
    if (!card) throw new Error('The fixture made no card.');
    receiver.respond = 500;
    expect(fireDelivery({ account, body: { card: card.id, topic: 'giftcard/expired' } })).toMatchObject([
      { topic: 'giftcard/expired', state: 'queued', giftCardId: card.id },
    ]);
    await sandbox.settled();
    expect(receiver.payloads).toMatchObject([{ WebhookTopic: 'giftcard/expired', GiftCardId: card.id, Status: 'Active' }]);
    expect(await listDeliveries({ account })).toMatchObject([
      { state: 'failed', failures: '1 of 6 lifetime failures', cause: { kind: 'control', what: 'fire' } },
    ]);
  });

  test('says why nothing would be delivered', async () => {
    for (const [settings, sentence] of [
      [{}, /no webhook.*\/api\/Webhook\/Create/],
      [{ webhooks: [{ url: 'https://h.example/', enabled: false }] }, /every webhook was disabled/],
      [{ subscriptionActive: false }, /not active/],
    ] as const) {
      const { account, create } = sandboxOf([settings]);
      const card = account.state.card(create().id);
      expect(() => card && fireDelivery({ account, body: { card: card.id, topic: 'giftcard/expired' } })).toThrow(sentence);
    }
  });
});
