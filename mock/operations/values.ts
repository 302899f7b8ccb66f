import { parseDateTime } from '../../openapi/date-time.ts';
import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { LAST_TIME } from '../domain/dates.ts';
import { roundedToMinor, toMinor } from '../domain/money.ts';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { Minor } from '../state/value-types.ts';

/**
 * From checked JSON values to what the domain works with. Null counts as left out (http.null-property); around anything else blanks are part of it
 * (gift-card.create.code-outer-blanks).
 */

/** A text that says nothing counts as left out. */
export function text(value: string | null | undefined): string | null {
  return value === null || value === undefined || value.trim() === '' ? null : value;
}

/** The same for codes, unique values and names, unless a reading keeps blank ones (http.blank-string). */
export function named(value: string | null | undefined, behaviors: Behaviors): string | null {
  return behaviors['http.blank-string'] === 'kept' ? (value ?? null) : text(value);
}

/** Why these fields of a body are no good, where a reading refuses blank ones (http.blank-string). */
export function blankAmong(
  fields: Readonly<Record<string, string | null | undefined>>,
  behaviors: Behaviors,
): Refusal | undefined {
  if (behaviors['http.blank-string'] !== 'refused') return undefined;
  const blank = Object.entries(fields).find(([, value]) => typeof value === 'string' && value.trim() === '');
  return blank && refuse('request.invalid', `${blank[0]} is blank`);
}

/** A text that has to be there. */
export function requiredText(name: string, value: string, behaviors: Behaviors): string | Refusal {
  return (
    blankAmong({ [name]: value }, behaviors) ?? named(value, behaviors) ?? refuse('request.incomplete', `${name} is missing`)
  );
}

// Date.UTC would take the year 1 for 1901.
const FIRST = Date.parse('0001-01-01T00:00:00Z');
/** Milliseconds since 1970; a time without zone is UTC (http.date-without-zone). Null when it is omitted. */
export function moment(name: string, value: string | null | undefined): number | null | Refusal {
  return value === null || value === undefined ? null : requiredTime(name, value);
}

export function requiredTime(name: string, value: string): number | Refusal {
  const at = parseDateTime(value);
  return at !== undefined && at >= FIRST && at <= LAST_TIME
    ? at
    : refuse('request.invalid', `${name} is not a time between the years 1 and 9999`);
}

/**
 * Minor units of the account's currency (gift-card.amounts-in-account-currency); of more decimals than the currency has, `excess` says what comes
 * (gift-card.create.excess-decimals, adjustment.excess-decimals).
 */
export function amount(
  name: string,
  value: number,
  currency: string,
  excess: 'refused' | 'rounded' = 'refused',
): Minor | Refusal {
  const exact = toMinor(value, currency);
  if (exact !== undefined) return exact;
  const rounded = roundedToMinor(value, currency);
  if (rounded === undefined) return refuse('request.invalid', `${name} is too large`);
  return excess === 'rounded' ? rounded : refuse('request.invalid', `${name} has more decimals than ${currency}`);
}
