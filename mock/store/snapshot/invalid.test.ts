import { describe, expect, test } from 'vitest';
import { UnusableInput } from '../../../openapi/input/unusable-input.ts';
import { setFault } from '../../control/faults.ts';
import { snapshotOfMain, throughJson } from '../../testing/account-fixture.ts';
import { sandboxOf } from '../../testing/fixture.ts';
import { readDescription } from '../../world/read.ts';
import { captureAll } from './capture.ts';
import { restoreAccount, restoreAll } from './restore.ts';

describe('a value that is not a snapshot', () => {
  // biome-ignore lint/suspicious/noExplicitAny: each case changes a snapshot in its own way.
  const cases: [string, (snapshot: any) => unknown, RegExp][] = [
    ['nothing', () => null, /not a snapshot of an account/],
    ['a string', () => 'snapshot', /not a snapshot of an account/],
    ['another object', () => ({ accounts: [] }), /not a snapshot of an account/],
    ['another version', (s) => ({ ...s, version: 2 }), /version must be 1, got 2/],
    ['a missing part', ({ clock, ...s }) => s, /"clock" is missing/],
    ['a clock without a mode', (s) => ({ ...s, clock: { now: 1 } }), /in clock, "mode" is missing/],
    ['a balance that is a string', (s) => withCard(s, { balance: 'x' }), /in records\.cards\.0, balance .*"x"/],
    ['a balance that is not an integer', (s) => withCard(s, { balance: 1.5 }), /in records\.cards\.0, balance .*integer/],
    ['a time after the year 9999', (s) => withCard(s, { createdAt: 1e15 }), /in records\.cards\.0, createdAt/],
    ['amounts with other decimals', (s) => ({ ...s, decimals: 0 }), /USD have 0 decimals.* 2\./],
    ['a card in another currency', (s) => withCard(s, { currency: 'EUR' }), /EUR.*USD/],
    [
      'a timeline of a card that is missing',
      (s) => withCard(s, { id: '00000000-0000-4000-8000-000000000000' }),
      /refers to the card [0-9a-f-]{36}/,
    ],
    ['an order without a card', (s) => ({ ...s, records: { ...s.records, updated: [] } }), /records\.updated/],
    ['an unknown fault', (s) => withFault(s, { fault: 'flood' }), /in faults\.rules\.0/],
    ['a fault with an impossible status', (s) => withFault(s, { status: 7 }), /in faults\.rules\.0/],
    ['an unknown behavior', (s) => ({ ...s, behaviors: { 'lst.page-size-maximum': 'x' } }), /lst\.page-size-maximum/],
  ];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const withCard = (s: any, fields: object) => ({
    ...s,
    records: { ...s.records, cards: [{ ...s.records.cards[0], ...fields }] },
  });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const withFault = ({ faults, ...s }: any, fields: object) => {
    const [first] = faults.rules;
    return { ...s, faults: { ...faults, rules: [{ ...first, rule: { ...first.rule, ...fields } }] } };
  };

  test.each(cases)('%s: one sentence that says where, and nothing changes', async (_, change, message) => {
    const { sandbox, account: made, send, create } = sandboxOf([{ channels: [{ id: 'online' }] }]);
    create();
    setFault({ account: made, body: { fault: 'status', first: 1 } });
    expect(send('GET', '/api/Company/Profile').status).toBe(503);
    await sandbox.settled();
    const snapshot = throughJson(snapshotOfMain(sandbox));
    const account = sandbox.accounts.get('main');
    const error = await restoreAccount(sandbox, 'main', change(throughJson(snapshot))).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(UnusableInput);
    expect((error as Error).message).toMatch(message);
    expect(sandbox.accounts.get('main')).toBe(account);
    // The age of a match continues to increase.
    const withoutAges = (value: unknown) => JSON.parse(JSON.stringify(value, (name, each) => (name === 'age' ? 0 : each)));
    expect(withoutAges(snapshotOfMain(sandbox))).toEqual({ ...withoutAges(snapshot), takenAtUtc: expect.any(String) });
  });

  test('of another account, with a key of another account, or with an account twice', async () => {
    const { sandbox } = sandboxOf([{ keys: [{ key: 'mine' }] }, { id: 'other' }]);
    const snapshot = throughJson(snapshotOfMain(sandbox));
    await expect(restoreAccount(sandbox, 'other', snapshot)).rejects.toThrow(/account main, not of other/);
    sandbox.accounts.remove(sandbox.accounts.get('main') as never);
    sandbox.add(readDescription({ keys: [{ key: 'mine' }] }, 'thief'));
    await expect(restoreAccount(sandbox, 'main', snapshot)).rejects.toThrow(/account thief/);
    await expect(restoreAll(sandbox, { ...(await captureAll(sandbox)), accounts: [snapshot, snapshot] })).rejects.toThrow(
      /same id/,
    );
    await expect(restoreAll(sandbox, snapshot)).rejects.toThrow(/not a snapshot of all accounts/);
    expect([...sandbox.accounts.keys()]).toEqual(['other', 'thief']);
  });
});

test('a missing property gets null or an empty list', async () => {
  const { sandbox, create } = sandboxOf();
  create();
  const snapshot = throughJson(snapshotOfMain(sandbox));
  const { expiresAt: _, ...card } = snapshot.records.cards[0] as unknown as Record<string, unknown>;
  const { coupons: __, ...records } = snapshot.records;
  await restoreAccount(sandbox, 'main', { ...snapshot, records: { ...records, cards: [card] } });
  expect(snapshotOfMain(sandbox).records).toMatchObject({ cards: [{ ...card, expiresAt: null }], coupons: [] });
});

test('properties that the types do not have are dropped', async () => {
  const { sandbox } = sandboxOf();
  const snapshot = throughJson(snapshotOfMain(sandbox));
  await restoreAccount(sandbox, 'main', { ...snapshot, extra: 1, clock: { ...snapshot.clock, extra: 1 } });
  expect(throughJson(snapshotOfMain(sandbox))).toEqual({ ...snapshot, takenAtUtc: expect.any(String) });
});
