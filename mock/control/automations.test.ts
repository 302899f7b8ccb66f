import { expect, test } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import * as automations from './automations.ts';
import { automationOf } from './resources.ts';

function shop() {
  const fixture = sandboxOf([{ automations: [{ name: 'Thanks', eventName: 'review', amount: 5 }] }]);
  const send = (event_name: string, fields: object = {}) =>
    fixture.ask('POST', '/api/AutomationTriggerEvents', { event_name, recipient_email: 'rita@example.com', ...fields }).body;
  return { ...fixture, send, automation: (name: string) => automationOf(fixture.account, name) };
}

test('one that is set up runs from the next event on', () => {
  const { account, send } = shop();
  const { id } = automations.add(account, { name: 'Bonus', eventName: 'order', amount: 7.5, usedIdempotencyKeys: ['old'] });
  expect(send('order')).toMatchObject({
    gift_cards: [{ balance: 7.5 }],
    automations: [{ automation_id: id, status: 'Created' }],
  });
  expect(send('order', { idempotency_key: 'old' })).toMatchObject({ automations: [{ status: 'SkippedIdempotent' }] });
  expect(automations.automationsOf(account)).toMatchObject([
    { name: 'Thanks', uses: 0 },
    { name: 'Bonus', uses: 1 },
  ]);
});

test('what is changed holds from the next event on, and the rest stays', () => {
  const { account, automation, send } = shop();
  expect(automations.change(account, automation('Thanks'), { amount: 8, usageLimit: 1 })).toMatchObject({ eventName: 'review' });
  expect(send('review')).toMatchObject({ gift_cards: [{ balance: 8 }] });
  expect(send('review')).toMatchObject({ automations: [{ status: 'SkippedUsageLimit' }] });
  expect(automations.change(account, automation('Thanks'), { active: false, name: 'Paused' }).uses).toBe(1);
  expect(send('review').automations).toEqual([]);
});

test.each<[string, (given: ReturnType<typeof shop>) => unknown, RegExp]>([
  ['a name in use', ({ account }) => automations.add(account, { name: 'Thanks' }), /name Thanks/],
  ['too many decimals', ({ account }) => automations.add(account, { name: 'x', amount: 0.001 }), /^The body: amount .*0\.001/],
  ['a misspelt property', ({ account }) => automations.add(account, { name: 'x', event: 'y' }), /"event"/],
  [
    'an amount of nothing',
    ({ account, automation }) => automations.change(account, automation('Thanks'), { amount: 0 }),
    /amount .* 0/,
  ],
  ['one that there is not', ({ automation }) => automation('thanks'), /It has "Thanks"\.$/],
])('%s is refused with a sentence, and changes nothing', (_, act, sentence) => {
  const given = shop();
  const before = automations.automationsOf(given.account);
  expect(() => act(given)).toThrow(sentence);
  expect(automations.automationsOf(given.account)).toEqual(before);
});

test('a name of another cannot be taken by a change', () => {
  const { account, automation } = shop();
  automations.add(account, { name: 'Bonus' });
  expect(() => automations.change(account, automation('Bonus'), { name: 'Thanks' })).toThrow(/name Thanks/);
});
