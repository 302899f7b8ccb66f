import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDateTime, parseDateTime } from './date-time.ts';

describe('isDateTime', () => {
  test.each([
    '2026-03-02T09:30:00Z',
    '2026-03-02T09:30:00.123Z',
    '2026-03-02t09:30:00z',
    '2026-03-02T09:30:00+02:00',
    '2026-03-02T09:30:00',
    '2024-02-29T00:00:00Z',
    '2000-02-29T00:00:00Z',
  ])('takes %s', (text) => expect(isDateTime(text)).toBe(true));

  test.each([
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    'tomorrow',
    '',
    '2026-01-01T00:00:00Z\n',
  ])('refuses %j', (text) => expect(isDateTime(text)).toBe(false));
});

describe('parseDateTime', () => {
  test('reads a missing zone as UTC', () => {
    expect(parseDateTime('2026-03-02T09:30:00')).toBe(Date.UTC(2026, 2, 2, 9, 30));
    expect(parseDateTime('2026-03-02T09:30:00+02:00')).toBe(Date.UTC(2026, 2, 2, 7, 30));
  });

  test('returns undefined for an invalid text', () => {
    expect(parseDateTime('2026-02-30T00:00:00Z')).toBeUndefined();
  });

  test('reads back what Date writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        (date) => {
          expect(parseDateTime(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
  });
});
