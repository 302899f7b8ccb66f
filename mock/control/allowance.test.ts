import { expect, test } from 'vitest';
import type { Behaviors } from '../../openapi/generated/rules.ts';
import { withoutPause } from '../account/clock.ts';
import type { CardRecord } from '../state/records.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import type { AccountDescription } from '../world/generated/described.ts';
import { getAllowance } from './accounts.ts';
import { deleteCard as deleteByMerchant, voidCard as voidByMerchant } from './merchant.ts';

function allowance(account: AccountDescription = {}, behaviors: Partial<Behaviors> = {}) {
  const fixture = sandboxOf([{ monthlyAllowance: 2, ...account }], { behaviors });
  return { ...fixture, used: () => withoutPause(getAllowance({ account: fixture.account })).used };
}

test('limits.allowance-does-not-refuse: a card beyond it is created all the same', () => {
  const { create, account } = allowance();
  for (let i = 0; i < 3; i++) create();
  expect(withoutPause(getAllowance({ account }))).toEqual({ month: '2026-01', size: 2, used: 3, overage: 1 });
});

test('gift-card.create.counts-toward-allowance: cards of the API do, those of the merchant do not', () => {
  const { create, used } = allowance({ cards: [{ initialValue: 5, createdAtUtc: '2026-01-10T00:00:00Z' }] });
  expect(used()).toBe(0);
  create();
  expect(used()).toBe(1);
});

test('limits.allowance-counts-automation-cards', () => {
  const { send, used } = allowance({ automations: [{ name: 'Thanks', eventName: 'review' }] });
  send('POST', '/api/AutomationTriggerEvents', { event_name: 'review', recipient_email: 'rita@example.com' });
  expect(used()).toBe(1);
});

test('gift-card.void.leaves-allowance: a voided card does not count', () => {
  const { create, send, used } = allowance();
  const { code } = create();
  create();
  send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
  expect(used()).toBe(1);
});

test('limits.allowance-void-in-later-month: a void relieves the month in which its card was issued', () => {
  const { create, send, at, used } = allowance();
  const { code } = create();
  at(Date.UTC(2026, 1, 10));
  create();
  send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
  expect(used()).toBe(1);
  at(Date.UTC(2026, 0, 20));
  expect(used()).toBe(0);
});

test('gift-card.void.leaves-allowance: in the month in which it was voided, also after later changes of the card', () => {
  const { create, at, used, account, sandbox } = allowance();
  const { id } = create();
  create();
  voidByMerchant({ account, card: account.state.card(id) as CardRecord });
  at(Date.UTC(2026, 1, 10));
  deleteByMerchant({ account, card: account.state.card(id) as CardRecord });
  expect(used()).toBe(0);
  at(NOON);
  expect([used(), sandbox.defects]).toEqual([1, []]);
});

test.each([
  ['Pacific/Kiritimati', '2026-01-31T09:59:59.999Z', '2026-01-31T10:00:00Z'],
  ['America/New_York', '2026-02-01T04:59:59.999Z', '2026-02-01T05:00:00Z'],
  ['UTC', '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00Z'],
])('limits.allowance-month: begins anew with the calendar month in %s', (timeZone, last, first) => {
  const { create, at, account } = allowance({ timeZone });
  create();
  at(Date.parse(last));
  expect(withoutPause(getAllowance({ account }))).toMatchObject({ month: '2026-01', used: 1 });
  at(Date.parse(first));
  expect(withoutPause(getAllowance({ account }))).toMatchObject({ month: '2026-02', used: 0 });
});
