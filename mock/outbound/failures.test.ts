import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { silent } from '../server/log.ts';
import { start } from '../server/start.ts';
import { freePort } from '../testing/command-fixture.ts';
import { TestReceiver } from '../testing/receiver-fixture.ts';
import { NOTIFIED, type Shop, shopOf } from '../testing/shop-fixture.ts';

/** Causes one delivery at a time and waits for its response. */
async function deliver({ create, sandbox }: Shop, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    create(NOTIFIED);
    await sandbox.settled();
  }
}

function listed({ send }: Shop): string[] {
  return send('GET', '/api/Webhook/List').body.map(({ id }: { id: string }) => id);
}

test.each(['5', '10', '30'] as const)('delivery.time-out: a post fails after %s seconds without a response', async (option) => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => timeout.mockRestore());
  const receiver = await TestReceiver.start();
  const variant = { behaviors: { 'delivery.time-out': option } };
  await using mock = await start({ listen: false, variant }, silent);
  const send = (path: string, body: object) =>
    mock.fetch(path, { method: 'POST', headers: { 'x-api-key': mock.apiKey }, body: JSON.stringify(body) });
  await send('/api/Webhook/Create', { url: receiver.url });
  await send('/api/GiftCard/Create', { ...NOTIFIED, balance: 1 });
  await receiver.arrived(1);
  expect(timeout.mock.calls).toEqual([[Number(option) * 1_000]]);
  await receiver.close();
});

describe('failed deliveries', () => {
  test.each([200, 201, 202, 204, 206, 299])('delivery.any-2xx-succeeds: %d', async (status) => {
    const shop = await shopOf();
    shop.receiver.respond = status;
    await deliver(shop);
    expect(shop.account.effects.deliveries.all()).toMatchObject([
      { state: 'delivered', result: { status }, failures: '0 of 6 lifetime failures' },
    ]);
  });

  test.each([304, 400, 401, 404, 410, 429, 500, 503])('delivery.failure: %d', async (status) => {
    const shop = await shopOf();
    shop.receiver.respond = status;
    await deliver(shop);
    expect(shop.account.effects.deliveries.all()).toMatchObject([
      { state: 'failed', result: { status }, failures: '1 of 6 lifetime failures' },
    ]);
  });

  test.each([301, 302, 303, 307, 308])('delivery.redirects: %d is a failure and is not followed', async (status) => {
    const shop = await shopOf();
    const elsewhere = await TestReceiver.start();
    shop.receiver.respond = (response) => response.writeHead(status, { location: elsewhere.url }).end();
    await deliver(shop);
    expect(elsewhere.received).toEqual([]);
    expect(shop.account.effects.deliveries.all()).toMatchObject([{ state: 'failed', result: { status } }]);
  });

  test('delivery.failure: the connection is refused, or breaks before the response', async () => {
    const shop = await shopOf();
    shop.register(`http://127.0.0.1:${await freePort()}/`);
    shop.receiver.respond = (response) => response.socket?.destroy();
    await deliver(shop);
    expect(shop.account.effects.deliveries.all().map(({ state, failures }) => [state, failures])).toEqual([
      ['failed', '1 of 6 lifetime failures'],
      ['failed', '1 of 6 lifetime failures'],
    ]);
    expect(shop.account.effects.deliveries.all()[1]?.result).toEqual({ error: 'ECONNREFUSED' });
  });

  test('delivery.attempted-once: a failed delivery is not sent again, neither later nor with the next one', async () => {
    const shop = await shopOf();
    shop.receiver.respond = 500;
    await deliver(shop);
    expect(shop.receiver.received).toHaveLength(1);
    shop.receiver.respond = 200;
    shop.at(shop.account.clock.now() + 86_400_000);
    await deliver(shop);
    const [failed, next] = shop.receiver.payloads;
    expect(shop.receiver.received).toHaveLength(2);
    expect(next.GiftCardId).not.toBe(failed.GiftCardId);
  });
});

describe('six failures', () => {
  test('webhook.disabled-after-failures, webhook.list.enabled-only: the sixth disables it, the fifth does not', async () => {
    const shop = await shopOf();
    shop.receiver.respond = 500;
    await deliver(shop, 5);
    expect(listed(shop)).toEqual([shop.webhookId]);
    const advice = () => shop.account.journal.advice().filter(({ name }) => name === 'webhook-disabled');
    expect(advice()).toEqual([]);
    await deliver(shop);
    expect(listed(shop)).toEqual([]);
    expect(shop.account.effects.deliveries.all().at(-1)?.failures).toBe('6 of 6 lifetime failures');
    expect(advice()).toMatchObject([{ count: 1, seen: expect.stringContaining(shop.webhookId) }]);
  });

  test('webhook.disabled-gets-no-deliveries: also after its receiver has recovered', async () => {
    const shop = await shopOf();
    shop.receiver.respond = 500;
    await deliver(shop, 6);
    shop.receiver.respond = 200;
    await deliver(shop, 2);
    expect(shop.receiver.received).toHaveLength(6);
  });

  test('webhook.failures-count-for-life: a success does not reset the count', async () => {
    const shop = await shopOf();
    shop.receiver.respond = (response, position) => response.writeHead(position % 2 === 0 ? 500 : 200).end();
    await deliver(shop, 10);
    expect(listed(shop)).toEqual([shop.webhookId]);
    await deliver(shop);
    expect(listed(shop)).toEqual([]);
    expect(shop.receiver.received).toHaveLength(11);
  });

  test('deliveries that wait while the sixth fails are dropped', async () => {
    const shop = await shopOf();
    shop.receiver.respond = 500;
    for (let i = 0; i < 9; i++) shop.create(NOTIFIED);
    await shop.sandbox.settled();
    expect(shop.receiver.received).toHaveLength(6);
    expect(shop.account.effects.deliveries.all().filter(({ state }) => state === 'dropped')).toHaveLength(3);
    expect(shop.account.effects.deliveries.all().at(-1)?.result).toEqual({ dropped: 'the webhook was disabled before the post' });
  });

  test('each webhook has its own count', async () => {
    const shop = await shopOf();
    const healthy = await TestReceiver.start();
    const other = shop.register(healthy.url);
    shop.receiver.respond = 500;
    await deliver(shop, 7);
    expect(listed(shop)).toEqual([other]);
    expect(healthy.received).toHaveLength(7);
  });

  test('webhook.create-again-re-enables, webhook.create.again-while-disabled: a new record whose count is 0', async () => {
    const shop = await shopOf();
    shop.receiver.respond = 500;
    await deliver(shop, 6);
    shop.receiver.respond = 200;
    const again = shop.register(shop.receiver.url);
    await deliver(shop);
    expect(again).not.toBe(shop.webhookId);
    expect(listed(shop)).toEqual([again]);
    expect(shop.receiver.received).toHaveLength(7);
    expect(shop.account.effects.deliveries.all().at(-1)?.failures).toBe('0 of 6 lifetime failures');
  });

  test('webhook.delete.disabled: a disabled webhook is not found', async () => {
    const shop = await shopOf();
    shop.receiver.respond = 500;
    await deliver(shop, 6);
    expect(shop.send('DELETE', `/api/Webhook/Delete/${shop.webhookId}`).status).toBe(404);
  });
});
