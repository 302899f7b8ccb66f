import { expect, test } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import { Receiver } from '../testing/receiver-fixture.ts';

test('a code format that is used up grows, and no card is refused for it', () => {
  const { create, sandbox } = sandboxOf([{ codeFormat: '#' }]);
  const codes = Array.from({ length: 30 }, () => create().code as string);
  expect(new Set(codes).size).toBe(30);
  expect(codes.filter((code) => code.length === 1).length).toBeGreaterThan(5);
  for (const code of codes) expect(code).toMatch(/^\d[A-Z2-9]*$/);
  expect(sandbox.defects).toEqual([]);
});

test('the cards of one automation event have codes of their own, however short the format', () => {
  const automation = { eventName: 'signup', amount: 5 };
  const automations = Array.from({ length: 12 }, (_, index) => ({ ...automation, name: `Reward ${index}` }));
  const { ask } = sandboxOf([{ codeFormat: '#', automations }]);
  const { body } = ask('POST', '/api/AutomationTriggerEvents', { event_name: 'signup', recipient_email: 'ada@example.com' });
  expect(new Set(body.gift_cards.map(({ code }: { code: string }) => code)).size).toBe(12);
});

test('however often expiries come about at other moments, the agenda has one of each card', () => {
  const { account, create } = sandboxOf([{ defaultExpiryDays: 20 }]);
  create();
  create({ shouldSendNotification: false });
  for (let i = 0; i < 5; i++) {
    for (const reading of ['daily', 'at-its-moment'] as const) {
      account.speak({ ...account, behaviors: { ...account.behaviors, 'gift-card.expiry.when-noticed': reading } });
      expect(account.agenda.state().planned.filter(({ kind }) => kind === 'expiry')).toHaveLength(2);
    }
  }
  account.speak({ ...account, behaviors: { ...account.behaviors, 'gift-card.expiry.when-noticed': 'next-use' } });
  expect(account.agenda.next()).toBeUndefined();
});

test('the seam for replicas is told of each decision, and a fresh account that is told the same has the same cards', () => {
  const { account, ask, create, adjust, at } = sandboxOf();
  const copy = sandboxOf().account;
  const causes: string[] = [];
  account.replicate = (changes, { what }) => {
    causes.push(what);
    copy.hold(changes);
  };
  const card = create({ balance: 20, expiresAtUtc: '2026-02-01T00:00:00Z' });
  adjust(card.code, -5);
  ask('POST', '/api/GiftCard/Create', { balance: -1 });
  at(Date.UTC(2026, 1, 2));
  const shown = ask('GET', `/api/GiftCard/GetById/${card.id}`).body;
  expect(causes).toEqual(['createGiftCard', 'addAdjustmentByGiftCardCode', 'expiry']);
  expect(shown).toMatchObject({ balance: 15, status: 'Expired' });
  expect(copy.state.records()).toEqual(account.state.records());
});

test('it is told of what comes of decisions later too: pushes, failed deliveries, what is removed again', async () => {
  const behaviors = { 'webhook.create.url-checked': 'test-request', 'list.update-by-background-work': 'yes' } as const;
  const { sandbox, account, ask, create } = sandboxOf([{ channels: [{ id: 'shop' }] }], { behaviors });
  const copy = sandboxOf().account;
  account.replicate = (changes) => copy.hold(changes);
  const receiver = await Receiver.start();
  receiver.answer = 500;
  ask('POST', '/api/Webhook/Create', { url: receiver.url });
  ask('POST', '/api/Webhook/Create', { url: 'http://127.0.0.1:1/' });
  await sandbox.settled();
  for (let made = 0; made < 7; made++) ask('DELETE', `/api/GiftCard/VoidById/${create().id}`);
  await sandbox.settled();
  expect(Array.from(account.state.webhooks(), ({ enabled, failures }) => [enabled, failures])).toEqual([[false, 6]]);
  expect(copy.state.records()).toEqual(account.state.records());
  expect(copy.state.records().listings).toHaveLength(7);
  const removed = account.journal.entries().filter(({ touched }) => touched.some(({ action }) => action === 'removed'));
  expect(removed.map(({ number }) => number)).toEqual([2]);
  const disabled = account.journal.entries().filter(({ touched }) => touched.some(({ action }) => action === 'disabled'));
  expect(disabled).toHaveLength(1);
  expect(sandbox.defects).toEqual([]);
});
