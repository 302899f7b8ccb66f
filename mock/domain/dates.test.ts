import { expect, test } from 'vitest';
import { endOfLocalDay } from './dates.ts';

const last = (time: string, days: number, timeZone: string) =>
  new Date(endOfLocalDay(Date.parse(time), days, timeZone)).toISOString();

test.each([
  ['UTC', '2026-01-15T12:00:00Z', 0, '2026-01-15T23:59:59.999Z'],
  ['UTC', '2026-01-15T23:59:59.999Z', 1, '2026-01-16T23:59:59.999Z'],
  ['Asia/Tokyo', '2026-01-15T15:00:00Z', 0, '2026-01-16T14:59:59.999Z'],
  ['Pacific/Kiritimati', '2026-01-15T12:00:00Z', 0, '2026-01-16T09:59:59.999Z'],
  ['Pacific/Pago_Pago', '2026-01-15T10:00:00Z', 0, '2026-01-15T10:59:59.999Z'],
])('the local day ends at local midnight (%s)', (timeZone, time, days, expected) => {
  expect(last(time, days, timeZone)).toBe(expected);
});

test.each([
  ['23 hours, when clocks go forward', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z'],
  ['25 hours, when clocks go back', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999Z'],
  [
    'no midnight at its end, when clocks go forward at midnight',
    'Africa/Cairo',
    '2026-04-22T22:00:00Z',
    '2026-04-23T21:59:59.999Z',
  ],
])('a day of %s', (_, timeZone, begins, ends) => {
  expect(last(begins, 0, timeZone)).toBe(ends);
});
