import { type Dialect, decimalsOf } from '../core/dialect.ts';
import type { Trial } from '../core/trial.ts';
import { readableCurrency } from './company.ts';

/** An amount with one decimal more than the currency has, whose last figure is a 5, and what rounding it to the nearest, half upwards, makes of it. */
export function oneDecimalTooMany(t: Trial, currency: unknown): { amount: number; rounded: number } {
  const own = (units: number) => t.run.client.dialectOf().own(units / 10 ** decimalsOf(currency));
  return { amount: own(12.5), rounded: own(13) };
}

/** Finds out from the business profile how amounts of the account are written, where that is not known yet. */
export async function reckoned(t: Trial, key?: string): Promise<Dialect> {
  const dialect = t.run.client.dialectOf(key);
  if (dialect.isLearned) return dialect;
  const { status, json } = await t.shared(
    `the currency of the account of ${key === undefined ? 'the run' : 'another key'}`,
    (shared) =>
      shared.send('GET the business profile', {
        method: 'GET',
        path: '/api/Company/Profile',
        ...(key === undefined ? {} : { key }),
      }),
  );
  const currency = status === 200 ? readableCurrency(json) : undefined;
  if (currency !== undefined) dialect.learn(currency);
  return dialect;
}

/** How an amount is put in words: as the target has it. */
export function told(t: Trial, amount: number, key?: string | null): string {
  const { scale } = t.run.client.dialectOf(key);
  if (scale === 1) return money(amount);
  t.assumes('amounts', `times ${scale}, for the currency has fewer decimals than two`);
  return String(t.run.client.dialectOf(key).amount(amount));
}

export const money = (amount: number) => amount.toFixed(2);
