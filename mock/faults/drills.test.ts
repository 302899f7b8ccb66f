import { describe, expect, test } from 'vitest';
import { clearDrills, listDrills, removeDrill, setDrill } from '../control/drills.ts';
import type { NewDrill } from '../control/generated/types.ts';
import { afterParsing, careful, deliver, drilled, sullen, TOKEN, told, trusting } from '../testing/drilled-fixture.ts';
import { Receiver } from '../testing/receiver-fixture.ts';
import { NOTIFIED, shopOf } from '../testing/shop-fixture.ts';
import { Drills } from './drills.ts';

describe('what has to be refused is posted before the real delivery, which then follows', () => {
  test.each(['wrong-signature', 'unsigned', 'signed-after-parsing'] as const)('%s', async (drill) => {
    const shop = await drilled({ drill }, careful);
    await deliver(shop);
    expect(shop.answers).toEqual([401, 200]);
    expect(told(shop)).toEqual(['passed', 'Refused with 401.']);
    expect(shop.account.deliveries.all()).toMatchObject([
      {
        state: 'delivered',
        failures: '0 of 6 lifetime failures',
        attempts: [
          { kind: 'drill', drill: 'drill-1', answer: { status: 401 } },
          { kind: 'delivery', drill: null, answer: { status: 200 } },
        ],
      },
    ]);
  });

  test.each([
    ['wrong-signature', trusting, /^Accepted with 200 .*another token.*answer 401/],
    ['unsigned', trusting, /^Accepted with 200 .*without a signature/],
    ['signed-after-parsing', afterParsing, /^Accepted with 200 .*after it was parsed/],
  ] as const)('%s is fallen for', async (drill, believes, sentence) => {
    const shop = await drilled({ drill }, believes);
    await deliver(shop);
    expect(told(shop)).toEqual(['failed', expect.stringMatching(sentence)]);
  });

  test('nobody who answers is nobody who refuses: it is tried again with the next delivery', async () => {
    const shop = await drilled({ drill: 'unsigned' }, careful);
    const believes = shop.receiver.answer;
    shop.receiver.answer = (response) => response.socket?.destroy();
    await deliver(shop);
    expect(told(shop)).toEqual(['waiting', expect.stringMatching(/^No answer .*next delivery\.$/)]);
    expect(listDrills(shop.account)).toMatchObject([{ left: 1, deliveries: [{ verdict: 'unanswered' }] }]);
    shop.receiver.answer = believes;
    await deliver(shop);
    expect(told(shop)).toEqual(['passed', 'Refused with 401.']);
    expect(listDrills(shop.account)[0]?.left).toBe(0);
  });

  test('a webhook without a token is passed over', async () => {
    const shop = await drilled({ drill: 'unsigned' }, trusting, null);
    await deliver(shop);
    expect(shop.answers).toEqual([200]);
    expect(told(shop)).toEqual(['waiting', undefined]);
  });
});

describe('what has to be accepted', () => {
  test('unusual-bytes: other bytes, the same JSON, rightly signed', async () => {
    const shop = await drilled({ drill: 'unusual-bytes' }, careful);
    await deliver(shop);
    const [{ bytes }] = shop.receiver.received as [(typeof shop.receiver.received)[number]];
    const text = bytes.toString('utf8');
    expect(text).not.toBe(JSON.stringify(JSON.parse(text)));
    expect(JSON.parse(text)).toEqual(JSON.parse(shop.account.deliveries.all()[0]?.body as string));
    expect(JSON.parse(text).RecipientName).toBe('Zoë 🎁');
    expect(shop.answers).toEqual([200]);
    expect(told(shop)[0]).toBe('passed');
  });

  test('unusual-bytes: whoever checks after parsing refuses what is right', async () => {
    const shop = await drilled({ drill: 'unusual-bytes' }, afterParsing);
    await deliver(shop);
    expect(told(shop)).toEqual([
      'failed',
      expect.stringMatching(/^Answered 401 to a rightly signed delivery .*before any parsing/),
    ]);
  });

  test('duplicate: the same bytes and the same RequestId, twice', async () => {
    const shop = await drilled({ drill: 'duplicate' }, careful);
    await deliver(shop);
    const [one, other] = shop.receiver.received;
    expect(shop.receiver.received).toHaveLength(2);
    expect(other?.bytes.equals(one?.bytes as Buffer)).toBe(true);
    expect(told(shop)).toEqual(['passed', expect.stringMatching(/^Accepted both times/)]);
  });

  test('duplicate: refusing the second is wrong', async () => {
    let answered = 0;
    const shop = await drilled({ drill: 'duplicate' }, () => answered++ === 0);
    await deliver(shop);
    expect(told(shop)).toEqual(['failed', expect.stringMatching(/^Answered 401 to a delivery that came twice/)]);
    expect(shop.account.deliveries.all()[0]).toMatchObject({ state: 'delivered', failures: '0 of 6 lifetime failures' });
  });

  test.each([
    [careful, 'passed'],
    [sullen, 'failed'],
  ] as const)('delay: late, and in its place', async (believes, verdict) => {
    const shop = await drilled({ drill: 'delay', milliseconds: 20 }, believes);
    for (const code of ['FIRST', 'SECOND']) shop.create({ ...NOTIFIED, code });
    await shop.sandbox.settled();
    expect(shop.receiver.payloads.map(({ Code }) => Code)).toEqual(['FIRST', 'SECOND']);
    expect(told(shop)[0]).toBe(verdict);
  });

  test('a reset does not wait for what is late', async () => {
    const shop = await drilled({ drill: 'delay', milliseconds: 600_000 }, careful);
    await shop.account.effects.settled();
    shop.create(NOTIFIED);
    const [delivery] = await Promise.all([shop.account.deliveries.waitFor(() => true, 60_000)]);
    shop.sandbox.reset();
    await shop.account.deliveries.settled();
    expect(delivery.found).toHaveLength(1);
    expect(shop.receiver.received).toEqual([]);
  });
});

test('no failure of a drill costs a webhook anything, and the one after it does', async () => {
  const shop = await drilled({ drill: 'unusual-bytes', next: 7 }, sullen);
  await deliver(shop, 7);
  expect(shop.account.deliveries.all().at(-1)).toMatchObject({ state: 'failed', failures: '0 of 6 lifetime failures' });
  await deliver(shop);
  expect(shop.account.deliveries.all().at(-1)).toMatchObject({ state: 'failed', failures: '1 of 6 lifetime failures' });
});

test('a drill is for its topic, its webhook and so many deliveries', async () => {
  const shop = await drilled({ drill: 'unsigned', topic: 'giftcard/voided' }, careful);
  const others = await Receiver.start();
  const other = shop.register(others.url, { requestHeaderVerificationToken: TOKEN });
  setDrill(shop.account, { drill: 'wrong-signature', webhookId: other, next: 2 });
  shop.void(shop.create(NOTIFIED).code);
  await shop.sandbox.settled();
  expect(shop.answers).toEqual([200, 401, 200]);
  expect(others.received).toHaveLength(4);
  expect(listDrills(shop.account)).toMatchObject([
    { id: 'drill-1', left: 0, verdict: 'passed', deliveries: [{ topic: 'giftcard/voided', webhookId: shop.webhookId }] },
    { id: 'drill-2', left: 0, verdict: 'failed', deliveries: [{ webhookId: other }, { webhookId: other }] },
  ]);
});

test('what is kept can be put back', async () => {
  const shop = await drilled({ drill: 'unsigned', next: 2 }, careful);
  await deliver(shop);
  const before = listDrills(shop.account);
  shop.account.drills = Drills.from(JSON.parse(JSON.stringify(shop.account.drills?.state(new Set()))));
  expect(listDrills(shop.account)).toEqual(before);
  await deliver(shop);
  expect(shop.answers).toEqual([401, 200, 401, 200]);
  expect(told(shop)[0]).toBe('passed');
  expect(clearDrills(shop.account)).toHaveLength(1);
  expect(listDrills(shop.account)).toEqual([]);
});

test('an answer that comes when its drill is gone is added to none that was set since', async () => {
  const shop = await shopOf();
  let answer = () => {};
  shop.receiver.answer = (response) => {
    answer = () => response.writeHead(200).end();
  };
  setDrill(shop.account, { drill: 'unusual-bytes' });
  shop.create(NOTIFIED);
  await shop.receiver.arrived(1);
  clearDrills(shop.account);
  expect(setDrill(shop.account, { drill: 'unusual-bytes' })).toMatchObject({ id: 'drill-2' });
  answer();
  await shop.account.effects.settled();
  expect(listDrills(shop.account)).toMatchObject([{ id: 'drill-2', left: 1, deliveries: [] }]);
});

test.each([
  [{ drill: 'delay' }, /milliseconds/],
  [{ drill: 'unsigned', milliseconds: 5 }, /"unsigned"/],
  [{ drill: 'unsigned', webhookId: 'nobody' }, /no webhook nobody/],
] as [NewDrill, RegExp][])('%o is refused with a sentence, and nothing is set', async (wanted, sentence) => {
  const { account } = await shopOf();
  expect(() => setDrill(account, wanted)).toThrow(sentence);
  expect(listDrills(account)).toEqual([]);
  expect(() => removeDrill(account, 'drill-9')).toThrow(/no drill drill-9; it has none\.$/);
});

test('a receiver without a token cannot be tried with signatures', async () => {
  const { account, webhookId } = await shopOf();
  expect(() => setDrill(account, { drill: 'unsigned', webhookId })).toThrow(/has no token/);
});
