import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultBehaviors } from '../../openapi/generated/rules.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { shopOf } from '../testing/shop-fixture.ts';
import { readDescription } from '../world/read.ts';

const described = (id: string) => readDescription({ cards: [{ code: `CARD-OF-${id}` }] }, id);

describe('one account', () => {
  test('is reset to its description, with the same IDs; the others are unchanged', () => {
    const { sandbox, send, create } = sandboxOf([{ id: 'one' }, { id: 'two', keys: [{ key: 'key-two' }] }]);
    const first = create({ uniqueId: 'same' });
    send('POST', '/api/GiftCard/Create', { balance: 5, code: 'OTHER' }, 'key-two');
    const account = sandbox.accounts.reset(sandbox.accounts.get('one') as never);
    expect(sandbox.accounts.get('one')).toBe(account);
    expect(account.state.count(true)).toBe(0);
    account.clock.freeze(NOON);
    expect(create({ uniqueId: 'same' })).toEqual(first);
    expect(send('GET', '/api/GiftCard/GetByCode/OTHER', undefined, 'key-two').status).toBe(200);
  });

  test('is reset to its first variant and position, even if the sandbox has another variant now', async () => {
    const { sandbox } = sandboxOf([{ id: 'one' }, { id: 'two', keys: [{ key: 'key-two' }] }]);
    sandbox.useVariant(await sandbox.variants.of({ ...defaultBehaviors, 'gift-card.void.again': 'refused' }, []));
    const account = sandbox.accounts.reset(sandbox.accounts.get('one') as never);
    expect([account.behaviors['gift-card.void.again'], sandbox.variant.behaviors['gift-card.void.again']]).toEqual([
      defaultBehaviors['gift-card.void.again'],
      'refused',
    ]);
    expect([...sandbox.accounts.keys()]).toEqual(['one', 'two']);
  });

  test('that was added is reset, too, and keeps its lifetime', () => {
    const { sandbox } = sandboxOf();
    const { goneAt } = sandbox.add(described('mine'), 60_000);
    const account = sandbox.accounts.reset(sandbox.accounts.get('mine') as never);
    expect(account.state.cardByCode('CARD-OF-mine')).toBeDefined();
    expect([account.goneAt, goneAt]).toEqual([goneAt, expect.any(Number)]);
  });

  test('is not reset while another account has its key', () => {
    const { sandbox, account } = sandboxOf([{ keys: [{ key: 'mine', description: 'Till' }] }]);
    sandbox.accounts.useKeys(account, []);
    sandbox.add(readDescription({ keys: [{ key: 'mine' }] }, 'other'));
    expect(() => sandbox.accounts.reset(account)).toThrow('The key "Till"');
    expect(sandbox.accounts.get('main')).toBe(account);
  });

  test('is removed: its key is invalid, it sends nothing, and its ID is free', async () => {
    const { sandbox, account, create, send, receiver } = await shopOf();
    create({ shouldSendNotification: true, recipientEmailAddress: 'rita@example.com' });
    sandbox.accounts.remove(account);
    expect(send('GET', '/api/GiftCard/List')).toMatchObject({ status: 401 });
    await account.effects.settled();
    await sandbox.settled();
    expect([receiver.received, account.effects.outbox.all(), sandbox.accounts.size]).toEqual([[], [], 0]);
    expect(sandbox.add(described('main')).state.count(true)).toBe(1);
    expect(send('GET', '/api/GiftCard/List').status).toBe(200);
  });
});

describe('an account with a lifetime', () => {
  beforeEach(() => vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  test('is removed after its lifetime in real time, independent of its clock', () => {
    const { sandbox, send } = sandboxOf();
    const account = sandbox.add(described('brief'), 60_000);
    account.clock.freeze(NOON + 1_000_000);
    const key = account.keys[0]?.key as string;
    vi.advanceTimersByTime(59_999);
    expect(send('GET', '/api/GiftCard/List', undefined, key).status).toBe(200);
    vi.advanceTimersByTime(1);
    expect(send('GET', '/api/GiftCard/List', undefined, key)).toMatchObject({ status: 401 });
    expect([...sandbox.accounts.keys()]).toEqual(['main']);
  });

  test('can live longer than the longest timer of node', () => {
    const { sandbox } = sandboxOf();
    const day = 24 * 3_600_000;
    sandbox.add(described('long'), 60 * day);
    vi.advanceTimersByTime(60 * day - 1);
    expect(sandbox.accounts.has('long')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(sandbox.accounts.has('long')).toBe(false);
  });

  test('does not remove its successor', () => {
    const { sandbox } = sandboxOf();
    sandbox.accounts.remove(sandbox.add(described('brief'), 60_000));
    sandbox.add(described('brief'));
    sandbox.add(described('other'), 60_000);
    sandbox.reset();
    sandbox.add(described('other'));
    vi.advanceTimersByTime(120_000);
    expect([...sandbox.accounts.keys()]).toEqual(['main', 'other']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
