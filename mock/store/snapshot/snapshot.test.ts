import { describe, expect, test } from 'vitest';
import { defaultBehaviors } from '../../../openapi/generated/rules.ts';
import { AccountConflict } from '../../account/accounts.ts';
import { withoutPause } from '../../account/clock.ts';
import { resetAccount } from '../../control/accounts.ts';
import { advanceClock } from '../../control/clock.ts';
import { DAY } from '../../domain/dates.ts';
import { snapshotOfMain, throughJson } from '../../testing/account-fixture.ts';
import { iso, NOON, sandboxOf } from '../../testing/fixture.ts';
import { NOTIFIED } from '../../testing/shop-fixture.ts';
import { readDescription } from '../../world/read.ts';
import { capture, captureAll } from './capture.ts';
import { restoreAccount, restoreAll } from './restore.ts';

describe('a restored account', () => {
  test('gives the same responses to the same requests, IDs and codes included', async () => {
    const { sandbox, send, create, adjust } = sandboxOf([
      {
        channels: [{ id: 'online' }],
        automations: [{ name: 'Welcome', eventName: 'signup', amount: 5, usageLimit: 2 }],
        reminderAfterDays: 5,
      },
    ]);
    const act = async () => {
      const responses: unknown[] = [];
      const say = (method: string, path: string, body?: object) => responses.push(send(method, path, body));
      say('POST', '/api/GiftCard/Create', { balance: 10, uniqueId: 'one', ...NOTIFIED });
      say('POST', '/api/GiftCard/Create', { balance: 10, uniqueId: 'one' });
      say('POST', '/api/AutomationTriggerEvents', {
        event_name: 'signup',
        recipient_email: 'a@example.com',
        idempotency_key: 'k',
      });
      say('POST', '/api/Webhook/Create', { url: 'https://receiver.example/' });
      say('POST', '/api/WebStoreCoupon/Create', { code: 'SAVE', discountType: 'Percentage', discountValue: 10 });
      responses.push(adjust('FIRST', -5, { uniqueAdjustmentId: 'a-1' }));
      responses.push(await advanceClock({ account: sandbox.accounts.get('main') as never, body: { by: 'P6D' } }));
      say('DELETE', '/api/GiftCard/VoidByCode/FIRST');
      say('GET', '/api/GiftCard/List?includeAll=true');
      say('GET', '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/FIRST');
      return responses;
    };
    create({ code: 'FIRST', balance: 50, uniqueId: 'zero', expiresAtUtc: iso(NOON + 3 * DAY) });
    adjust('FIRST', 5, { uniqueAdjustmentId: 'a-0' });
    await sandbox.settled();
    const snapshot = throughJson(snapshotOfMain(sandbox));
    const first = await act();
    await sandbox.settled();
    await restoreAccount(sandbox, 'main', snapshot);
    expect(throughJson(snapshotOfMain(sandbox))).toEqual({ ...snapshot, takenAtUtc: expect.any(String) });
    expect(await act()).toEqual(first);
    expect(sandbox.defects).toEqual([]);
  });

  test('is restored as a whole, and other accounts do not change', async () => {
    const { sandbox, send, create } = sandboxOf([{ keys: [{ key: 'key-main' }] }, { id: 'other', keys: [{ key: 'key-other' }] }]);
    const snapshot = throughJson(snapshotOfMain(sandbox));
    create();
    send('POST', '/api/GiftCard/Create', { balance: 5, code: 'OTHER' }, 'key-other');
    const account = sandbox.accounts.get('main') as never as {
      useSettings(settings: object, now: number): void;
      settings: object;
    };
    account.useSettings({ ...account.settings, plan: 'Basic' }, NOON);
    sandbox.accounts.useKeys(account as never, []);
    await restoreAccount(sandbox, 'main', snapshot);
    expect(send('GET', '/api/GiftCard/List', undefined, 'key-main').body).toEqual({ giftCards: [], totalCount: 0 });
    expect(send('GET', '/api/GiftCard/GetByCode/OTHER', undefined, 'key-other').status).toBe(200);
  });

  test('has its behaviors and overrides', async () => {
    const { sandbox, account, create, send } = sandboxOf([{ keys: [{ key: 'key-main' }] }], {
      behaviors: { 'adjustment.by-id.overdraw-status': '409' },
      overrides: [{ rename: 'GiftCard.initialValue', to: 'originalValue' }],
    });
    const { code } = create({ balance: 7 });
    const snapshot = throughJson(snapshotOfMain(sandbox));
    account.useVariant({
      ...account,
      behaviors: defaultBehaviors,
      overrides: [],
      contract: sandboxOf().sandbox.variant.contract,
    });
    sandbox.reset();
    const back = await restoreAccount(sandbox, 'main', snapshot);
    expect(send('GET', `/api/GiftCard/GetByCode/${code}`, undefined, 'key-main').body).toMatchObject({ originalValue: 7 });
    expect(back.behaviors['adjustment.by-id.overdraw-status']).toBe('409');
    expect(sandbox.defects).toEqual([]);
  });

  test('is added again if it was removed, with the rest of its lifetime', async () => {
    const { sandbox, send } = sandboxOf();
    const added = sandbox.add(readDescription({ cards: [{ code: 'MINE' }] }, 'mine'), 60_000);
    const key = added.keys[0]?.key as string;
    const snapshot = throughJson(withoutPause(capture(sandbox, added)));
    sandbox.accounts.remove(added);
    const back = await restoreAccount(sandbox, 'mine', snapshot);
    expect(send('GET', '/api/GiftCard/GetByCode/MINE', undefined, key).status).toBe(200);
    expect(back.goneAt).toBe(added.goneAt);
    expect(sandbox.accounts.reset(back).state.cardByCode('MINE')).toBeDefined();
  });
});

describe('all accounts', () => {
  test('are restored, and new accounts are the same as without a restore', async () => {
    const { sandbox } = sandboxOf([{}, { id: 'second' }]);
    sandbox.add(readDescription({}, sandbox.accounts.nextId()));
    const snapshot = throughJson(await captureAll(sandbox));
    const next = () => {
      const account = sandbox.add(readDescription({ cards: [{}] }, sandbox.accounts.nextId()));
      return [account.id, ...Array.from(account.state.cards(), ({ id, code }) => [id, code])];
    };
    const made = next();
    sandbox.accounts.remove(sandbox.accounts.get('second') as never);
    await restoreAll(sandbox, snapshot);
    expect([...sandbox.accounts.keys()]).toEqual(['main', 'second', 'account-3']);
    expect(next()).toEqual(made);
  });

  test('are restored into another sandbox, whose own accounts are removed until it is reset', async () => {
    const [one, other] = [sandboxOf(), sandboxOf([{ id: 'others-own' }])];
    const { code } = one.create({ balance: 7 });
    await restoreAll(other.sandbox, throughJson(await captureAll(one.sandbox)));
    const key = one.account.keys[0]?.key as string;
    expect(other.send('GET', `/api/GiftCard/GetByCode/${code}`, undefined, key).body).toMatchObject({ balance: 7 });
    const main = other.sandbox.accounts.get('main') as never;
    expect(() => resetAccount({ sandbox: other.sandbox, account: main })).toThrow(AccountConflict);
    other.sandbox.accounts.seed = 99; // A snapshot of a sandbox with another seed would change the seed in the same way.
    other.sandbox.reset();
    expect([...other.sandbox.accounts.keys()]).toEqual(['others-own']);
    expect([other.sandbox.accounts.seed, other.sandbox.accounts.get('others-own')?.origin.seed]).toEqual([1, 1]);
  });

  test('restore the journal of requests without an account, with its numbers', async () => {
    const [one, other] = [sandboxOf(), sandboxOf()];
    for (let i = 0; i < 3; i++) one.send('GET', '/api/GiftCard/List', undefined, null);
    await restoreAll(other.sandbox, throughJson(await captureAll(one.sandbox)));
    other.send('GET', '/api/GiftCard/List', undefined, null);
    expect(other.sandbox.journal.entries().map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  test('are not restored after the end of their lifetime', async () => {
    const { sandbox } = sandboxOf();
    sandbox.add(readDescription({}, 'brief'), 60_000);
    const snapshot = throughJson(await captureAll(sandbox));
    const over = snapshot.accounts.map((account) => (account.id === 'brief' ? { ...account, goneAt: 1 } : account));
    await restoreAll(sandbox, { ...snapshot, accounts: over });
    expect([...sandbox.accounts.keys()]).toEqual(['main']);
  });
});
