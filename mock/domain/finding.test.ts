import { describe, expect, test } from 'vitest';
import { NOON, type SandboxFixture, sandboxOf } from '../testing/fixture.ts';

describe('a card', () => {
  test('gift-card.get-by-code.returns-the-card, gift-card.get-by-id.returns-the-card', () => {
    const { send, create } = sandboxOf();
    const [first, second] = [create(), create()];
    for (const card of [first, second]) {
      expect(send('GET', `/api/GiftCard/GetByCode/${card.code}`)).toEqual({
        status: 200,
        mediaType: 'application/json',
        body: card,
      });
      expect(send('GET', `/api/GiftCard/GetById/${card.id}`).body).toEqual(card);
    }
  });

  test.each([
    ['gift-card.get-by-code.matches-exactly', 'GetByCode/exact-1'],
    ['gift-card.get-by-code.matches-exactly', 'GetByCode/EXACT-1'],
    ['gift-card.get-by-code.matches-exactly', 'GetByCode/Exact-'],
    ['gift-card.get-by-code.matches-exactly', 'GetByCode/Exact-1%20'],
    ['gift-card.get-by-code.matches-exactly', 'GetByCode/%20Exact-1'],
    ['gift-card.get-by-code.unknown-is-404', 'GetByCode/NONE-1'],
    ['gift-card.get-by-code.unknown-is-404', 'GetByCode/%'],
    ['gift-card.get-by-code.unknown-is-404', 'GetByCode/__proto__'],
    ['gift-card.get-by-id.unknown-is-404', 'GetById/00000000-0000-4000-8000-000000000000'],
    ['gift-card.get-by-id.unknown-is-404', 'GetById/no-id-at-all'],
    ['gift-card.get-by-id.unknown-is-404', 'GetById/Exact-1'],
  ])('%s: %s finds nothing', (_, path) => {
    const { send, create } = sandboxOf();
    create({ code: 'Exact-1' });
    expect(send('GET', `/api/GiftCard/${path}`)).toMatchObject({ status: 404, mediaType: 'text/plain' });
  });

  const gone = {
    id: '11111111-1111-4111-8111-111111111111',
    code: 'GONE-1',
    initialValue: 5,
    deleted: true,
    recipientEmailAddress: 'ada@example.com',
    inChannels: { 'online-store': { sourceId: 'source-1' } },
  };
  test.each([
    ['not by code', 'GetByCode/GONE-1', 404],
    ['by ID', `GetById/${gone.id}`, 200],
    ['not by source', 'GetByAccountPlatformIdAndSourceId?accountPlatformId=online-store&sourceId=source-1', 404],
  ])('finds a deleted card %s', (_, path, status) => {
    expect(sandboxOf([{ cards: [gone] }]).send('GET', `/api/GiftCard/${path}`).status).toBe(status);
  });

  test('does not find a deleted card by its recipient', () => {
    const { send } = sandboxOf([{ cards: [gone] }]);
    expect(send('GET', '/api/GiftCard/GetByEmail?emailAddress=ada@example.com').body).toEqual([]);
  });
});

describe('by recipient', () => {
  const byEmail = ({ send }: SandboxFixture, address: string) =>
    send('GET', `/api/GiftCard/GetByEmail?emailAddress=${address}`).body.map(({ code }: { code: string }) => code);

  test('gift-card.get-by-email.finds-cards-sent-to-recipient: only the cards of the address, the last updated first', () => {
    const fixture = sandboxOf();
    const { create, adjust, at } = fixture;
    create({ code: 'A', recipientEmailAddress: 'Ada@example.com' });
    create({ code: 'B', recipientEmailAddress: 'ada@example.com', shouldSendNotification: true });
    create({ code: 'C', recipientEmailAddress: 'ada@example.org' });
    create({ code: 'D', recipientEmailAddress: 'xada@example.com', buyerEmailAddress: 'ada@example.com' });
    create({ code: 'E' });
    expect(byEmail(fixture, 'ada@example.com')).toEqual(['B', 'A']);
    at(NOON + 1);
    adjust('A', 1);
    expect(byEmail(fixture, 'ADA%40EXAMPLE.COM')).toEqual(['A', 'B']);
  });

  test.each([
    ['an unknown address', '?emailAddress=unknown@example.com', 200],
    ['no parameter', '', 400],
    ['an empty parameter', '?emailAddress=', 400],
    ['another name', '?email=ada@example.com', 400],
    ['another letter case of the name', '?emailaddress=ada@example.com', 400],
  ])('returns an array or a refusal: %s', (_, query, status) => {
    const response = sandboxOf().send('GET', `/api/GiftCard/GetByEmail${query}`);
    expect(response.status).toBe(status);
    expect(response.mediaType).toBe(status === 200 ? 'application/json' : 'text/plain');
    if (status === 200) expect(response.body).toEqual([]);
  });
});

describe('by source', () => {
  const path = '/api/GiftCard/GetByAccountPlatformIdAndSourceId';

  test('gift-card.get-by-source.finds-channel-card: by the ID in the channel', async () => {
    const { account, send, create } = sandboxOf([{ channels: [{ id: 'shop' }, { id: 'till', acceptsCodes: '[A-Z]+' }] }]);
    const card = create({ code: 'CARD' });
    const refusedByTill = create({ code: 'CARD-2' });
    await account.effects.settled();
    for (const channel of ['shop', 'till']) {
      const sourceId = account.state.listing(channel, card.id)?.sourceId;
      expect(send('GET', `${path}?accountPlatformId=${channel}&sourceId=${sourceId}`).body).toEqual(card);
    }
    const other = account.state.listing('till', card.id)?.sourceId;
    expect(send('GET', `${path}?accountPlatformId=shop&sourceId=${other}`).status).toBe(404);
    const unsynced = account.state.listing('till', refusedByTill.id)?.sourceId;
    expect(send('GET', `${path}?accountPlatformId=till&sourceId=${unsynced}`).status).toBe(404);
  });

  test.each([
    ['?accountPlatformId=online-store&sourceId=none', 404],
    ['?accountPlatformId=none&sourceId=none', 404],
    ['?accountPlatformId=online-store', 400],
    ['?sourceId=none', 400],
    ['?accountPlatformId=&sourceId=', 400],
    ['', 400],
  ])('%s returns %d', (query, status) => {
    expect(sandboxOf().send('GET', `${path}${query}`)).toMatchObject({ status, mediaType: 'text/plain' });
  });
});
