import { describe, expect, test } from 'vitest';
import contract from './generated/contract.json' with { type: 'json' };
import { bodies, parameters, responses, schemas } from './generated/validators.js';

const { ActiveCard: active, PageOfCards: page, EventAnswered: event } = contract.components.examples;

describe('bodies', () => {
  test.each([
    [{ balance: 25 }, true],
    [{ balance: 0, code: null, shouldSendNotification: null, recipientEmailAddress: null }, true],
    [{ balance: 25, other: 1 }, true],
    [{ balance: 25, expiresAtUtc: '2028-01-01T00:00:00' }, true],
    [{}, false],
    [[], false],
    [null, false],
    [{ balance: null }, false],
    [{ balance: '25.00' }, false],
    [{ balance: -0.01 }, false],
    [{ balance: 1_000_000_001 }, false],
    [{ balance: 25, code: 7 }, false],
    [{ balance: 25, buyerEmailAddress: 'ada' }, false],
    [{ balance: 25, expiresAtUtc: '2027-02-29T00:00:00Z' }, false],
  ])('createGiftCard: %j → %s', (body, fits) => expect(bodies.createGiftCard?.(body)).toBe(fits));

  test('a refused body leaves the reason', () => {
    bodies.createGiftCard?.({ balance: 25, code: 7 });
    expect(bodies.createGiftCard?.errors?.[0]).toMatchObject({ instancePath: '/code', keyword: 'type' });
  });

  test('event properties are texts', () => {
    const request = { event_name: 'review', recipient_email: 'ada@example.com' };
    expect(bodies.createAutomationTriggerEvent?.({ ...request, properties: { stars: '5' } })).toBe(true);
    expect(bodies.createAutomationTriggerEvent?.({ ...request, properties: { stars: 5 } })).toBe(false);
  });

  test('a webhook needs an address', () => {
    expect(bodies.createWebhook?.({ url: 'https://shop.example.com/hook' })).toBe(true);
    expect(bodies.createWebhook?.({ url: 'shop' })).toBe(false);
    expect(bodies.getCompanyProfile).toBeUndefined();
  });
});

describe('parameters', () => {
  test.each([
    [{}, true],
    [{ pageSize: 50, pageNumber: 0, includeAll: true, since: '2026-01-01T00:00:00Z' }, true],
    [{ pageSize: 51 }, false],
    [{ pageSize: 0 }, false],
    [{ pageSize: 1.5 }, false],
    [{ pageNumber: -1 }, false],
    [{ since: 'yesterday' }, false],
    [{ includeAll: 'yes' }, false],
  ])('listGiftCards: %j → %s', (values, fits) => expect(parameters.listGiftCards(values)).toBe(fits));

  test('an email address has to be there', () => {
    expect(parameters.getGiftCardsByEmail({})).toBe(false);
    expect(parameters.getGiftCardsByEmail({ emailAddress: 'ada@example.com' })).toBe(true);
  });
});

describe('responses', () => {
  test('a card lacks nothing', () => {
    const { expiresAtUtc, ...rest } = active.value;
    expect(schemas.GiftCard(active.value)).toBe(true);
    expect(schemas.GiftCard({ ...rest, expiresAtUtc: null })).toBe(true);
    expect(schemas.GiftCard(rest)).toBe(false);
  });

  test('responses are checked around a card, and lists also inside it', () => {
    const stub = { ...page.value, giftCards: ['checked when it was written'] };
    expect(responses.listGiftCards(stub)).toBe(true);
    expect(schemas.GiftCardList(stub)).toBe(false);
    expect(responses.listGiftCards({ giftCards: [] })).toBe(false);
    expect(responses.listAdjustmentsByGiftCardId({ giftCard: 1, adjustments: [{ amount: 1 }] })).toBe(false);
    expect(responses.createAutomationTriggerEvent({ ...event.value, gift_cards: [1] })).toBe(false);
  });

  test('the response to an adjustment is true and nothing else', () => {
    expect(responses.addAdjustmentByGiftCardCode(true)).toBe(true);
    expect(responses.addAdjustmentByGiftCardCode(false)).toBe(false);
  });

  test('every schema of the contract has a validator', () => {
    expect(Object.keys(schemas).sort()).toEqual(Object.keys(contract.components.schemas).sort());
  });
});
