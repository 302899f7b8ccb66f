import { expect, test } from 'vitest';
import { defaultBehaviors } from '../../../openapi/generated/clauses.ts';
import { formOf } from './form.ts';

test('http.date-form: what the contract calls a date and time is one, whatever its name ends in', () => {
  const form = formOf({ ...defaultBehaviors, 'http.date-form': 'without-zone' });
  const at = '2026-01-15T12:00:00.000Z';
  expect(form?.({ created_at_utc: at, createdAtUtc: at, CreatedAt: at, notes: at, localUtc: at })).toEqual({
    created_at_utc: '2026-01-15T12:00:00.000',
    createdAtUtc: '2026-01-15T12:00:00.000',
    CreatedAt: '2026-01-15T12:00:00.000',
    notes: at,
    localUtc: at,
  });
});
