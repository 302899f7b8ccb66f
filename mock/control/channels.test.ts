import { expect, test } from 'vitest';
import { withoutPause } from '../account/clock.ts';
import { sandboxOf } from '../testing/fixture.ts';
import * as channels from './channels.ts';
import { channelOf, controlledCard } from './resources.ts';

/** An account with two channels and a card in both. */
function shop() {
  const fixture = sandboxOf([
    { channels: [{ id: 'store' }, { id: 'till', name: 'Till' }], cards: [{ code: 'CARD-1', balance: 20 }] },
  ]);
  const { account } = fixture;
  return {
    ...fixture,
    get card() {
      return controlledCard(account, 'CARD-1');
    },
    channel: (id: string) => channelOf(account, id),
    async seen() {
      await account.effects.settled();
      return Object.fromEntries(channels.listChannels({ account }).map(({ id, cards: [there] }) => [id, there]));
    },
  };
}

test('channels.own-changes-drift, channels.own-changes-not-picked-up, adjustment.corrects-channel-drift', async () => {
  const { account, adjust, send, card, channel, seen } = shop();
  expect(channels.changeBalanceInChannel({ account, channel: channel('till'), card, body: { balance: 3 } })).toMatchObject({
    balance: 3,
    drifted: true,
  });
  expect(await seen()).toMatchObject({ store: { balance: 20, drifted: false }, till: { balance: 3, drifted: true } });
  expect(send('GET', '/api/GiftCard/GetByCode/CARD-1').body.balance).toBe(20);
  adjust('CARD-1', -5);
  expect(await seen()).toMatchObject({ store: { balance: 15, drifted: false }, till: { balance: 15, drifted: false } });
});

test('a sync error stays until the card is pushed again, or until a retry', async () => {
  const { account, adjust, card, channel, seen } = shop();
  expect(channels.failInChannel({ account, channel: channel('till'), card, body: undefined })).toMatchObject({
    state: 'sync-error',
    error: 'Till could not be reached.',
  });
  expect(await seen()).toMatchObject({ till: { state: 'sync-error', sourceId: null, balance: null } });
  adjust('CARD-1', -5);
  expect(await seen()).toMatchObject({ till: { state: 'synced', balance: 15 } });
  channels.failInChannel({ account, channel: channel('till'), card, body: { error: 'Offline.' } });
  expect(await seen()).toMatchObject({ till: { error: 'Offline.' } });
  expect(channels.retryInChannel({ account, channel: channel('till'), card })).toMatchObject({
    state: 'synced',
    error: null,
    balance: 15,
  });
});

test('a channel that is connected gets the cards that are there, and every change from then on', async () => {
  const { account, adjust, seen } = shop();
  expect(withoutPause(channels.connectChannel({ account, body: { id: 'web' } }))).toMatchObject({
    name: 'web',
    cards: [{ code: 'CARD-1', balance: 20 }],
  });
  adjust('CARD-1', -5);
  expect(await seen()).toMatchObject({ web: { balance: 15 } });
});

test('gift-card.create.unaccepted-code-shows-sync-error: until the channel takes the code and is tried again', () => {
  const { account, card } = shop();
  expect(withoutPause(channels.connectChannel({ account, body: { id: 'web', acceptsCodes: '[0-9]+' } }))).toMatchObject({
    cards: [{ state: 'sync-error' }],
  });
  const changed = channels.changeChannel({
    account,
    channel: channelOf(account, 'web'),
    body: { acceptsCodes: '.+', name: 'Web' },
  });
  expect(changed).toMatchObject({ name: 'Web', cards: [{ state: 'sync-error' }] });
  expect(channels.retryInChannel({ account, channel: channelOf(account, 'web'), card })).toMatchObject({
    state: 'synced',
    balance: 20,
  });
});

test('a channel that was disconnected hears nothing, and catches up when it is connected again', async () => {
  const { account, adjust, channel, seen } = shop();
  const left = channels.disconnectChannel({ account, channel: channel('till') });
  adjust('CARD-1', -5);
  expect(Object.keys(await seen())).toEqual(['store']);
  const again = withoutPause(channels.connectChannel({ account, body: { id: 'till' } }));
  expect(again.cards).toMatchObject([{ balance: 15, sourceId: left.cards[0]?.sourceId }]);
});

test.each<[string, (given: ReturnType<typeof shop>) => unknown, RegExp]>([
  [
    'an unknown channel',
    ({ channel }) => channel('shop'),
    /^The account main has no channel shop\. The account has store, till\.$/,
  ],
  [
    'a channel that is there',
    ({ account }) => withoutPause(channels.connectChannel({ account, body: { id: 'till' } })),
    /channel till .*connected/,
  ],
  [
    'a balance with too many decimals',
    ({ account, card, channel }) =>
      channels.changeBalanceInChannel({ account, channel: channel('till'), card, body: { balance: 0.001 } }),
    /^balance 0\.001 /,
  ],
])('%s is refused with a sentence, and changes nothing', async (_, act, sentence) => {
  const given = shop();
  const before = channels.listChannels({ account: given.account });
  expect(() => act(given)).toThrow(sentence);
  expect(channels.listChannels({ account: given.account })).toEqual(before);
});

test('a balance cannot be changed in a channel that does not have the card', () => {
  const { account, card, channel } = shop();
  channels.failInChannel({ account, channel: channel('till'), card, body: undefined });
  expect(() => channels.changeBalanceInChannel({ account, channel: channel('till'), card, body: { balance: 1 } })).toThrow(
    /CARD-1 is not in the channel/,
  );
});

test('a list of channels has a page of the cards, and the number of the others', async () => {
  const { account, create } = sandboxOf([{ channels: [{ id: 'store' }] }]);
  for (let card = 0; card < 5; card++) create({ code: `CARD-${card}` });
  await account.effects.settled();
  const page = (query?: { skip?: number; limit?: number }) => {
    const [store] = channels.listChannels({ account, ...(query ? { query } : {}) });
    return [store?.cards.map(({ code }) => code), store?.otherCards];
  };
  expect(page()).toEqual([['CARD-0', 'CARD-1', 'CARD-2', 'CARD-3', 'CARD-4'], 0]);
  expect(page({ limit: 2 })).toEqual([['CARD-3', 'CARD-4'], 3]);
  expect(page({ skip: 2, limit: 2 })).toEqual([['CARD-1', 'CARD-2'], 3]);
  expect(page({ skip: 9 })).toEqual([[], 5]);
});
