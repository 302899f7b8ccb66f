import { decimalsOf } from '../../openapi/currency.ts';
import type { Minor } from '../state/value-types.ts';

/**
 * The mock computes in whole minor units of the currency (cents), so that all amounts are exact (gift-card.amounts-exact, gift-card.amounts-large).
 * Only this file converts between minor units and the numbers in JSON.
 */

/** Returns an amount in minor units. If the amount has more decimals than the currency, or is too large to be exact, returns undefined. */
export function toMinor(amount: number, currency: string): Minor | undefined {
  const unit = 10 ** decimalsOf(currency);
  const minor = Math.round(amount * unit);
  // If the amount has no further decimals, the division gives exactly the same amount.
  return Number.isSafeInteger(minor) && minor / unit === amount ? minor + 0 : undefined;
}

/** Returns an amount rounded to minor units, with halves away from zero. If the amount is too large to be exact, returns undefined. */
export function roundedToMinor(amount: number, currency: string): Minor | undefined {
  const [digits, exponent = '0'] = String(Math.abs(amount)).split('e');
  const minor = Math.round(Number(`${digits}e${Number(exponent) + decimalsOf(currency)}`));
  return Number.isSafeInteger(minor) ? minor * Math.sign(amount) + 0 : undefined;
}

/** Returns the number in JSON: 19.99 for 1999 cents. */
export function toAmount(minor: Minor, currency: string): number {
  return minor / 10 ** decimalsOf(currency);
}

/** Returns the sum of two amounts. If the sum is too large to be exact, returns undefined. */
export function plus(a: Minor, b: Minor): Minor | undefined {
  const sum = a + b;
  return Number.isSafeInteger(sum) ? sum : undefined;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Returns the amount in the account's language, such as "$25.00" (delivery.payload.formatted-amounts). */
export function format(minor: Minor, currency: string, locale: string): string {
  const key = `${locale} ${currency}`;
  let formatter = formats.get(key);
  if (!formatter) {
    const decimals = decimalsOf(currency);
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    formatter = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
    formats.set(key, formatter);
  }
  return formatter.format(toAmount(minor, currency));
}
