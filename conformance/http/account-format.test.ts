import { expect, test } from 'vitest';
import { AccountFormat } from './account-format.ts';

function yen(domain?: string): AccountFormat {
  const dialect = new AccountFormat(domain);
  dialect.learnCurrency('JPY');
  return dialect;
}

test('a currency with two decimals or more changes nothing', () => {
  for (const currency of ['USD', 'KWD', 'kr', undefined]) {
    const dialect = new AccountFormat();
    dialect.learnCurrency(currency);
    const text = '{"balance":0.75,"recipientEmailAddress":"a@example.com"}';
    expect(dialect.encode(text)).toBe(text);
    const json = { balance: 75 };
    expect(dialect.decode(json)).toBe(json);
  }
});

test('in a currency without decimals, amounts are sent as whole numbers and converted back', () => {
  const dialect = yen();
  expect(dialect.encode('{"balance":0.57,"customField1":"\\"balance\\":0.5","n":0.25}')).toBe(
    '{"balance":57,"customField1":"\\"balance\\":0.5","n":0.25}',
  );
  expect(dialect.encode('{"adjustmentAmount":-0.29,"notes":"0.29"}')).toBe('{"adjustmentAmount":-29,"notes":"0.29"}');
  expect(dialect.decode({ balance: 28, id: 57, entries: [{ value: '-29.00', of: 57, at: 1_700_000_000 }] })).toEqual({
    balance: 0.28,
    id: 57,
    entries: [{ value: -0.29, of: 0.57, at: 1_700_000_000 }],
  });
  expect(dialect.encode('{"amount":1e308}')).toBe('{"amount":1e308}');
});

test('the currency is learned once', () => {
  const dialect = yen();
  dialect.learnCurrency('USD');
  expect(dialect.toTargetAmount(0.5)).toBe(50);
});

test('addresses are sent with the domain of the profile, in bodies and queries, and converted back', () => {
  const dialect = new AccountFormat('people.test');
  expect(dialect.encode('{"recipientEmailAddress":"a@example.com"}')).toBe('{"recipientEmailAddress":"a@people.test"}');
  expect(dialect.encode('?emailAddress=a%40example.com')).toBe('?emailAddress=a%40people.test');
  expect(dialect.decode([{ to: 'a@people.test' }])).toEqual([{ to: 'a@example.com' }]);
});
