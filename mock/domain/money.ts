/**
 * Amounts inside the mock are whole numbers of the currency's minor unit (cents), so that adding 0.10 a hundred times is exactly 10.00
 * (gift-card.amounts-exact), and thousands as exact as cents (gift-card.amounts-large).
 * This file holds the only two doors between minor units and the numbers of the wire, and the check that a sum stays exact.
 */
export type Minor = number;

// The default world's currencies stand here because asking Intl for the first time delays the start by milliseconds.
const decimalsByCurrency = new Map<string, number>([
  ['USD', 2],
  ['EUR', 2],
]);

/** Digits after the point that the currency uses (2 for USD, 0 for JPY, 3 for KWD), from the runtime's Intl data. */
export function decimalsOf(currency: string): number {
  let decimals = decimalsByCurrency.get(currency);
  if (decimals === undefined) {
    decimals = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    decimalsByCurrency.set(currency, decimals);
  }
  return decimals;
}

/** The wire's number in minor units, or undefined when it has more decimals than the currency or is too large to be held exactly. */
export function toMinor(amount: number, currency: string): Minor | undefined {
  const unit = 10 ** decimalsOf(currency);
  const minor = Math.round(amount * unit);
  // Division by a power of ten is correctly rounded, so it gives the amount back exactly when the amount has no further decimals.
  return Number.isSafeInteger(minor) && minor / unit === amount ? minor + 0 : undefined;
}

/** The nearest amount in minor units, half of one away from zero, as the number is written in decimals; undefined when it is too large to be held exactly. */
export function roundedToMinor(amount: number, currency: string): Minor | undefined {
  const [digits, exponent = '0'] = String(Math.abs(amount)).split('e');
  const minor = Math.round(Number(`${digits}e${Number(exponent) + decimalsOf(currency)}`));
  return Number.isSafeInteger(minor) ? minor * Math.sign(amount) + 0 : undefined;
}

/** The wire's number for an amount in minor units; JSON then writes its shortest form (1999 → 19.99). */
export function toAmount(minor: Minor, currency: string): number {
  return minor / 10 ** decimalsOf(currency);
}

/** The sum of two amounts, or undefined when it can no longer be held exactly. */
export function plus(a: Minor, b: Minor): Minor | undefined {
  const sum = a + b;
  return Number.isSafeInteger(sum) ? sum : undefined;
}

const formats = new Map<string, Intl.NumberFormat>();

/** The amount as people read it in the account's language, e.g. "$25.00" (delivery.payload.formatted-amounts). */
export function format(minor: Minor, currency: string, locale: string): string {
  const key = `${locale} ${currency}`;
  let formatter = formats.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(locale, { style: 'currency', currency });
    formats.set(key, formatter);
  }
  return formatter.format(toAmount(minor, currency));
}
