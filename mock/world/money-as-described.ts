import { decimalsOf, toMinor } from '../domain/money.ts';
import type { Path, Problem } from './places.ts';

let known: ReadonlySet<string> | undefined;

/** The currencies that the runtime's Intl data knows. */
export function currencies(): ReadonlySet<string> {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known;
}

/** A complaint about an amount that cannot be held in the currency; none for a currency that is itself unknown. */
export function amountProblem(amount: number | undefined, currency: string, path: Path): Problem[] {
  if (amount === undefined || !currencies().has(currency) || toMinor(amount, currency) !== undefined) return [];
  const sentence = `${path.at(-1)} ${amount} has more decimals than ${currency} has (${decimalsOf(currency)}), or is too large to be held exactly.`;
  return [{ path, sentence }];
}
