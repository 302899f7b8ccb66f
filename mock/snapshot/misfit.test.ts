import { describe, expect, test } from 'vitest';
import { setDrill } from '../control/drills.ts';
import { setFault } from '../control/faults.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { kept, main } from '../testing/kept-fixture.ts';
import { accountOf } from '../world/read.ts';
import { captureAll, restoreAccount, restoreAll } from './sandbox.ts';

describe('what is no snapshot', () => {
  // biome-ignore lint/suspicious/noExplicitAny: each spoils a snapshot in its own way.
  const spoilt: [string, (snapshot: any) => unknown, string][] = [
    ['nothing', () => null, 'an object belongs here, not null.'],
    ['a text', () => 'snapshot', 'an object belongs here, not "snapshot".'],
    ['something else', () => ({ accounts: [] }), 'this is no snapshot of an account of the sandbox.'],
    ['another form', (s) => ({ ...s, version: 2 }), 'it has form 2, and this version of the sandbox reads form 1; take it anew.'],
    ['a part that is missing', ({ clock, ...s }) => s, 'clock: an object belongs here, not nothing.'],
    ['a part that nobody knows', (s) => ({ ...s, extra: 1 }), '"extra" is not known here.'],
    [
      'a clock without a mode',
      (s) => ({ ...s, clock: { now: 1 } }),
      'clock, mode: real or running or frozen belongs here, not nothing.',
    ],
    [
      'a balance that is a text',
      (s) => cell(s, 'balance', 'x'),
      'records, cards, #1, balance: a whole number belongs here, not "x".',
    ],
    ['a row that is too short', (s) => row(s, ['x']), 'records, cards, #1: a row of 34 values belongs here.'],
    [
      'other columns',
      (s) => ({ ...s, records: { ...s.records, timeline: { columns: ['a'], rows: [] } } }),
      'records, timeline: the columns must be cardId, at, text.',
    ],
    [
      'a line of no card',
      (s) => cell(s, 'id', '00000000-0000-4000-8000-000000000000'),
      /^records, timeline, #1: there is no card [0-9a-f-]{36}\.$/ as never,
    ],
    [
      'an order without a card',
      (s) => ({ ...s, records: { ...s.records, updated: [] } }),
      'records, updated: every card belongs here once, by its place.',
    ],
    [
      'a fault that there is not',
      (s) => ({ ...s, faults: { ...s.faults, standing: [{ ...s.faults.standing[0], rule: { fault: 'flood' } }] } }),
      'faults, standing, #1, rule, fault: status or rate-limit or delay or reset or truncate belongs here, not "flood".',
    ],
    [
      'a strike without an age',
      (s) => ({ ...s, faults: { ...s.faults, standing: [{ ...s.faults.standing[0], trials: [aged(s, 'old')] }] } }),
      'faults, standing, #1, trials, #1, age: a number belongs here, not "old".',
    ],
    [
      'a drill that there is not',
      (s) => ({ ...s, drills: { ...s.drills, standing: [{ ...s.drills.standing[0], rule: { drill: 'flood' } }] } }),
      /^drills, standing, #1, rule, drill: duplicate or .* belongs here, not "flood"\.$/ as never,
    ],
    [
      'a reading that there is not',
      (s) => ({ ...s, facts: { 'lst.page-size-maximum': 'x' } }),
      /^what the account main speaks: there is no clause lst\.page-size-maximum\./ as never,
    ],
  ];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const aged = (s: any, age: unknown) => ({ ...s.faults.standing[0].trials[0], age });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const cell = (s: any, column: string, value: unknown) =>
    row(
      s,
      s.records.cards.rows[0].map((old: unknown, place: number) => (s.records.cards.columns[place] === column ? value : old)),
    );
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const row = (s: any, first: unknown[]) => ({ ...s, records: { ...s.records, cards: { ...s.records.cards, rows: [first] } } });

  test.each(spoilt)('%s: one sentence that says where, and nothing changes', async (_, spoil, sentence) => {
    const { sandbox, account: made, ask, create } = sandboxOf([{ channels: [{ id: 'online' }] }]);
    create();
    setFault(made, { fault: 'status', first: 1 });
    setDrill(made, { drill: 'duplicate' });
    expect(ask('GET', '/api/Company/Profile').status).toBe(503);
    await sandbox.settled();
    const snapshot = kept(main(sandbox));
    const account = sandbox.accounts.get('main');
    const error = await restoreAccount(sandbox, 'main', spoil(kept(snapshot))).catch((refused: unknown) => refused);
    const { name, message } = error as Error;
    expect(name).toBe('Error');
    if (typeof sentence === 'string') expect(message).toBe(`The snapshot cannot be used: ${sentence}`);
    else expect(message.replace('The snapshot cannot be used: ', '')).toMatch(sentence);
    expect(sandbox.accounts.get('main')).toBe(account);
    // How old a strike is counts on.
    const withoutAges = (value: unknown) => JSON.parse(JSON.stringify(value, (name, each) => (name === 'age' ? 0 : each)));
    expect(withoutAges(main(sandbox))).toEqual({ ...withoutAges(snapshot), takenAtUtc: expect.any(String) });
  });

  test('one of another account, one whose key another account has, and a sandbox with an account twice', async () => {
    const { sandbox } = sandboxOf([{ keys: [{ key: 'mine' }] }, { id: 'other' }]);
    const snapshot = kept(main(sandbox));
    await expect(restoreAccount(sandbox, 'other', snapshot)).rejects.toThrow(
      'This is a snapshot of the account main, not of other; put it back there.',
    );
    sandbox.accounts.remove(sandbox.accounts.get('main') as never);
    sandbox.add(accountOf({ keys: [{ key: 'mine' }] }, 'thief'));
    await expect(restoreAccount(sandbox, 'main', snapshot)).rejects.toThrow(
      /belongs to the account thief now; remove that account first\.$/,
    );
    await expect(restoreAll(sandbox, { ...captureAll(sandbox), accounts: [snapshot, snapshot] })).rejects.toThrow(
      'The snapshot cannot be used: accounts: two of them have the same id.',
    );
    await expect(restoreAll(sandbox, snapshot)).rejects.toThrow('The snapshot cannot be used: this is no snapshot of a sandbox.');
    expect([...sandbox.accounts.keys()]).toEqual(['other', 'thief']);
  });
});
