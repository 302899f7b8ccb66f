import { describe, expect, test } from 'vitest';
import { clearFaults, listFaults, setFault } from '../control/faults.ts';
import type { NewFault } from '../control/generated/types.ts';
import { verifySignature } from '../outbound/signature.ts';
import { TestReceiver } from '../testing/receiver-fixture.ts';
import { NOTIFIED, type Shop, shopOf } from '../testing/shop-fixture.ts';
import { Faults } from './faults.ts';

const TOKEN = 'the token';

/** A shop with a fault. The receiver returns 200 to the deliveries that `believes` accepts, and 401 to other deliveries. */
async function shopWithFault(
  wanted: NewFault,
  believes: (bytes: Buffer, signature: string | undefined) => boolean,
  token: string | null = TOKEN,
) {
  const shop = await shopOf({}, { requestHeaderVerificationToken: token });
  const responses: number[] = [];
  shop.receiver.respond = (response, position) => {
    const { bytes, headers } = shop.receiver.received[position] as (typeof shop.receiver.received)[number];
    const status = believes(bytes, headers['hmac-signature-sha256'] as string | undefined) ? 200 : 401;
    responses.push(status);
    response.writeHead(status).end();
  };
  setFault({ account: shop.account, body: wanted });
  return { ...shop, responses };
}

const careful = (bytes: Buffer, signature: string | undefined) => verifySignature(bytes, signature, TOKEN);
const afterParsing = (bytes: Buffer, signature: string | undefined) =>
  verifySignature(JSON.stringify(JSON.parse(bytes.toString('utf8'))), signature, TOKEN);
const trusting = () => true;
const rejecting = () => false;

async function deliver({ create, sandbox }: Pick<Shop, 'create' | 'sandbox'>, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) create({ ...NOTIFIED, recipientName: 'Zoë 🎁' });
  await sandbox.settled();
}

/** Returns the last delivery that the first fault matched. */
const latestMatch = ({ account }: Pick<Shop, 'account'>) => listFaults({ account })[0]?.matches.at(-1);

describe('a decoy that the receiver must reject comes before the delivery', () => {
  test.each(['wrong-signature', 'unsigned'] as const)('%s', async (fault) => {
    const shop = await shopWithFault({ fault }, careful);
    await deliver(shop);
    expect(shop.responses).toEqual([401, 200]);
    expect(latestMatch(shop)).toMatchObject({ verdict: 'passed', sentence: expect.stringContaining('401') });
    expect(shop.account.effects.deliveries.all()).toMatchObject([
      {
        state: 'delivered',
        failures: '0 of 6 lifetime failures',
        attempts: [
          { kind: 'fault', fault: 'fault-1', response: { status: 401 } },
          { kind: 'delivery', fault: null, response: { status: 200 } },
        ],
      },
    ]);
  });

  test.each(['wrong-signature', 'unsigned'] as const)('a receiver that accepts %s fails', async (fault) => {
    const shop = await shopWithFault({ fault }, trusting);
    await deliver(shop);
    expect(latestMatch(shop)?.verdict).toBe('failed');
  });

  test('a delivery without a response, or whose webhook is deleted during a delay, stays undecided', async () => {
    const shop = await shopWithFault({ fault: 'unsigned', first: 1 }, careful);
    shop.receiver.respond = (response) => response.socket?.destroy();
    await deliver(shop, 2);
    expect(listFaults({ account: shop.account })).toMatchObject([{ verdict: 'waiting', calls: 2, hits: 1 }]);
    clearFaults({ account: shop.account });
    setFault({ account: shop.account, body: { fault: 'delay', on: 'delivery', milliseconds: 20 } });
    shop.create(NOTIFIED);
    await shop.account.effects.left();
    shop.send('DELETE', `/api/Webhook/Delete/${shop.webhookId}`);
    await shop.sandbox.settled();
    expect(listFaults({ account: shop.account })).toMatchObject([{ verdict: 'waiting', hits: 1 }]);
  });

  test('a webhook without a token is not matched', async () => {
    const shop = await shopWithFault({ fault: 'unsigned' }, trusting, null);
    await deliver(shop);
    expect(shop.responses).toEqual([200]);
    expect(listFaults({ account: shop.account })).toMatchObject([{ verdict: 'unused' }]);
    expect(() => setFault({ account: shop.account, body: { fault: 'unsigned', webhookId: shop.webhookId } })).toThrow(/no token/);
  });
});

describe('the receiver must accept', () => {
  test('re-serialized: other bytes, the same JSON, correctly signed', async () => {
    const shop = await shopWithFault({ fault: 're-serialized' }, careful);
    await deliver(shop);
    const text = shop.receiver.received[0]?.bytes.toString('utf8') ?? '';
    expect(text).not.toBe(JSON.stringify(JSON.parse(text)));
    expect(JSON.parse(text)).toEqual(JSON.parse(shop.account.effects.deliveries.all()[0]?.body as string));
    expect(JSON.parse(text).RecipientName).toBe('Zoë 🎁');
    expect(latestMatch(shop)?.verdict).toBe('passed');
  });

  test('re-serialized: a receiver that checks the signature after parsing fails', async () => {
    const shop = await shopWithFault({ fault: 're-serialized' }, afterParsing);
    await deliver(shop);
    expect(latestMatch(shop)?.verdict).toBe('failed');
  });

  test('duplicate: the same bytes and the same RequestId, twice', async () => {
    const shop = await shopWithFault({ fault: 'duplicate' }, careful);
    await deliver(shop);
    const [one, other] = shop.receiver.received;
    expect(shop.receiver.received).toHaveLength(2);
    expect(other?.bytes.equals(one?.bytes as Buffer)).toBe(true);
    expect(latestMatch(shop)?.verdict).toBe('passed');
  });

  test('duplicate: rejecting the second fails, and the delivery itself is delivered', async () => {
    let count = 0;
    const shop = await shopWithFault({ fault: 'duplicate' }, () => count++ === 0);
    await deliver(shop);
    expect(latestMatch(shop)?.verdict).toBe('failed');
    expect(shop.account.effects.deliveries.all()[0]).toMatchObject({ state: 'delivered', failures: '0 of 6 lifetime failures' });
  });

  test.each([
    [careful, 'passed'],
    [rejecting, 'failed'],
  ] as const)('delay: late, and in order', async (believes, verdict) => {
    const shop = await shopWithFault({ fault: 'delay', on: 'delivery', milliseconds: 20, first: 1 }, believes);
    for (const code of ['FIRST', 'SECOND']) shop.create({ ...NOTIFIED, code });
    await shop.sandbox.settled();
    expect(shop.receiver.payloads.map(({ Code }) => Code)).toEqual(['FIRST', 'SECOND']);
    expect(latestMatch(shop)?.verdict).toBe(verdict);
  });

  test('a reset does not wait for a delayed delivery', async () => {
    const shop = await shopWithFault({ fault: 'delay', on: 'delivery', milliseconds: 600_000 }, careful);
    shop.create(NOTIFIED);
    await shop.account.effects.left();
    shop.sandbox.reset();
    await shop.account.effects.deliveries.settled();
    expect(shop.receiver.received).toEqual([]);
  });
});

test('a delivery that a fault changes costs no failure, and the one after it does', async () => {
  const shop = await shopWithFault({ fault: 're-serialized', first: 7 }, rejecting);
  await deliver(shop, 7);
  expect(shop.account.effects.deliveries.all().at(-1)).toMatchObject({ state: 'failed', failures: '0 of 6 lifetime failures' });
  await deliver(shop);
  expect(shop.account.effects.deliveries.all().at(-1)).toMatchObject({ state: 'failed', failures: '1 of 6 lifetime failures' });
});

test('a fault matches its topic and its webhook only', async () => {
  const shop = await shopWithFault({ fault: 'unsigned', topic: 'giftcard/voided' }, careful);
  const others = await TestReceiver.start();
  const other = shop.register(others.url, { requestHeaderVerificationToken: TOKEN });
  setFault({ account: shop.account, body: { fault: 'wrong-signature', webhookId: other } });
  shop.void(shop.create(NOTIFIED).code);
  await shop.sandbox.settled();
  expect(shop.responses).toEqual([200, 401, 200]);
  expect(others.received).toHaveLength(4);
  expect(listFaults({ account: shop.account })).toMatchObject([
    {
      id: 'fault-1',
      hits: 2,
      verdict: 'failed',
      matches: [{ topic: 'giftcard/voided', webhookId: shop.webhookId }, { webhookId: other }],
    },
    { id: 'fault-2', hits: 1, verdict: 'failed', matches: [{ webhookId: other }] },
  ]);
});

test('a snapshot restores rules and matches', async () => {
  const shop = await shopWithFault({ fault: 'unsigned', first: 2 }, careful);
  await deliver(shop);
  const before = listFaults({ account: shop.account });
  shop.account.faults = Faults.from(JSON.parse(JSON.stringify(shop.account.faults?.state())));
  expect(listFaults({ account: shop.account })).toEqual(before);
  await deliver(shop, 2);
  expect(shop.responses).toEqual([401, 200, 401, 200, 200]);
});

test('a response that comes after its fault was removed is not recorded with another', async () => {
  const shop = await shopOf();
  let respond = () => {};
  shop.receiver.respond = (response) => {
    respond = () => response.writeHead(200).end();
  };
  setFault({ account: shop.account, body: { fault: 're-serialized' } });
  shop.create(NOTIFIED);
  await shop.receiver.arrived(1);
  clearFaults({ account: shop.account });
  setFault({ account: shop.account, body: { fault: 're-serialized' } });
  respond();
  await shop.account.effects.settled();
  expect(listFaults({ account: shop.account })).toMatchObject([{ id: 'fault-2', hits: 0, matches: [] }]);
});
