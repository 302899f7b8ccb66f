import { expect, test } from 'vitest';
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
  const { ask } = sandboxOf([{ codeFormat: '#', automations }]);
  const { body } = ask('POST', '/api/AutomationTriggerEvents', { event_name: 'signup', recipient_email: 'ada@example.com' });
  expect(new Set(body.gift_cards.map(({ code }: { code: string }) => code)).size).toBe(12);
});

test('changes of gift-card.expiry.when-noticed leave one expiry per card in the agenda', () => {
  const { account, create } = sandboxOf([{ defaultExpiryDays: 20 }]);
  create();
  create({ shouldSendNotification: false });
  for (let i = 0; i < 5; i++) {
    for (const reading of ['daily', 'at-its-moment'] as const) {
      account.useVariant({
        contract: account.contract,
        overrides: [],
        behaviors: { ...account.behaviors, 'gift-card.expiry.when-noticed': reading },
      });
      expect(withoutPause(account.agenda.capture()).planned.filter(({ kind }) => kind === 'expiry')).toHaveLength(2);
    }
  }
});
