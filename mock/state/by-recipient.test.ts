import { expect, test } from 'vitest';
import { ByRecipient } from './by-recipient.ts';

test('finds what is for an address in any letter case, until it is for another or for none', () => {
  const index = new ByRecipient<string>();
  index.put('one', 'Ada@example.com', null);
  index.put('two', 'ada@EXAMPLE.com', null);
  expect(index.get('ADA@example.com')).toEqual(['one', 'two']);
  index.put('one', 'bea@example.com', 'Ada@example.com');
  expect([index.get('ada@example.com'), index.get('bea@example.com')]).toEqual([['two'], ['one']]);
  index.put('one', null, 'bea@example.com');
  expect([index.get('bea@example.com'), index.get('nobody@example.com')]).toEqual([[], []]);
});
