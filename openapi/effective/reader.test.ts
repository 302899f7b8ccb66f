import { expect, test } from 'vitest';
import { standardDocument } from './behaviors.ts';
import type { Override } from './overrides.ts';
import { Reader } from './reader.ts';

const reading = (...rows: Override[]) => new Reader(standardDocument, rows);

test('without overrides everything stays unchanged', () => {
  const reader = reading();
  const body = { giftCards: [{ code: 'A' }], more: 1 };
  expect(reader.response('listGiftCards', body)).toBe(body);
  expect(reader.request('createGiftCard', body)).toBe(body);
  expect(reader.parameter('listGiftCards', 'pageSize')).toBe('pageSize');
});

test('renamed and moved properties get their names back, in lists too; unknown properties stay', () => {
  const reader = reading(
    { rename: 'GiftCard.initialValue', to: 'originalValue' },
    { move: 'GiftCard.recipientName', to: 'recipient.name' },
    { move: 'GiftCard.recipientEmailAddress', to: 'recipient.email' },
  );
  const card = { code: 'A', originalValue: 5, recipient: { name: 'Ann', email: 'ann@example.com' }, colour: 'red' };
  const read = { code: 'A', initialValue: 5, recipientName: 'Ann', recipientEmailAddress: 'ann@example.com', colour: 'red' };
  expect(reader.response('getGiftCardByCode', card)).toEqual(read);
  expect(reader.response('getGiftCardsByEmail', [card, card])).toEqual([read, read]);
  expect(card).toHaveProperty('originalValue', 5);
});

test('an object that something was moved into stays with what else is in it', () => {
  const reader = reading({ move: 'GiftCard.recipientName', to: 'recipient.name' });
  expect(reader.response('getGiftCardByCode', { recipient: { name: 'Ann', phone: '1' } })).toEqual({
    recipientName: 'Ann',
    recipient: { phone: '1' },
  });
});

test('a wrapper is removed, and its other properties stay', () => {
  const reader = reading({ wrap: 'getGiftCardsByEmail', in: 'data.cards' }, { rename: 'GiftCard.initialValue', to: 'worth' });
  expect(reader.response('getGiftCardsByEmail', { data: { cards: [{ worth: 5 }] } })).toEqual([{ initialValue: 5 }]);
  expect(reader.response('getGiftCardsByEmail', { data: { cards: [] }, total: 0 })).toEqual({ value: [], others: { total: 0 } });
  expect(reader.response('getGiftCardsByEmail', 'No such thing')).toBe('No such thing');
});

test('two names that were exchanged are exchanged back', () => {
  const reader = reading({ rename: 'GiftCard.balance', to: 'initialValue' }, { rename: 'GiftCard.initialValue', to: 'balance' });
  expect(reader.response('getGiftCardByCode', { balance: 5, initialValue: 2 })).toEqual({ balance: 2, initialValue: 5 });
});

test('requests and parameters are read by the same rows', () => {
  const reader = reading(
    { rename: 'AddAdjustmentByGiftCardIdRequest.giftCardId', to: 'karte' },
    { rename: 'getGiftCardByAccountPlatformIdAndSourceId.sourceId', to: 'quelle' },
  );
  expect(reader.request('addAdjustmentByGiftCardId', { karte: 'x', amount: 1 })).toEqual({ giftCardId: 'x', amount: 1 });
  expect(reader.parameter('getGiftCardByAccountPlatformIdAndSourceId', 'quelle')).toBe('sourceId');
});
