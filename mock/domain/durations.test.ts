import { expect, test } from 'vitest';
import { addDuration, DAY, parseDuration } from './dates.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

test.each([
  ['P1D', NOON + DAY],
  ['P2W', NOON + 14 * DAY],
  ['PT90S', NOON + 90_000],
  ['PT1H30M', NOON + 5_400_000],
  ['PT0.25S', NOON + 250],
  ['P1DT1M', NOON + DAY + 60_000],
  ['PT0S', NOON],
  ['P1M', Date.UTC(2026, 1, 28, 12)],
  ['P25M', Date.UTC(2028, 1, 29, 12)],
  ['P1Y', Date.UTC(2027, 0, 31, 12)],
  ['300ms', NOON + 300],
  ['90s', NOON + 90_000],
  ['10m', NOON + 600_000],
  ['2h', NOON + 7_200_000],
  ['1d', NOON + DAY],
  ['P1Y2M3DT4H', Date.UTC(2027, 2, 31, 12) + 3 * DAY + 4 * 3_600_000],
])('%s after January 31', (text, expected) => {
  const duration = parseDuration(text);
  expect(duration && new Date(addDuration(NOON, duration)).toISOString()).toBe(new Date(expected).toISOString());
});

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '-P1D',
  'P-1D',
  '1D',
  'P1S',
  'PT1D',
  'P1,5D',
  'P1.5D',
  'one day',
  'p1d',
  '10',
  '1.5s',
  '1 s',
  '-1s',
  '1M',
])('"%s" is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
