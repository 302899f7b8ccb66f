import { describe, expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { sandboxOf } from '../testing/fixture.ts';
import type { ControlError } from './control-error.ts';
import * as snapshots from './snapshots.ts';

describe('snapshots that are kept', () => {
  test('are listed by name, replaced, and put back to as often as one likes', async () => {
    const { sandbox, ask, create } = sandboxOf([{ keys: [{ key: 'key-main' }] }]);
    const count = () => ask('GET', '/api/GiftCard/List', undefined, 'key-main').body.totalCount;
    snapshots.take(sandbox, 'main', 'empty');
    create();
    snapshots.take(sandbox, 'main', 'one card');
    snapshots.take(sandbox, null, 'everything');
    for (const [name, cards] of [
      ['empty', 0],
      ['one card', 1],
      ['empty', 0],
    ] as const) {
      await snapshots.restoreAccountFrom(sandbox, 'main', name);
      expect(count()).toBe(cards);
    }
    await snapshots.restoreAllFrom(sandbox, 'everything');
    expect(count()).toBe(1);
    sandbox.reset();
    snapshots.take(sandbox, 'main', 'one card');
    await snapshots.restoreAccountFrom(sandbox, 'main', 'one card');
    expect(count()).toBe(0);
    expect(snapshots.list(sandbox, 'main').map(({ name }) => name)).toEqual(['empty', 'one card']);
    expect(snapshots.list(sandbox, null)).toEqual([
      { name: 'everything', takenAtUtc: expect.stringMatching(/Z$/), size: expect.any(Number) },
    ]);
  });

  test('outlive their account, which is made anew from them', async () => {
    const { sandbox, ask, account } = sandboxOf([{ cards: [{ code: 'KEPT' }], keys: [{ key: 'key-main' }] }]);
    snapshots.take(sandbox, 'main', 'before');
    sandbox.accounts.remove(account);
    expect(snapshots.list(sandbox, 'main')).toHaveLength(1);
    await snapshots.restoreAccountFrom(sandbox, 'main', 'before');
    expect(ask('GET', '/api/GiftCard/GetByCode/KEPT', undefined, 'key-main').status).toBe(200);
  });

  test('that there are not, and more than there is room for: a sentence', () => {
    const { sandbox } = sandboxOf();
    const refused = (act: () => unknown) => {
      try {
        return act();
      } catch (error) {
        const { status, message } = error as ControlError;
        return [status, message];
      }
    };
    const remove = (name: string) => refused(() => snapshots.remove(sandbox, 'main', name));
    expect(remove('before')).toEqual([404, 'There is no snapshot before of the account main. There is none yet.']);
    for (let i = 0; i < 100; i++) snapshots.take(sandbox, 'main', `before-${i}`);
    expect(remove('befor-7')).toEqual([404, 'There is no snapshot befor-7 of the account main. Did you mean "before-7"?']);
    expect(refused(() => snapshots.take(sandbox, null, 'one more'))).toEqual([
      409,
      'There are 100 snapshots already, which is the most; delete one of them first.',
    ]);
    snapshots.take(sandbox, 'main', 'before-7');
    remove('before-7');
    snapshots.take(sandbox, null, 'one more');
  });
});

test('a snapshot goes out of one mock and into another as JSON, also a large one', async () => {
  await using one = await startMock({
    listen: false,
    seed: 1,
    world: { accounts: [{ keys: [{ key: 'mine' }], sampleCards: 2000 }] },
  });
  await using other = await startMock({ listen: false, seed: 2 });
  const taken = await one.fetch('/__mock/accounts/main/snapshot');
  expect(taken.headers.get('content-type')).toBe('application/vnd.giftcard-sandbox.snapshot+json; charset=utf-8');
  const text = await taken.text();
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const put = await other.fetch('/__mock/accounts/main/snapshot', { method: 'PUT', body: text });
  expect(put.status).toBe(200);
  const list = await other.fetch('/api/GiftCard/List', { headers: { 'x-api-key': 'mine' } });
  expect(await list.json()).toMatchObject({ totalCount: 2000 });
  const wrong = await other.fetch('/__mock/snapshot', { method: 'PUT', body: text });
  expect([wrong.status, await wrong.json()]).toEqual([
    409,
    { error: 'The snapshot cannot be used: this is no snapshot of a sandbox.' },
  ]);
});
