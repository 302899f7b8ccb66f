import { describe, expect, test } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import { NOTIFIED, shopOf } from '../testing/shop-fixture.ts';

const URL_OF_SHOP = 'https://shop.example.com/deliveries?from=cards';

function webhooks(accounts = [{}, {}]) {
  const { send, sandbox } = sandboxOf(accounts);
  const [, other] = [...sandbox.accounts.values()].map(({ keys }) => keys[0]?.key as string);
  return {
    other: other as string,
    create: (body: object, key?: string) => send('POST', '/api/Webhook/Create', body, key),
    list: (key?: string) => send('GET', '/api/Webhook/List', undefined, key).body,
    remove: (id: string, key?: string) => send('DELETE', `/api/Webhook/Delete/${id}`, undefined, key),
  };
}

describe('creation', () => {
  test('webhook.create.returns-200, webhook.create.body: with the record', () => {
    const { status, body } = webhooks().create({ url: URL_OF_SHOP, description: 'Orders' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      url: URL_OF_SHOP,
      description: 'Orders',
      createdAtUtc: '2026-01-15T12:00:00.000Z',
    });
  });

  test('webhook.create.registers, webhook.list.of-account, webhook.list.order: the list has it, the oldest first', () => {
    const { create, list } = webhooks();
    const made = [create({ url: URL_OF_SHOP }).body, create({ url: 'https://other.example/' }).body];
    expect(list()).toEqual(made);
  });

  test('webhook.create.takes-description, webhook.create.description-required: optional free text', () => {
    const { create } = webhooks();
    expect(create({ url: URL_OF_SHOP, description: 'Zoë’s <till> №1' }).body.description).toBe('Zoë’s <till> №1');
    expect(create({ url: URL_OF_SHOP }).body.description).toBeNull();
    expect(create({ url: URL_OF_SHOP, description: null }).body.description).toBeNull();
  });

  test('webhook.create.token-optional', () => {
    const { create } = webhooks();
    for (const token of [{}, { requestHeaderVerificationToken: null }, { requestHeaderVerificationToken: 'secret' }])
      expect(create({ url: URL_OF_SHOP, ...token }).status).toBe(200);
  });

  test('webhook.token-in-responses: never', () => {
    const { create, list } = webhooks();
    const { body } = create({ url: URL_OF_SHOP, requestHeaderVerificationToken: 'only-mine' });
    expect(JSON.stringify([body, list()])).not.toContain('only-mine');
  });

  test('webhook.create.same-url-again: as another webhook', () => {
    const { create, list } = webhooks();
    const ids = [create({ url: URL_OF_SHOP }), create({ url: URL_OF_SHOP })].map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(2);
    expect(list()).toHaveLength(2);
  });

  test('webhook.create.url-checked: its receiver is not called', async () => {
    const { register, receiver, sandbox } = await shopOf();
    register(receiver.url);
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
  });

  test.each([
    'http://shop.example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://[::2]/',
    'http://10.0.0.1/',
    'ftp://127.0.0.1/',
    'file:///etc/hosts',
    'mailto:shop@example.com',
    'javascript:alert(1)',
  ])('webhook.create.other-schemes: %s is refused', (url) => {
    const { create, list } = webhooks();
    expect(create({ url }).status).toBe(400);
    expect(list()).toEqual([]);
  });

  test.each([
    'http://127.0.0.1:9/',
    'http://127.8.9.1/',
    'http://localhost:3000/x',
    'http://[::1]:3000/',
    'HTTPS://SHOP.EXAMPLE/',
  ])('webhook.create.other-schemes: %s is accepted', (url) => {
    expect(webhooks().create({ url }).status).toBe(200);
  });

  test.each([
    [{}],
    [{ url: null }],
    [{ url: '' }],
    [{ url: 'shop.example.com' }],
    [{ url: 'https://' }],
    [{ url: 'https://a:99999/' }],
    [{ url: 7 }],
  ])('webhook.create.url-required: %j is refused', (body) => {
    expect(webhooks().create(body)).toMatchObject({ status: 400, mediaType: 'text/plain' });
  });
});

describe('deletion', () => {
  test('webhook.delete.removes, webhook.delete.body: it is not in the list, and the response is true', () => {
    const { create, list, remove } = webhooks();
    const [{ id }, kept] = [create({ url: URL_OF_SHOP }).body, create({ url: URL_OF_SHOP }).body];
    expect(remove(id)).toMatchObject({ status: 200, body: true });
    expect(list()).toEqual([kept]);
  });

  test('webhook.delete.removes: it gets no further deliveries', async () => {
    const { create, send, sandbox, receiver, webhookId } = await shopOf();
    create(NOTIFIED);
    await sandbox.settled();
    send('DELETE', `/api/Webhook/Delete/${webhookId}`);
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(1);
  });

  test('webhook.delete.unknown-is-404: an unknown ID, a deleted one, and one of another account', () => {
    const { create, list, remove, other } = webhooks();
    const { id } = create({ url: URL_OF_SHOP }).body;
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'nonsense']) expect(remove(unknown).status).toBe(404);
    expect(remove(id, other).status).toBe(404);
    expect(list()).toHaveLength(1);
    remove(id);
    expect(remove(id).status).toBe(404);
  });
});

test('webhook.list.of-account: without those of another account', () => {
  const { create, list, other } = webhooks();
  create({ url: URL_OF_SHOP });
  expect(list(other)).toEqual([]);
});

test('webhook.list.enabled-only: without webhooks described as disabled, or with six failures', () => {
  const { list } = webhooks([
    {
      webhooks: [
        { url: 'https://a.example/', enabled: false },
        { url: 'https://b.example/', failures: 6 },
        { url: 'https://c.example/', failures: 5 },
      ],
    },
  ]);
  expect(list().map(({ url }: { url: string }) => url)).toEqual(['https://c.example/']);
});
