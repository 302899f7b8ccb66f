import { expect, test } from 'vitest';
import { NOON } from '../testing/fixture.ts';
import { NOTIFIED, shopOf } from '../testing/shop-fixture.ts';
import type { Delivery } from './delivery.ts';
import { Lines, MOST_WAITING } from './delivery-queues.ts';

const delivery = (requestId: string) => ({ requestId }) as Delivery;

/** Lines whose deliveries end when the test says. */
function lines() {
  const ends = new Map<string, () => void>();
  const made = new Lines(({ requestId }) => new Promise<void>((resolve) => ends.set(requestId, resolve)));
  const end = async (requestId: string) => {
    ends.get(requestId)?.();
    await new Promise(setImmediate);
  };
  const ids = (deliveries: Iterable<Delivery>) => Array.from(deliveries, ({ requestId }) => requestId);
  return { made, end, underWay: () => ids(made.underWay()), waiting: () => ids(made.waiting()) };
}

test('in a line one is under way at a time, and nobody waits for another line', async () => {
  const { made, end, underWay, waiting } = lines();
  for (const id of ['a1', 'a2', 'a3']) made.add('a', delivery(id));
  made.add('b', delivery('b1'));
  expect([underWay(), waiting()]).toEqual([
    ['a1', 'b1'],
    ['a2', 'a3'],
  ]);
  await end('a1');
  expect([underWay(), waiting()]).toEqual([['a2', 'b1'], ['a3']]);
  for (const id of ['a2', 'b1', 'a3']) await end(id);
  await made.settled();
  expect([underWay(), waiting()]).toEqual([[], []]);
});

test('abreast, so many are under way at a time; whoever ends first makes room for the next', async () => {
  const { made, end, underWay, waiting } = lines();
  for (const id of ['1', '2', '3', '4']) made.add('', delivery(id), 2);
  expect([underWay(), waiting()]).toEqual([
    ['1', '2'],
    ['3', '4'],
  ]);
  await end('2');
  expect([underWay(), waiting()]).toEqual([['1', '3'], ['4']]);
  for (const id of ['3', '4']) await end(id);
  expect(underWay()).toEqual(['1']);
  made.add('', delivery('5'), 2);
  expect(underWay()).toEqual(['1', '5']);
});

test('delivery.order: in any order, no more than 32 have a connection at the same time', async () => {
  const { create, account, receiver, sandbox } = await shopOf({}, {}, { 'delivery.order': 'any' });
  let open = 0;
  let most = 0;
  receiver.answer = (response) => {
    most = Math.max(most, ++open);
    setImmediate(() => {
      open--;
      response.writeHead(200).end();
    });
  };
  for (let i = 0; i < 100; i++) create(NOTIFIED);
  await account.effects.left();
  expect(account.deliveries.state().waiting).toHaveLength(68);
  await sandbox.settled();
  expect(receiver.received).toHaveLength(100);
  expect(most).toBeLessThanOrEqual(32);
});

test.each([
  ['for a receiver that hangs', true, 'wait for their receivers'],
  ['for a subscription', false, 'wait for a subscription'],
])(
  'deliveries that wait %s are bounded, and one that is too many says why it never sets out',
  async (_, subscriptionActive, why) => {
    const { create, account, receiver } = await shopOf(
      { subscriptionActive },
      {},
      { 'delivery.missed-while-unsubscribed': 'sent-later' },
    );
    receiver.answer = () => {};
    const { id } = create();
    const card = account.state.card(id);
    if (!card) throw new Error('The fixture has no card.');
    const cause = account.cause('control', 'test', NOON);
    const effects = Array.from(
      { length: MOST_WAITING + 2 },
      () => ({ kind: 'delivery', topic: 'giftcard/updated', card }) as const,
    );
    account.effects.queue(effects, cause);
    await account.effects.left();
    expect(account.deliveries.all().at(-1)).toMatchObject({
      state: 'dropped',
      result: { dropped: `10000 deliveries of the account ${why} already` },
    });
    const { waiting } = account.deliveries.state();
    const { missed } = account.effects.state();
    expect(waiting.length + missed.length).toBe(subscriptionActive ? MOST_WAITING - 1 : MOST_WAITING);
  },
);
