import { signal } from '@preact/signals';

/** How a page writes amounts and times. The dashboard sets these values from the selected account. */
export const pageFormats = signal({ locale: 'en-US', timeZone: 'UTC', currency: 'USD' });

/** The present time in milliseconds, to which relative times refer. In the dashboard, the time of the account's clock. */
export const now = signal(Date.now());

/** Returns an amount in the account's format: "$50.00", "50,00 €". */
export function formatAmount(value: number, currency = pageFormats.value.currency): string {
  return new Intl.NumberFormat(pageFormats.value.locale, { style: 'currency', currency }).format(value);
}

function inZone(at: number, timeZone: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts }).format(at);
}

/** Returns date and time in the account's zone, with UTC: "2026-11-22 06:12:31 (11:12:31 UTC)". */
export function formatLocalTime(at: number): string {
  const { timeZone } = pageFormats.value;
  const local = inZone(at, timeZone, { dateStyle: 'short', timeStyle: 'medium' });
  if (timeZone === 'UTC') return `${local} UTC`;
  const utc = inZone(at, 'UTC', { dateStyle: 'short', timeStyle: 'medium' });
  return `${local} (${utc.slice(0, 10) === local.slice(0, 10) ? utc.slice(11) : utc} UTC)`;
}

/** Returns only date, hour and minute in the account's zone. */
export function formatMinute(at: number): string {
  return inZone(at, pageFormats.value.timeZone, { dateStyle: 'short', timeStyle: 'short' });
}

const UNITS = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns a time in words: "2m ago", "in 14d", "now". */
export function relativeTime(at: number, from: number): string {
  const difference = at - from;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(difference) >= length) ?? ['second', 1000];
  if (unit === 'second' && Math.abs(difference) < 10_000) return 'now';
  return new Intl.RelativeTimeFormat('en', { style: 'narrow' }).format(Math.round(difference / size), unit);
}
