import { expect, test } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import * as automations from './automations.ts';
import { automationOf } from './resources.ts';

function shop() {
  const fixture = sandboxOf([{ automations: [{ name: 'Thanks', eventName: 'review', amount: 5 }] }]);
  const send = (event_name: string, fields: object = {}) =>
    fixture.send('POST', '/api/AutomationTriggerEvents', { event_name, recipient_email: 'rita@example.com', ...fields }).body;
  return { ...fixture, send, automation: (name: string) => automationOf(fixture.account, name) };
}

test('one that is set up runs from the next event on', () => {
  const { account, send } = shop();
  const { id } = automations.addAutomation({
    account,
    body: { name: 'Bonus', eventName: 'order', amount: 7.5, usedIdempotencyKeys: ['old'] },
  });
  expect(send('order')).toMatchObject({
    gift_cards: [{ balance: 7.5 }],
    automations: [{ automation_id: id, status: 'Created' }],
  });
  expect(send('order', { idempotency_key: 'old' })).toMatchObject({ automations: [{ status: 'SkippedIdempotent' }] });
  expect(automations.listAutomations({ account })).toMatchObject([
    { name: 'Thanks', uses: 0 },
    { name: 'Bonus', uses: 1 },
  ]);
});

test('a change applies from the next event on, and other properties stay', () => {
  const { account, automation, send } = shop();
  expect(
    automations.changeAutomation({ account, automation: automation('Thanks'), body: { amount: 8, usageLimit: 1 } }),
  ).toMatchObject({ eventName: 'review' });
  expect(send('review')).toMatchObject({ gift_cards: [{ balance: 8 }] });
  expect(send('review')).toMatchObject({ automations: [{ status: 'SkippedUsageLimit' }] });
  expect(
    automations.changeAutomation({ account, automation: automation('Thanks'), body: { active: false, name: 'Paused' } }).uses,
  ).toBe(1);
  expect(send('review').automations).toEqual([]);
});

test.each<[string, (given: ReturnType<typeof shop>) => unknown, RegExp]>([
  ['a name in use', ({ account }) => automations.addAutomation({ account, body: { name: 'Thanks' } }), /automation Thanks/],
  [
    'too many decimals',
    ({ account }) => automations.addAutomation({ account, body: { name: 'x', amount: 0.001 } }),
    /^The body: amount 0\.001/,
  ],
  [
    'a misspelt property',
    ({ account }) => automations.addAutomation({ account, body: { name: 'x', event: 'y' } as never }),
    /"event"/,
  ],
  [
    'an amount of nothing',
    ({ account, automation }) => automations.changeAutomation({ account, automation: automation('Thanks'), body: { amount: 0 } }),
    /amount .* 0/,
  ],
  ['one that there is not', ({ automation }) => automation('thanks'), /The account has Thanks\.$/],
])('%s is refused with a sentence, and changes nothing', (_, act, sentence) => {
  const given = shop();
  const before = automations.listAutomations({ account: given.account });
  expect(() => act(given)).toThrow(sentence);
  expect(automations.listAutomations({ account: given.account })).toEqual(before);
});

test('a name of another cannot be taken by a change', () => {
  const { account, automation } = shop();
  automations.addAutomation({ account, body: { name: 'Bonus' } });
  expect(() => automations.changeAutomation({ account, automation: automation('Bonus'), body: { name: 'Thanks' } })).toThrow(
    /automation Thanks/,
  );
});
