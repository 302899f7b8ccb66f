import { describe, expect, test } from 'vitest';
import { advanceClock, getClock } from '../../control/clock.ts';
import { DAY } from '../../domain/dates.ts';
import { snapshotOfMain, throughJson } from '../../testing/account-fixture.ts';
import { iso, NOON } from '../../testing/fixture.ts';
import { GIFTED, NOTIFIED, shopOf } from '../../testing/shop-fixture.ts';
import { restoreAccount } from './restore.ts';

describe('a restored account', () => {
  test('sends queued effects; a running delivery is not sent again, and its result is unknown', async () => {
    const { sandbox, account, create, receiver } = await shopOf({ channels: [{ id: 'online' }] });
    let respond = () => {};
    receiver.respond = (response) => {
      respond = () => response.writeHead(200).end();
    };
    create({ ...NOTIFIED, code: 'UNDER-WAY' });
    await receiver.arrived(1);
    create({ ...NOTIFIED, code: 'IN-LINE' });
    await account.effects.left();
    create({ ...NOTIFIED, code: 'NOT-YET' });
    const snapshot = throughJson(snapshotOfMain(sandbox));
    respond();
    receiver.respond = 200;
    await account.effects.settled();
    expect(receiver.payloads.map(({ Code }) => Code)).toEqual(['UNDER-WAY', 'IN-LINE', 'NOT-YET']);
    receiver.received.length = 0;

    const back = await restoreAccount(sandbox, 'main', snapshot);
    expect(back.effects.outbox.all()).toHaveLength(2);
    await back.effects.settled();
    expect(receiver.payloads.map(({ Code }) => Code)).toEqual(['IN-LINE', 'NOT-YET']);
    expect(back.effects.deliveries.all().map(({ state }) => state)).toEqual(['unknown', 'delivered', 'delivered']);
    expect(back.effects.deliveries.all()[0]?.result).toEqual({ unknown: 'the sandbox stopped while the delivery was running' });
    expect([back.effects.outbox.all().length, back.state.listingsOf(back.state.cardByCode('NOT-YET')?.id ?? '').length]).toEqual([
      3, 1,
    ]);
    expect(sandbox.defects).toEqual([]);
  });

  test('stops the deliveries of the replaced account', async () => {
    const { sandbox, account, create, receiver } = await shopOf();
    const snapshot = throughJson(snapshotOfMain(sandbox));
    create(NOTIFIED);
    const advancing = advanceClock({ account, body: { by: 'P1D' } });
    const back = await restoreAccount(sandbox, 'main', snapshot);
    await expect(advancing).rejects.toThrow(/was reset, restored or removed/);
    await account.effects.settled();
    await back.effects.settled();
    expect([receiver.received, back.effects.outbox.all(), getClock({ account: back }).nowUtc]).toEqual([[], [], iso(NOON)]);
  });

  test('runs its next due event, and keeps the failures of webhooks and the counted requests', async () => {
    const { sandbox, send, create, receiver, account, webhookId } = await shopOf();
    receiver.respond = 500;
    for (let i = 0; i < 4; i++) create(NOTIFIED);
    create({ ...GIFTED, code: 'LATER', giftScheduledForUtc: iso(NOON + DAY) });
    await account.effects.settled();
    const back = await restoreAccount(sandbox, 'main', throughJson(snapshotOfMain(sandbox)));
    await advanceClock({ account: back, body: { by: 'P2D' } });
    expect(back.state.webhook(webhookId)).toMatchObject({ failures: 5, enabled: true });
    create(NOTIFIED);
    await back.effects.settled();
    expect(send('GET', '/api/Webhook/List').body).toEqual([]);
  });
});
