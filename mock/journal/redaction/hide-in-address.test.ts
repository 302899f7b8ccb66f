import { expect, test } from 'vitest';
import { hiddenInAddress, hiddenInAddresses } from './hide-in-address.ts';

test.each([
  ['/a?x-api-key=k&page=1', '/a?x-api-key=***&page=1'],
  ['/a?page=1&Token=k', '/a?page=1&Token=***'],
  ['/a?to%6ben=k', '/a?to%6ben=***'],
  ['/a?client_secret=k#f', '/a?client_secret=***'],
  ['/a?sig=1&signature=k', '/a?sig=1&signature=***'],
  ['/a?token=&b=c', '/a?token=&b=c'],
  ['/a?b=c#access_token=k', '/a?b=c#access_token=***'],
  ['https://u:p@h.example:8443/a?b=c', 'https://u:***@h.example:8443/a?b=c'],
  ['https://u:p@a@h.example?token=k', 'https://u:***@h.example?token=***'],
  ['https://u:p:w d@h.example', 'https://u:***@h.example'],
  ['https://u@h.example/', 'https://***@h.example/'],
  ['https://u:@h.example/', 'https://***@h.example/'],
  ['https:u:p@h.example', 'https:u:***@h.example'],
  ['https:\\\\u:p@h.example', 'https:\\\\u:***@h.example'],
  ['//u:p@h.example', '//u:***@h.example'],
  ['/a?url=https%3A%2F%2Fu%3Ap%40h.example&page=1', '/a?url=***&page=1'],
  ['/a/https%3A%2F%2Fh.example%3Ftoken%3Dk/b', '/a/***/b'],
  ['/a?next=https://h.example?token=k', '/a?next=https://h.example?token=***'],
])('%s is shown as %s', (address, shown) => {
  expect(hiddenInAddress(address)).toBe(shown);
});

test.each([
  'https://h.example/a@b',
  'https://h.example:8443/hooks/shop-1?page=1',
  '/api/GiftCard/GetByCode/key=value',
  '/api/GiftCard/GetByEmail?emailAddress=key%40token.example',
  '/api/GiftCard/GetByEmail?emailAddress=ada@token.example',
  '/a?idempotency_key=order-1',
])('%s has nothing to hide', (address) => {
  expect(hiddenInAddress(address)).toBe(address);
  expect(hiddenInAddresses(address)).toBe(address);
});

test.each([
  ['see https://u:p@h.example/a and mail joe@h.example', 'see https://u:***@h.example/a and mail joe@h.example'],
  ['"https://h.example?token=k", "b"', '"https://h.example?token=***", "b"'],
  ['https://h.example?token=k l', 'https://h.example?token=***'],
  ['ask joe@h.example: why? key=5', 'ask joe@h.example: why? key=5'],
])('in a text: %s', (text, shown) => {
  expect(hiddenInAddresses(text)).toBe(shown);
});

test('each is asked for, where that makes a difference', () => {
  const shown = hiddenInAddress('//u:p@h?key=a&token=b', (secret) => `<${secret}>`);
  expect(shown).toBe('//u:<p>@h?key=<a>&token=<b>');
});

test.each(['key?', '/', '//', 'https:', '//a:', '@', '%41', '?a=%41', 'a', '&key', '#', '?a='])(
  'an address comes to an end, however long it is: %s',
  (part) => {
    for (const text of [part.repeat(60_000), `https://${part.repeat(60_000)}`, `/x?${part.repeat(60_000)}`]) {
      expect(typeof hiddenInAddress(text)).toBe('string');
      expect(typeof hiddenInAddresses(text)).toBe('string');
    }
  },
);
