import { expect, test } from 'vitest';
import { serve } from '../pipeline/handle.ts';
import { capture } from '../store/snapshot/capture.ts';
import { restoreAccount } from '../store/snapshot/restore.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { withoutPause } from './clock.ts';

test('a code format without free codes grows, and no card is refused', () => {
  const { create, sandbox } = sandboxOf([{ codeFormat: '#' }]);
  const codes = Array.from({ length: 30 }, () => create().code as string);
  expect(new Set(codes).size).toBe(30);
  expect(codes.filter((code) => code.length === 1).length).toBeGreaterThan(5);
  for (const code of codes) expect(code).toMatch(/^\d[A-Z2-9]*$/);
  expect(sandbox.defects).toEqual([]);
});

test('the cards of one automation event have different codes, even with a short format', () => {
  const automation = { eventName: 'signup', amount: 5 };
  const automations = Array.from({ length: 12 }, (_, index) => ({ ...automation, name: `Reward ${index}` }));
  const { send } = sandboxOf([{ codeFormat: '#', automations }]);
  const { body } = send('POST', '/api/AutomationTriggerEvents', { event_name: 'signup', recipient_email: 'ada@example.com' });
  expect(new Set(body.gift_cards.map(({ code }: { code: string }) => code)).size).toBe(12);
});

test('changes of gift-card.expiry.when-noticed leave one expiry per card in the scheduler', () => {
  const { account, create } = sandboxOf([{ defaultExpiryDays: 20 }]);
  create();
  create({ shouldSendNotification: false });
  for (let i = 0; i < 5; i++) {
    for (const behavior of ['daily', 'on-time'] as const) {
      account.useVariant({
        contract: account.contract,
        overrides: [],
        behaviors: { ...account.behaviors, 'gift-card.expiry.when-noticed': behavior },
      });
      expect(withoutPause(account.clock.scheduler.capture()).planned.filter(({ kind }) => kind === 'expiry')).toHaveLength(2);
    }
  }
});

test('a sandbox that was killed while it planned expiries and reminders plans them at its next start', async () => {
  const { sandbox, account, create } = sandboxOf([{ defaultExpiryDays: 20, reminderAfterDays: 5 }]);
  create();
  const snapshot = withoutPause(capture(sandbox, account));
  const planned = snapshot.scheduler.planned.map(({ kind }) => kind).sort();
  expect([planned, snapshot.isReplanning]).toEqual([['expiry', 'reminder'], false]);
  const work = account.useSettings({ ...account.settings, reminderAfterDays: 6 });
  work.next();
  expect(withoutPause(capture(sandbox, account)).isReplanning).toBe(true);
  const killed = { ...snapshot, isReplanning: true, scheduler: { planned: [] } };
  const restored = await restoreAccount(sandbox, account.id, structuredClone(killed));
  const again = withoutPause(restored.clock.scheduler.capture()).planned;
  expect(again.map(({ kind }) => kind).sort()).toEqual(planned);
  expect(restored.isReplanning).toBe(false);
});

test('in a large account, the first search by source ID builds its index in slices of time', async () => {
  const { sandbox, account, create } = sandboxOf([{ channels: [{ id: 'store' }] }]);
  const { id } = create();
  await account.effects.settled();
  const { sourceId } = account.state.listing('store', id) ?? {};
  for (let card = 0; card < 10_000; card++) create();
  const headers = { 'x-api-key': account.keys[0]?.key ?? '' };
  const target = `/api/GiftCard/GetByAccountPlatformIdAndSourceId?accountPlatformId=store&sourceId=${sourceId}`;
  const search = () => serve(sandbox, { method: 'GET', target, headers, body: undefined });
  const first = search();
  expect(first).toBeInstanceOf(Promise);
  expect((await first).response.status).toBe(200);
  expect(search()).toMatchObject({ response: { status: 200 } });
});
