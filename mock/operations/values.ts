import { parseDateTime } from '../../openapi/date-time.ts';
import type { Behaviors } from '../../openapi/generated/rules.ts';
import { FIRST_TIME, LAST_TIME } from '../domain/dates.ts';
import { roundedToMinor, toMinor } from '../domain/money.ts';
import type { Outcome } from '../domain/outcome.ts';
import { isRefused, type Refusal, refuse } from '../pipeline/refusal.ts';
import type { Minor } from '../state/value-types.ts';

/** Converts checked JSON values for the domain. Null counts as missing (http.null-property). Texts are not trimmed (gift-card.create.code-outer-blanks). */

export function optionalText(value: string | null | undefined): string | null {
  return value === null || value === undefined || value.trim() === '' ? null : value;
}

/** Returns null for a missing code, unique value or name. A blank value counts as missing, unless an option keeps blank values (http.blank-string). */
export function optionalName(value: string | null | undefined, behaviors: Behaviors): string | null {
  return behaviors['http.blank-string'] === 'kept' ? (value ?? null) : optionalText(value);
}

/** With one option of http.blank-string, refuses blank fields. */
export function refuseBlank(
  fields: Readonly<Record<string, string | null | undefined>>,
  behaviors: Behaviors,
): Refusal | undefined {
  if (behaviors['http.blank-string'] !== 'refused') return undefined;
  const blank = Object.entries(fields).find(([, value]) => typeof value === 'string' && value.trim() === '');
  return blank && refuse('request.invalid', `${blank[0]} is blank`);
}

export function requiredText(name: string, value: string, behaviors: Behaviors): string | Refusal {
  return (
    refuseBlank({ [name]: value }, behaviors) ??
    optionalName(value, behaviors) ??
    refuse('request.incomplete', `${name} is missing`)
  );
}

/** Returns a time in milliseconds since 1970; null for a missing time. A time without a zone is UTC (http.date-without-zone). */
export function optionalTime(name: string, value: string | null | undefined): number | null | Refusal {
  return value === null || value === undefined ? null : parseRequiredTime(name, value);
}

export function parseRequiredTime(name: string, value: string): number | Refusal {
  const at = parseDateTime(value);
  if (at !== undefined && at >= FIRST_TIME && at <= LAST_TIME) return at;
  return refuse('request.invalid', `${name} is not a time between the years 1 and 9999`);
}

/**
 * Converts an amount of the account's currency (gift-card.amounts-in-account-currency). With one option, an amount with more decimals than the
 * currency has is rounded (gift-card.create.excess-decimals, adjustment.excess-decimals).
 */
export function amount(name: string, value: number, currency: string, excess = 'refused'): Minor | Refusal {
  const exact = toMinor(value, currency);
  if (exact !== undefined) return exact;
  const rounded = roundedToMinor(value, currency);
  if (rounded === undefined) return refuse('request.invalid', `${name} is too large`);
  return excess === 'rounded' ? rounded : refuse('request.invalid', `${name} has more decimals than ${currency} has`);
}

export function respondWith<Result>(response: Result): Outcome<Result> {
  return { response, changes: [], effects: [] };
}

/** Returns the outcome with a converted response, or the refusal. */
export function mapResponse<Result, Converted>(
  outcome: Outcome<Result> | Refusal,
  convert: (response: Result) => Converted,
): Outcome<Converted> | Refusal {
  if (isRefused(outcome)) return outcome;
  const { response, changes, effects } = outcome;
  return { response: convert(response), changes, effects };
}
