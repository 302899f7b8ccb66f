import { expect, test } from 'vitest';
import { clearDrills, listDrills, removeDrill, setDrill } from '../control/drills.ts';
import { captureAccount, restoreAccount } from '../snapshot/sandbox.ts';
import { careful, deliver, disable, drilled, sullen, TOKEN, told } from '../testing/drilled-fixture.ts';
import type { AnswerTo } from '../testing/receiver-fixture.ts';
import { NOTIFIED, type Shop } from '../testing/shop-fixture.ts';

test.each([
  [careful, 'passed', /later one first/],
  [sullen, 'failed', /in the wrong order/],
] as const)('reorder: the next one overtakes it', async (believes, verdict, sentence) => {
  const shop = await drilled({ drill: 'reorder' }, believes);
  shop.create({ ...NOTIFIED, code: 'FIRST' });
  await shop.sandbox.settled();
  expect(shop.receiver.received).toEqual([]);
  for (const code of ['SECOND', 'THIRD']) shop.create({ ...NOTIFIED, code });
  await shop.sandbox.settled();
  expect(shop.receiver.payloads.map(({ Code }) => Code)).toEqual(['SECOND', 'FIRST', 'THIRD']);
  expect(told(shop)).toEqual([verdict, expect.stringMatching(sentence)]);
});

/** One delivery is under way, whose answer does not come, and two wait behind it that are to change places. */
async function behindOneUnderWay(shop: Shop): Promise<void> {
  clearDrills(shop.account);
  shop.create(NOTIFIED);
  await shop.receiver.arrived(1);
  setDrill(shop.account, { drill: 'reorder' });
  for (const code of ['FIRST', 'SECOND']) shop.create({ ...NOTIFIED, code });
  await shop.account.effects.left();
}

test('reorder: in an account that is put back, the next one overtakes it all the same', async () => {
  const shop = await drilled({ drill: 'reorder', topic: 'giftcard/voided' }, careful);
  const believes = shop.receiver.answer as AnswerTo;
  shop.receiver.answer = () => {}; // What is under way when the snapshot is taken.
  await behindOneUnderWay(shop);
  const snapshot = JSON.parse(JSON.stringify(captureAccount(shop.sandbox, shop.account)));
  shop.receiver.received.length = 0;
  shop.receiver.answer = believes;
  const account = await restoreAccount(shop.sandbox, shop.account.id, snapshot);
  await account.effects.settled();
  expect(shop.receiver.payloads.map(({ Code }) => Code)).toEqual(['SECOND', 'FIRST']);
  expect(told({ account })).toEqual(['passed', expect.stringMatching(/later one first/)]);
});

test('reorder: what is kept back is sent when the drill is taken away', async () => {
  const shop = await drilled({ drill: 'reorder' }, careful);
  await deliver(shop);
  expect(removeDrill(shop.account, 'drill-1')).toMatchObject({ verdict: 'waiting' });
  await shop.sandbox.settled();
  expect(shop.answers).toEqual([200]);
});

test.each([
  ['deleted', (shop: Shop) => void shop.ask('DELETE', `/api/Webhook/Delete/${shop.webhookId}`)],
  ['disabled', disable],
])(
  'reorder: nothing overtakes what is for a webhook that is %s meanwhile; it is dropped, and tried with another',
  async (how, end) => {
    const shop = await drilled({ drill: 'reorder' }, careful);
    await deliver(shop);
    end(shop);
    await shop.sandbox.settled();
    expect(shop.account.deliveries.all()).toMatchObject([
      { state: 'dropped', result: { dropped: `the webhook was ${how} meanwhile` } },
    ]);
    expect(listDrills(shop.account)).toMatchObject([{ left: 1, verdict: 'waiting', deliveries: [] }]);
    shop.register(shop.receiver.url, { requestHeaderVerificationToken: TOKEN });
    await deliver(shop, 2);
    expect(listDrills(shop.account)).toMatchObject([{ left: 0, verdict: 'passed' }]);
  },
);

test('reorder: a pair whose webhook is deleted before it sets out is one that was never tried', async () => {
  const shop = await drilled({ drill: 'reorder' }, careful);
  shop.receiver.answer = () => {}; // What is under way when the webhook goes.
  await behindOneUnderWay(shop);
  shop.ask('DELETE', `/api/Webhook/Delete/${shop.webhookId}`);
  await shop.receiver.close();
  await shop.sandbox.settled();
  expect(shop.account.deliveries.all().map(({ state }) => state)).toEqual(['failed', 'dropped', 'dropped']);
  expect(listDrills(shop.account)).toMatchObject([{ left: 1, verdict: 'waiting', deliveries: [] }]);
});
