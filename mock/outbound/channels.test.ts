import { describe, expect, test } from 'vitest';
import { listChannels } from '../control/channels.ts';
import { NOON, type SandboxFixture, sandboxOf } from '../testing/fixture.ts';

const TWO = { channels: [{ id: 'shop' }, { id: 'till' }] };

/** Returns the balance of a card in each channel, by the channel's ID. */
function balances({ account }: SandboxFixture, code: string): Record<string, number | null | undefined> {
  return Object.fromEntries(
    listChannels({ account }).map(({ id, cards }) => [id, cards.find((card) => card.code === code)?.balance]),
  );
}

describe('channels.api-changes-pushed: every change through the API is pushed to every channel', () => {
  test('gift-card.create.added-to-channels-after-response: a new card', async () => {
    const fixture = sandboxOf([TWO]);
    const { code } = fixture.create();
    expect(balances(fixture, code)).toEqual({ shop: undefined, till: undefined });
    await fixture.sandbox.settled();
    expect(balances(fixture, code)).toEqual({ shop: 25, till: 25 });
  });

  test('adjustment.pushed-to-channels: an adjustment by code and by ID', async () => {
    const fixture = sandboxOf([TWO]);
    const { id, code } = fixture.create();
    fixture.adjust(code, 10);
    await fixture.sandbox.settled();
    expect(balances(fixture, code)).toEqual({ shop: 35, till: 35 });
    const { status } = fixture.send('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', {
      giftCardId: id,
      adjustmentAmount: -30,
      actionedAtUtc: '2026-01-15T11:00:00Z',
      uniqueAdjustmentId: 'by-id',
    });
    expect(status).toBe(200);
    await fixture.sandbox.settled();
    expect(balances(fixture, code)).toEqual({ shop: 5, till: 5 });
  });

  test.each(['VoidByCode', 'VoidById'])(
    'gift-card.void.zeroes-balance-in-channels, gift-card.void.leaves-card-in-channels: a void by %s',
    async (way) => {
      const fixture = sandboxOf([TWO]);
      const { id, code } = fixture.create();
      fixture.send('DELETE', `/api/GiftCard/${way}/${way === 'VoidById' ? id : code}`);
      await fixture.sandbox.settled();
      expect(balances(fixture, code)).toEqual({ shop: 0, till: 0 });
    },
  );

  test('channels.automation-cards: a card of an automation event', async () => {
    const fixture = sandboxOf([{ ...TWO, automations: [{ name: 'Thanks', eventName: 'review', amount: 10 }] }]);
    const { body } = fixture.send('POST', '/api/AutomationTriggerEvents', {
      event_name: 'review',
      recipient_email: 'a@b.example',
    });
    await fixture.sandbox.settled();
    expect(balances(fixture, body.gift_cards[0].code)).toEqual({ shop: 10, till: 10 });
  });
});

test('channels.expiry: an expiry is pushed', async () => {
  const { create, at, account } = sandboxOf([TWO]);
  const { id } = create({ expiresAtUtc: '2026-01-16T00:00:00Z' });
  await account.effects.settled();
  at(NOON + 86_400_000);
  await account.effects.settled();
  expect(account.state.card(id)?.status).toBe('Expired');
  expect(account.effects.pushes.all().at(-1)).toMatchObject({
    cause: { what: 'expiry' },
    listings: [{ channelId: 'shop' }, { channelId: 'till' }],
  });
});

describe('a channel that rejects a code', () => {
  test('gift-card.create.unaccepted-code-shows-sync-error: it shows a sync error, and the other channel has the card', async () => {
    const fixture = sandboxOf([{ channels: [{ id: 'picky', name: 'Picky', acceptsCodes: '[0-9]+' }, { id: 'till' }] }]);
    const { code } = fixture.create({ code: 'LETTERS-1' });
    await fixture.sandbox.settled();
    expect(balances(fixture, code)).toEqual({ picky: null, till: 25 });
    expect(listChannels({ account: fixture.account })[0]?.cards).toMatchObject([
      { state: 'sync-error', error: 'Picky does not accept the code LETTERS-1.', sourceId: null, drifted: false },
    ]);
  });

  test('the pattern must match the whole code', async () => {
    const fixture = sandboxOf([{ channels: [{ id: 'picky', acceptsCodes: 'A|B' }] }]);
    for (const code of ['A', 'B', 'AB', 'AX']) fixture.create({ code });
    await fixture.sandbox.settled();
    expect(listChannels({ account: fixture.account })[0]?.cards.map(({ state }) => state)).toEqual([
      'synced',
      'synced',
      'sync-error',
      'sync-error',
    ]);
  });
});

describe('a balance that was changed inside a channel', () => {
  /** A till redeems 20 of 50 in the channel, without an order. So the service keeps its balance of 50. */
  async function drifted(): Promise<SandboxFixture> {
    const fixture = sandboxOf([TWO]);
    const { id } = fixture.create({ code: 'DRIFTED', balance: 50 });
    await fixture.sandbox.settled();
    const { account } = fixture;
    const inTill = account.state.listing('till', id);
    if (!inTill) throw new Error('The card did not reach the till.');
    account.load([{ table: 'listings', put: { ...inTill, balance: 3000 } }]);
    return fixture;
  }

  test('channels.own-changes-not-picked-up: the service keeps its balance', async () => {
    const fixture = await drifted();
    await fixture.sandbox.settled();
    expect(fixture.send('GET', '/api/GiftCard/GetByCode/DRIFTED').body.balance).toBe(50);
  });

  test('channels.own-changes-drift: the other channel keeps its balance, too, and the drift appears', async () => {
    const fixture = await drifted();
    await fixture.sandbox.settled();
    expect(balances(fixture, 'DRIFTED')).toEqual({ shop: 50, till: 30 });
    expect(listChannels({ account: fixture.account }).map(({ id, cards }) => [id, cards[0]?.drifted])).toEqual([
      ['shop', false],
      ['till', true],
    ]);
  });

  test('adjustment.corrects-channel-drift: an adjustment in the service sets every channel to the same balance', async () => {
    const fixture = await drifted();
    fixture.adjust('DRIFTED', -20);
    await fixture.sandbox.settled();
    expect(balances(fixture, 'DRIFTED')).toEqual({ shop: 30, till: 30 });
    expect(listChannels({ account: fixture.account }).flatMap(({ cards }) => cards.map((card) => card.drifted))).toEqual([
      false,
      false,
    ]);
  });
});
