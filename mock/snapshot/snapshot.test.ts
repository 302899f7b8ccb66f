import { describe, expect, test } from 'vitest';
import { defaultReadings } from '../../openapi/generated/clauses.ts';
import type { Sandbox } from '../accounts/sandbox.ts';
import { resetAccount } from '../control/accounts.ts';
import { advance, readClock } from '../control/clock.ts';
import { ControlError } from '../control/control-error.ts';
import { listDrills, setDrill } from '../control/drills.ts';
import { setFault } from '../control/faults.ts';
import { adviceOf } from '../control/journal.ts';
import { GIFTED, NOTIFIED, shopOf } from '../effects/shop-fixture.ts';
import { NOON, sandboxOf } from '../fixture.ts';
import { DAY } from '../time/day.ts';
import { accountOf } from '../world-file/read.ts';
import { SnapshotError } from './misfit.ts';
import { captureAccount, captureAll, restoreAccount, restoreAll } from './sandbox.ts';

/** As it comes out of a file. */
const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const main = (sandbox: Sandbox) => captureAccount(sandbox, sandbox.accounts.get('main') as never);
const iso = (at: number) => new Date(at).toISOString();

describe('an account that is put back', () => {
  test('gives the very same answers to the very same calls, ids and codes included', async () => {
    const { sandbox, ask, create, adjust } = sandboxOf([
      {
        channels: [{ id: 'online' }],
        automations: [{ name: 'Welcome', eventName: 'signup', amount: 5, usageLimit: 2 }],
        reminderAfterDays: 5,
      },
    ]);
    const act = async () => {
      const answers: unknown[] = [];
      const say = (method: string, path: string, body?: object) => answers.push(ask(method, path, body));
      say('POST', '/api/GiftCard/Create', { balance: 10, uniqueId: 'one', ...NOTIFIED });
      say('POST', '/api/GiftCard/Create', { balance: 10, uniqueId: 'one' });
      say('POST', '/api/AutomationTriggerEvents', {
        event_name: 'signup',
        recipient_email: 'a@example.com',
        idempotency_key: 'k',
      });
      say('POST', '/api/Webhook/Create', { url: 'https://receiver.example/' });
      say('POST', '/api/WebStoreCoupon/Create', { code: 'SAVE', discountType: 'Percentage', discountValue: 10 });
      answers.push(adjust('FIRST', -5, { uniqueAdjustmentId: 'a-1' }));
      answers.push(await advance(sandbox.accounts.get('main') as never, { by: 'P6D' }));
      say('DELETE', '/api/GiftCard/VoidByCode/FIRST');
      say('GET', '/api/GiftCard/List?includeAll=true');
      say('GET', '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/FIRST');
      return answers;
    };
    create({ code: 'FIRST', balance: 50, uniqueId: 'zero', expiresAtUtc: iso(NOON + 3 * DAY) });
    adjust('FIRST', 5, { uniqueAdjustmentId: 'a-0' });
    await sandbox.settled();
    const snapshot = kept(main(sandbox));
    const first = await act();
    await sandbox.settled();
    await restoreAccount(sandbox, 'main', snapshot);
    expect(kept(main(sandbox))).toEqual({ ...snapshot, takenAtUtc: expect.any(String) });
    expect(await act()).toEqual(first);
    expect(sandbox.defects).toEqual([]);
  });

  test('is put back as a whole, and the others are not touched', async () => {
    const { sandbox, ask, create } = sandboxOf([{ keys: [{ key: 'key-main' }] }, { id: 'other', keys: [{ key: 'key-other' }] }]);
    const snapshot = kept(main(sandbox));
    create();
    ask('POST', '/api/GiftCard/Create', { balance: 5, code: 'OTHER' }, 'key-other');
    const account = sandbox.accounts.get('main') as never as {
      useSettings(settings: object, now: number): void;
      settings: object;
    };
    account.useSettings({ ...account.settings, plan: 'Basic' }, NOON);
    sandbox.accounts.useKeys(account as never, []);
    await restoreAccount(sandbox, 'main', snapshot);
    expect(ask('GET', '/api/GiftCard/List', undefined, 'key-main').body).toEqual({ giftCards: [], totalCount: 0 });
    expect(ask('GET', '/api/GiftCard/GetByCode/OTHER', undefined, 'key-other').status).toBe(200);
  });

  test('speaks as it did, in its readings and with its own rows', async () => {
    const { sandbox, account, create, ask } = sandboxOf([{ keys: [{ key: 'key-main' }] }], {
      readings: { 'adjustment.by-id.overdraw-status': '409' },
      rows: [{ rename: 'GiftCard.initialValue', to: 'originalValue' }],
    });
    const { code } = create({ balance: 7 });
    const snapshot = kept(main(sandbox));
    account.speak({ ...account, readings: defaultReadings, ownRows: [], contract: sandboxOf().sandbox.contract });
    sandbox.reset();
    const back = await restoreAccount(sandbox, 'main', snapshot);
    expect(ask('GET', `/api/GiftCard/GetByCode/${code}`, undefined, 'key-main').body).toMatchObject({ originalValue: 7 });
    expect(back.readings['adjustment.by-id.overdraw-status']).toBe('409');
    expect(sandbox.defects).toEqual([]);
  });

  test('advises as it would have, since its adviser remembers as much', async () => {
    const key = 'key-main';
    const { sandbox, ask } = sandboxOf([{ keys: [{ key }] }], { rateLimit: 11 });
    const get = (path: string) => ask('GET', path, undefined, key).status;
    const post = (path: string, body: object) => ask('POST', path, body, key).status;
    const create = (uniqueId: string) => post('/api/GiftCard/Create', { balance: 5, ...NOTIFIED, uniqueId });
    const adjust = (uniqueAdjustmentId: string) =>
      post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
        giftCardCode: 'C',
        adjustmentAmount: 1,
        actionedAtUtc: iso(NOON),
        uniqueAdjustmentId,
      });
    const steps: (() => number)[] = [
      () => post('/api/GiftCard/Create', { balance: 5, code: 'C', uniqueId: 'c' }),
      () => create('a'),
      () => adjust('a'),
      () => create('b'),
      () => adjust('b'),
      () => get('/api/GiftCard/List?pageNumber=1'),
      () => get('/api/GiftCard/List?pageSize=none&token=s3cret'),
      () => get('/api/GiftCard/List?pageSize=none&token=s3cret'),
      () => get('/api/GiftCard/List?pageSize=none&token=s3cret'),
      () => get('/api/GiftCard/List?pageSize=50&pageNumber=1'),
      () => get('/api/GiftCard/List?pageSize=50'),
      () => get('/api/Webhook/List'),
      () => get('/api/Webhook/List'),
    ];
    const answers: number[] = [];
    for (const step of steps) {
      answers.push(step());
      expect(JSON.stringify(main(sandbox).journal)).not.toContain('s3cret');
      await restoreAccount(sandbox, 'main', kept(main(sandbox)));
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 200, 400, 400, 400, 200, 200, 429, 429]);
    expect(adviceOf(sandbox.accounts.get('main') as never).map(({ name, count }) => [name, count])).toEqual([
      ['create-new-unique-id-per-try', 1],
      ['adjustment-new-unique-id-per-try', 1],
      ['list-pages-from-one', 1],
      ['key-in-query', 3],
      ['rejection-repeated', 1],
      ['rate-no-wait', 1],
    ]);
  });

  test('goes on with what was about to leave; what was under way is not sent again, and nobody knows what came of it', async () => {
    const { sandbox, account, create, receiver } = await shopOf({ channels: [{ id: 'online' }] });
    let answer = () => {};
    receiver.answer = (response) => {
      answer = () => response.writeHead(200).end();
    };
    create({ ...NOTIFIED, code: 'UNDER-WAY' });
    await receiver.arrived(1);
    create({ ...NOTIFIED, code: 'IN-LINE' });
    await account.effects.left();
    create({ ...NOTIFIED, code: 'NOT-YET' });
    const snapshot = kept(main(sandbox));
    answer();
    receiver.answer = 200;
    await account.effects.settled();
    expect(receiver.payloads.map(({ Code }) => Code)).toEqual(['UNDER-WAY', 'IN-LINE', 'NOT-YET']);
    receiver.received.length = 0;

    const back = await restoreAccount(sandbox, 'main', snapshot);
    expect(back.outbox.emails()).toHaveLength(2);
    await back.effects.settled();
    expect(receiver.payloads.map(({ Code }) => Code)).toEqual(['IN-LINE', 'NOT-YET']);
    expect(back.deliveries.all().map(({ state }) => state)).toEqual(['unknown', 'delivered', 'delivered']);
    expect(back.deliveries.all()[0]?.result).toEqual({ unknown: 'it was under way when the snapshot was taken' });
    expect([back.outbox.emails().length, back.state.listingsOf(back.state.cardByCode('NOT-YET')?.id ?? '').length]).toEqual([
      3, 1,
    ]);
    expect(sandbox.defects).toEqual([]);
  });

  test('has a drill open again whose delivery was under way, since nobody knows what came of it', async () => {
    const { sandbox, account, create, receiver } = await shopOf();
    receiver.answer = () => {};
    setDrill(account, { drill: 'duplicate' });
    create({ ...NOTIFIED, code: 'UNDER-WAY' });
    await receiver.arrived(1);
    expect(listDrills(account)).toMatchObject([{ left: 0, deliveries: [{ verdict: 'waiting' }] }]);
    const back = await restoreAccount(sandbox, 'main', kept(main(sandbox)));
    expect(listDrills(back)).toMatchObject([{ left: 1, verdict: 'waiting', deliveries: [] }]);
    receiver.answer = 200;
    const { id } = create({ ...NOTIFIED, code: 'NEXT' });
    await back.effects.settled();
    expect(back.deliveries.all().filter(({ giftCardId }) => giftCardId === id)).toMatchObject([{ attempts: [{}, {}] }]);
    expect(listDrills(back)).toMatchObject([{ left: 0, verdict: 'passed', deliveries: [{ verdict: 'passed' }] }]);
    expect(listDrills(await restoreAccount(sandbox, 'main', kept(main(sandbox))))).toEqual(listDrills(back));
  });

  test('sends what was to be overtaken, while the drill that put it behind another is open for the next two', async () => {
    const { sandbox, account, create, receiver } = await shopOf();
    receiver.answer = () => {};
    setDrill(account, { drill: 'reorder' });
    for (const code of ['LATE', 'EARLY']) create({ ...NOTIFIED, code });
    await receiver.arrived(1);
    const back = await restoreAccount(sandbox, 'main', kept(main(sandbox)));
    receiver.answer = 200;
    await back.effects.settled();
    expect(receiver.payloads.map(({ Code }) => Code)).toEqual(['EARLY', 'LATE']);
    expect(listDrills(back)).toMatchObject([{ left: 1, verdict: 'waiting', deliveries: [] }]);
    for (const code of ['LATE-AGAIN', 'EARLY-AGAIN']) create({ ...NOTIFIED, code });
    await back.effects.settled();
    expect(receiver.payloads.slice(2).map(({ Code }) => Code)).toEqual(['EARLY-AGAIN', 'LATE-AGAIN']);
    expect(listDrills(back)).toMatchObject([{ left: 0, verdict: 'passed', deliveries: [{ verdict: 'passed' }] }]);
    expect(sandbox.defects).toEqual([]);
  });

  test('goes on with what waits but is not kept any more, which is one delivery wherever it is referred to', async () => {
    const readings = { 'delivery.waiting-when-webhook-goes': 'sent' } as const;
    const { sandbox, account, ask, create, receiver, webhookId } = await shopOf({}, {}, readings);
    receiver.answer = () => {};
    create({ ...NOTIFIED, code: 'UNDER-WAY' });
    await receiver.arrived(1);
    create({ ...NOTIFIED, code: 'IN-LINE' });
    await account.effects.left();
    ask('DELETE', `/api/Webhook/Delete/${webhookId}`);
    const snapshot = kept(main(sandbox));
    const { kept: all, waiting, origins, ...rest } = snapshot.deliveries;
    const inLine = () => kept(all[1] as never);
    const deliveries = { ...rest, kept: [all[0]], waiting: [inLine()], origins: [[inLine(), origins[0]?.[1]]] };
    expect([waiting, origins.map(([reference]) => reference)]).toEqual([[1], [1]]);
    receiver.received.length = 0;
    receiver.answer = 200;
    const back = await restoreAccount(sandbox, 'main', { ...snapshot, deliveries });
    await back.effects.settled();
    expect(receiver.payloads).toMatchObject([{ Code: 'IN-LINE' }]);
  });

  test('does nothing more of what the replaced one had begun', async () => {
    const { sandbox, account, create, receiver } = await shopOf();
    const snapshot = kept(main(sandbox));
    create(NOTIFIED);
    const advancing = advance(account, { by: 'P1D' });
    const back = await restoreAccount(sandbox, 'main', snapshot);
    await expect(advancing).rejects.toThrow(/was reset, restored or removed/);
    await account.effects.settled();
    await back.effects.settled();
    expect([receiver.received, back.outbox.emails(), readClock(back).nowUtc]).toEqual([[], [], iso(NOON)]);
  });

  test('wakes at its next moment, and keeps how often a webhook has failed and what still counts toward the rate', async () => {
    const { sandbox, ask, create, receiver, account, webhookId } = await shopOf();
    receiver.answer = 500;
    for (let i = 0; i < 4; i++) create(NOTIFIED);
    create({ ...GIFTED, code: 'LATER', giftScheduledForUtc: iso(NOON + DAY) });
    await account.effects.settled();
    const back = await restoreAccount(sandbox, 'main', kept(main(sandbox)));
    await advance(back, { by: 'P2D' });
    expect(back.state.webhook(webhookId)).toMatchObject({ failures: 5, enabled: true });
    create(NOTIFIED);
    await back.effects.settled();
    expect(ask('GET', '/api/Webhook/List').body).toEqual([]);
  });

  test('can be made anew where it is gone, and lives as long as it would have', async () => {
    const { sandbox, ask } = sandboxOf();
    const added = sandbox.add(accountOf({ cards: [{ code: 'MINE' }] }, 'mine'), 60_000);
    const key = added.keys[0]?.key as string;
    const snapshot = kept(captureAccount(sandbox, added));
    sandbox.accounts.remove(added);
    const back = await restoreAccount(sandbox, 'mine', snapshot);
    expect(ask('GET', '/api/GiftCard/GetByCode/MINE', undefined, key).status).toBe(200);
    expect(back.goneAt).toBe(added.goneAt);
    expect(sandbox.accounts.reset(back).state.cardByCode('MINE')).toBeDefined();
  });
});

describe('all accounts', () => {
  test('are put back with which there are, and new ones are like those that would have come', async () => {
    const { sandbox } = sandboxOf([{}, { id: 'second' }]);
    sandbox.add(accountOf({}, sandbox.accounts.nextId()));
    const snapshot = kept(captureAll(sandbox));
    const next = () => {
      const account = sandbox.add(accountOf({ cards: [{}] }, sandbox.accounts.nextId()));
      return [account.id, ...Array.from(account.state.cards(), ({ id, code }) => [id, code])];
    };
    const made = next();
    sandbox.accounts.remove(sandbox.accounts.get('second') as never);
    await restoreAll(sandbox, snapshot);
    expect([...sandbox.accounts.keys()]).toEqual(['main', 'second', 'account-3']);
    expect(next()).toEqual(made);
  });

  test('go into another sandbox, whose own accounts are gone until it is reset', async () => {
    const [one, other] = [sandboxOf(), sandboxOf([{ id: 'others-own' }])];
    const { code } = one.create({ balance: 7 });
    await restoreAll(other.sandbox, kept(captureAll(one.sandbox)));
    const key = one.account.keys[0]?.key as string;
    expect(other.ask('GET', `/api/GiftCard/GetByCode/${code}`, undefined, key).body).toMatchObject({ balance: 7 });
    const main = other.sandbox.accounts.get('main') as never;
    expect(other.sandbox.accounts.objectionToReset(main)).toMatch(
      /^Nothing here says how the account main was made: .*, or remove the account\.$/,
    );
    expect(() => resetAccount(other.sandbox, 'main')).toThrow(ControlError);
    other.sandbox.seed = 99; // As that of a sandbox with another seed would have put it.
    other.sandbox.reset();
    expect([...other.sandbox.accounts.keys()]).toEqual(['others-own']);
    expect([other.sandbox.seed, other.sandbox.accounts.get('others-own')?.seed]).toEqual([1, 1]);
  });

  test('are put back with how many requests were of nobody, whose numbers go on', async () => {
    const [one, other] = [sandboxOf(), sandboxOf()];
    for (let i = 0; i < 3; i++) one.ask('GET', '/api/GiftCard/List', undefined, null);
    await restoreAll(other.sandbox, kept(captureAll(one.sandbox)));
    other.ask('GET', '/api/GiftCard/List', undefined, null);
    expect(other.sandbox.journal.entries().map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  test('are not put back where that would make too many', () => {
    const { sandbox, account } = sandboxOf();
    const { settings, seed } = account;
    const made = { settings, seed, keys: [], dialect: sandbox.dialect, goneAt: null, description: undefined };
    const fill = () => expect.unreachable();
    const others = Array.from({ length: 10_000 }, (_, index) => ({ ...made, id: `other-${index}`, fill }));
    expect(() => sandbox.replace(others)).toThrow(
      'That makes 10001 accounts, and 10000 is the most; remove some, or leave some out.',
    );
    expect(() => sandbox.replace([{ ...made, id: 'main', fill }, ...others], { seed, numbered: 1 })).toThrow(SnapshotError);
    expect([...sandbox.accounts.values()]).toEqual([account]);
  });

  test('do not come back when their time is over', async () => {
    const { sandbox } = sandboxOf();
    sandbox.add(accountOf({}, 'brief'), 60_000);
    const snapshot = kept(captureAll(sandbox));
    const over = snapshot.accounts.map((account) => (account.id === 'brief' ? { ...account, goneAt: 1 } : account));
    await restoreAll(sandbox, { ...snapshot, accounts: over });
    expect([...sandbox.accounts.keys()]).toEqual(['main']);
  });
});

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
