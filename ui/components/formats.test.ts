import { afterAll, expect, test } from 'vitest';
import { formatAmount, formatLocalTime, pageFormats, relativeTime } from './formats.ts';

const before = pageFormats.value;
afterAll(() => {
  pageFormats.value = before;
});

test('amounts are in the format of the account, and in its currency if none is given', () => {
  pageFormats.value = { locale: 'de-DE', timeZone: 'UTC', currency: 'EUR' };
  expect([formatAmount(1234.5), formatAmount(5, 'JPY')].map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
    '1.234,50 €',
    '5 ¥',
  ]);
});

test.each([
  ['UTC', '2026-11-22 11:12:31 UTC'],
  ['Europe/Lisbon', '2026-11-22 11:12:31 (11:12:31 UTC)'],
  ['Asia/Tokyo', '2026-11-22 20:12:31 (11:12:31 UTC)'],
  ['Pacific/Auckland', '2026-11-23 00:12:31 (2026-11-22 11:12:31 UTC)'],
])('times in %s have UTC, too', (timeZone, expected) => {
  pageFormats.value = { locale: 'en-US', timeZone, currency: 'USD' };
  expect(formatLocalTime(Date.parse('2026-11-22T11:12:31Z'))).toBe(expected);
});

test.each([
  [0, 'now'],
  [-45_000, '45s ago'],
  [-120_000, '2m ago'],
  [-3 * 86_400_000, '3d ago'],
  [14 * 86_400_000, 'in 14d'],
])('%d ms is %s', (difference, expected) => {
  expect(relativeTime(1_000_000_000_000 + difference, 1_000_000_000_000)).toBe(expected);
});
