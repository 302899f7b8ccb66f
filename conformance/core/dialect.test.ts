import { expect, test } from 'vitest';
import { Dialect, decimalsOf } from './dialect.ts';

function yen(domain?: string): Dialect {
  const dialect = new Dialect(domain);
  expect(dialect.learn('JPY')).toBe(true);
  return dialect;
}

test('a currency with two decimals or more changes nothing', () => {
  for (const currency of ['USD', 'KWD', 'kr', undefined]) {
    const dialect = new Dialect();
    expect(dialect.learn(currency)).toBe(false);
    const text = '{"balance":0.75,"recipientEmailAddress":"a@example.com"}';
    expect(dialect.written(text)).toBe(text);
    const json = { balance: 75 };
    expect(dialect.read(json)).toBe(json);
  }
  expect(['USD', 'KWD', 'JPY', 'jpy', 'kr'].map(decimalsOf)).toEqual([2, 3, 0, 0, 2]);
});

test('of a currency without decimals, amounts are whole and come back as they were', () => {
  const dialect = yen();
  expect(dialect.written('{"balance":0.57,"customField1":"\\"balance\\":0.5","n":0.25}')).toBe(
    '{"balance":57,"customField1":"\\"balance\\":0.5","n":0.25}',
  );
  expect(dialect.written('{"adjustmentAmount":-0.29,"notes":"0.29"}')).toBe('{"adjustmentAmount":-29,"notes":"0.29"}');
  expect(dialect.read({ balance: 28, id: 57, entries: [{ value: '-29.00', of: 57, at: 1_700_000_000 }] })).toEqual({
    balance: 0.28,
    id: 57,
    entries: [{ value: -0.29, of: 0.57, at: 1_700_000_000 }],
  });
  expect(dialect.written('{"amount":1e308}')).toBe('{"amount":1e308}');
});

test('the currency is learned once', () => {
  const dialect = yen();
  expect(dialect.learn('USD')).toBe(false);
  expect(dialect.amount(0.5)).toBe(50);
});

test('addresses are at the domain of the profile, in bodies and queries, and come back as they were', () => {
  const dialect = new Dialect('people.test');
  expect(dialect.written('{"recipientEmailAddress":"a@example.com"}')).toBe('{"recipientEmailAddress":"a@people.test"}');
  expect(dialect.written('?emailAddress=a%40example.com')).toBe('?emailAddress=a%40people.test');
  expect(dialect.read([{ to: 'a@people.test' }])).toEqual([{ to: 'a@example.com' }]);
});
