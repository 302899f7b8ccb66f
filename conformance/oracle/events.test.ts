import { describe, expect, test } from 'vitest';
import { card, create, found, type Row } from '../testing/exchanges-fixture.ts';

type Rows = readonly (Row | readonly Row[])[];
const brief = (rows: Rows, onlyClient = false) => found(rows, onlyClient).map(([kind, clause]) => [kind, clause]);

const event = (told: unknown, more = {}): Row => ({
  does: 'createAutomationTriggerEvent',
  asked: { event_name: 'e', recipient_email: 'a@example.com', idempotency_key: 'k', ...more },
  told,
});
const ran = { cards: [{ id: '1' }], runs: [{ outcome: 'Created' }] };
const skipped = { cards: [], runs: [{ outcome: 'SkippedIdempotent' }] };
const email = (address: string, ...codes: string[]): Row => ({
  does: 'getGiftCardsByEmail',
  query: { emailAddress: address },
  told: codes.map((code) => card(code, 5)),
});
const sentTo = (code: string, address: string, more = {}) => create(code, 5, { recipientEmailAddress: address, ...more });

describe('what somebody else may have caused is only so where nobody else acts', () => {
  test.each<[string, Rows, string]>([
    ['an event that runs again with its key', [event(ran), event(ran)], 'idempotency.automation.skips-repeat'],
    [
      "another recipient's card",
      [sentTo('a', 'a@example.com'), sentTo('b', 'b@example.com'), email('a@example.com', 'a', 'b')],
      'gift-card.get-by-email.finds-cards-sent-to-recipient',
    ],
  ])('%s', (_, rows, clause) => {
    expect(brief(rows)).toEqual([['cannot-tell', clause]]);
    expect(brief(rows, true)).toEqual([['violated', clause]]);
  });
});

test.each<[string, Row]>([
  ['a list of webhooks in snake_case', { does: 'listWebhooks', told: [{ id: 1, web_hook_url: 'text-u' }] }],
  ['a profile in PascalCase', { does: 'getCompanyProfile', told: { Name: 'text-n', Currency: 'EUR' } }],
  [
    'entries of a history',
    { does: 'listAdjustmentsByGiftCardCode', named: 'a', told: { it: { id: 'a' }, rows: [{ actioned_at: 1 }] } },
  ],
])('names of %s are not in camelCase', (_, row) => {
  expect(brief([row])).toEqual([['violated', 'http.camel-case-names']]);
});

test('names of what an event answers are not in snake_case', () => {
  expect(brief([event({ giftCards: [], runs: [{ automationId: 1 }] })])).toEqual([['violated', 'automation.uses-snake-case']]);
});

describe('nothing is said', () => {
  test.each<[string, Rows]>([
    ['of an event that is skipped', [event(ran), event(skipped), event(skipped)]],
    ['of one that ran first when it was repeated', [event(skipped), event(ran)]],
    ['of one of which another automation ran', [event(ran), event({ ...ran, runs: [...ran.runs, ...skipped.runs] })]],
    ['of one without a key', [event(ran, { idempotency_key: undefined }), event(ran, { idempotency_key: undefined })]],
    ['of one for somebody else', [event(ran), event(ran, { recipient_email: 'b@example.com' })]],
    ['of two at once', [[event(ran), event(ran)]]],
    ['of one whose card is written as cards are', [event({ gift_cards: [card('a', 5)], runs: [] })]],
    ['of one that names automations as they are called', [event({ cards: {}, WelcomeGift: 'Created', thankYou: 'Created' })]],
    ['of cards in another letter case of the address', [sentTo('a', 'A@example.com'), email('a@example.com', 'a')]],
    [
      'of cards that the recipient bought',
      [sentTo('a', 'b@example.com', { buyerEmailAddress: 'a@example.com' }), email('a@example.com', 'a')],
    ],
    ['of cards whose recipient nobody saw', [create('a', 5), email('a@example.com', 'a')]],
    [
      'of names within what is kept for somebody',
      [{ does: 'getCompanyProfile', told: { name: 'text-n', labels: { My_Label: 1 }, _links: {} } }],
    ],
  ])('%s', (_, rows) => {
    expect(brief(rows, true)).toEqual([]);
  });
});
