import { describe, expect, test, vi } from 'vitest';
import type { CardRecord } from '../state/records.ts';
import { NOON } from '../testing/fixture.ts';
import { TestReceiver } from '../testing/receiver-fixture.ts';
import { NOTIFIED, shopOf } from '../testing/shop-fixture.ts';
import { readDescription } from '../world/read.ts';
import { Deliveries } from './deliveries.ts';
import type { Delivery } from './delivery.ts';

describe('the receivers of a delivery', () => {
  test('delivery.is-post-of-one-object: one post of one JSON object to the registered URL', async () => {
    const { create, sandbox, receiver } = await shopOf();
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ method: 'POST', path: '/deliveries' });
    expect(receiver.payloads[0]).toBeTypeOf('object');
    expect(receiver.payloads[0]).not.toBeInstanceOf(Array);
  });

  test('delivery.one-per-webhook: two webhooks with one URL get two posts with different RequestIds', async () => {
    const { create, sandbox, receiver, register } = await shopOf();
    register(receiver.url);
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/updated', 'giftcard/updated']);
    const [one, other] = receiver.payloads;
    expect({ ...one, RequestId: '' }).toEqual({ ...other, RequestId: '' });
    expect(one.RequestId).not.toBe(other.RequestId);
  });

  test('delivery.only-while-subscribed: without a subscription nothing is posted, and the suppressed effect has the rule', async () => {
    const { create, sandbox, account, receiver } = await shopOf({ subscriptionActive: false });
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
    expect(account.effects.deliveries.all()).toEqual([]);
    expect(account.effects.suppressed.all()).toMatchObject([
      { what: 'giftcard/updated', rule: 'delivery.only-while-subscribed', cause: { what: 'createGiftCard' } },
    ]);
  });

  test('a webhook of another account gets nothing', async () => {
    const { send, create, sandbox, receiver } = await shopOf();
    const other = sandbox.add(readDescription({}, 'other'));
    const others = await TestReceiver.start();
    expect(send('POST', '/api/Webhook/Create', { url: others.url }, other.keys[0]?.key).status).toBe(200);
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(1);
    expect(others.received).toEqual([]);
    expect(other.effects.deliveries.all()).toEqual([]);
  });
});

describe('the request of a delivery', () => {
  test('the body is compact JSON', async () => {
    const { create, sandbox, receiver } = await shopOf();
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
    expect(receiver.received[0]?.bytes.toString('utf8')).toBe(JSON.stringify(receiver.payloads[0]));
  });

  test('the payload has the values at the event, although a later adjustment came before the post', async () => {
    const { create, adjust, sandbox, receiver } = await shopOf();
    const { code } = create(NOTIFIED);
    adjust(code, -5);
    await sandbox.settled();
    expect(receiver.payloads).toMatchObject([{ Balance: 25 }]);
  });
});

describe('the order of deliveries', () => {
  test('delivery.order: one after another, in the order of the events, although the receiver delays the first response', async () => {
    const { create, void: makeVoid, sandbox, receiver } = await shopOf();
    const held: (() => void)[] = [];
    receiver.respond = (response, position) => (position === 0 ? held.push(() => response.end()) : response.writeHead(204).end());
    for (const code of ['A', 'B']) create({ ...NOTIFIED, code });
    for (const code of ['B', 'A']) makeVoid(code);
    await receiver.arrived(1);
    // A second post that did not wait for the first response would arrive before this request.
    await fetch(receiver.url, { method: 'POST', body: '{}' });
    expect(receiver.received).toHaveLength(2);
    receiver.received.pop();
    held[0]?.();
    await sandbox.settled();
    expect(receiver.payloads.map(({ Code, WebhookTopic }) => [Code, WebhookTopic])).toEqual([
      ['A', 'giftcard/updated'],
      ['B', 'giftcard/updated'],
      ['B', 'giftcard/voided'],
      ['A', 'giftcard/voided'],
    ]);
  });

  test('a slow receiver delays only its own deliveries', async () => {
    const { create, void: makeVoid, sandbox, receiver: slow, register } = await shopOf();
    const fast = await TestReceiver.start();
    register(fast.url);
    const held: (() => void)[] = [];
    slow.respond = (response) => held.push(() => response.end());
    makeVoid(create(NOTIFIED).code);
    await fast.arrived(2);
    expect(slow.received.length).toBeLessThanOrEqual(1);
    await slow.arrived(1);
    held[0]?.();
    await slow.arrived(2);
    held[1]?.();
    await sandbox.settled();
    expect(slow.topics).toEqual(fast.topics);
  });

  test('deliveries that wait are dropped when their webhook is deleted', async () => {
    const { create, void: makeVoid, send, sandbox, account, receiver, webhookId } = await shopOf();
    const held: (() => void)[] = [];
    receiver.respond = (response) => held.push(() => response.end());
    makeVoid(create(NOTIFIED).code);
    await receiver.arrived(1);
    expect(send('DELETE', `/api/Webhook/Delete/${webhookId}`).status).toBe(200);
    held[0]?.();
    await sandbox.settled();
    expect(receiver.topics).toEqual(['giftcard/updated']);
    expect(account.effects.deliveries.all()).toMatchObject([
      { state: 'delivered' },
      { state: 'dropped', result: { dropped: 'the webhook was deleted before the post' } },
    ]);
  });

  test('delivery.order any: at most 32 connections at the same time', async () => {
    const { create, receiver, sandbox } = await shopOf({}, {}, { 'delivery.order': 'any' });
    const held: (() => void)[] = [];
    receiver.respond = (response) => held.push(() => response.end());
    for (let i = 0; i < 100; i++) create(NOTIFIED);
    await receiver.arrived(32);
    // A 33rd post would arrive before this request.
    const last = fetch(receiver.url, { method: 'POST', body: 'last' });
    await receiver.arrived(33);
    expect(String(receiver.received[32]?.bytes)).toBe('last');
    receiver.respond = 200;
    for (const respond of held) respond();
    await Promise.all([sandbox.settled(), last]);
    expect(receiver.received).toHaveLength(101);
  });

  // The receiver hangs for ever: with a real post, the test would fail if a busy machine took longer than the time-out of the first delivery.
  test('at most 10,000 deliveries wait for a receiver that hangs; the next one is dropped', async () => {
    const { create, account } = await shopOf();
    const card = account.state.card(create().id) as CardRecord;
    await account.effects.settled();
    const post = vi.spyOn(account.services, 'post').mockImplementation(() => new Promise(() => {}));
    const deliveries = new Deliveries(account);
    const [delivery] = deliveries.create('giftcard/updated', card, account.journal.cause('control', 'test', NOON));
    const dispatched = (count: number) => {
      const copies = Array.from({ length: count }, () => ({ ...(delivery as Delivery) }));
      for (const each of copies) deliveries.dispatch(each);
      return copies.slice(-2);
    };
    const dropped = { state: 'dropped', result: { dropped: expect.stringMatching(/^10000 /) } };
    expect(dispatched(10_001)).toMatchObject([{ state: 'queued' }, dropped]);
    await vi.waitFor(() => expect(post).toHaveBeenCalledOnce());
    expect(dispatched(2)).toMatchObject([{ state: 'queued' }, dropped]);
  });

  test('a reset drops the waiting deliveries and ends every wait', async () => {
    const { create, void: makeVoid, sandbox, receiver } = await shopOf();
    receiver.respond = (response) => response.end();
    makeVoid(create(NOTIFIED).code);
    const settled = sandbox.settled();
    sandbox.reset();
    await settled;
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
  });
});
