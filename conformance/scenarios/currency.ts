import { decimalsOf } from '../../openapi/currency.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Violation } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { type Leaf, leaves, namesIn } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';

export const money = (amount: number) => amount.toFixed(2);

/** Returns an amount for reports, in the target's format. */
export function amountText(t: Trial, amount: number, key?: string | null): string {
  const format = t.run.client.formatOf(key);
  if (format.scale === 1) return money(amount);
  t.assumes('amounts', `multiplied by ${format.scale}, because the currency has fewer than two decimals`);
  return String(format.toTargetAmount(amount));
}

/** Returns an amount with one decimal more than the currency has, and the same amount rounded half up. */
export function oneDecimalTooMany(t: Trial, currency: unknown): { amount: number; rounded: number } {
  const own = (units: number) => t.run.client.formatOf().toOwnAmount(units / 10 ** decimalsOf(currency));
  return { amount: own(12.5), rounded: own(13) };
}

export const profileResponse = (t: Trial): Promise<TargetResponse> =>
  t.shared('the business profile', (shared) =>
    shared.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' }),
  );

export const businessProfile = async (t: Trial): Promise<unknown> =>
  mustSucceed(await profileResponse(t), 'reading the business profile').json;

const timeZone = /^[A-Z][a-z]+\/[A-Z]\w+|^(UTC|GMT)([+-]|$)/;

/** Returns the path of the time zone or the offset from UTC. Finds a property whose name or value looks like a time zone. Prefers a property where both do. */
export function timeZonePath(json: unknown): string | undefined {
  const all = leaves(json).filter(({ value }) => typeof value === 'number' || (typeof value === 'string' && value !== ''));
  const isNamed = ({ path }: Leaf) => /zone|tz|(utc|gmt).?offset/i.test(path);
  const looks = ({ value }: Leaf) => typeof value === 'string' && timeZone.test(value);
  return (all.find((leaf) => isNamed(leaf) && looks(leaf)) ?? all.find(isNamed) ?? all.find(looks))?.path;
}

/** Returns the path of a currency code. Without a code, returns the path of a text whose name contains "currency", or else of a text with a currency sign such as €. */
export const currencyPath = (json: unknown): string | undefined =>
  (leafWithCode(json) ?? textsIn(json).find(isNamedCurrency) ?? textsIn(json).find(({ value }) => /\p{Sc}/u.test(value)))?.path;

export const currencyCode = (json: unknown): string | undefined => leafWithCode(json)?.value;

const leafWithCode = (json: unknown) => {
  const codes = textsIn(json).filter(({ value }) => isCode(value));
  return codes.find(isNamedCurrency) ?? codes[0];
};
const textsIn = (json: unknown) =>
  leaves(json).filter((leaf): leaf is Leaf & { value: string } => typeof leaf.value === 'string' && leaf.value !== '');
const isNamedCurrency = ({ path }: Leaf) => /currency/i.test(path);
const isCode = (text: string) => /^([A-Z]{3}|[a-z]{3})$/.test(text) && supported.has(text.toUpperCase());
const supported = new Set(Intl.supportedValuesOf('currency'));

export const showsAnyCurrency = (json: unknown): boolean => currencyPath(json) !== undefined || namesIn(json).some(isCode);

/** Currencies with a dollar sign that English texts write with letters. */
const otherDollars = ['CVE', 'MOP', 'TOP', 'WST'];

/** Returns a code or a sign of another currency in a formatted amount. Other texts, such as "kr", may be right for several currencies. */
export function foreignCurrency(text: string, currency: string): string | undefined {
  if (!supported.has(currency)) return undefined;
  const code = /\b[A-Z]{3}\b/.exec(text)?.[0];
  if (code !== undefined && supported.has(code)) return code === currency ? undefined : code;
  const format = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const own = Intl.NumberFormat('en', format).format(1) + (otherDollars.includes(currency) ? '$' : '');
  const sign = /[€$£¥]/.exec(text)?.[0];
  return sign !== undefined && !own.includes(sign) ? sign : undefined;
}

/** Checks that the profile shows the currency. Throws Untested `fact-missing` if the profile shows no currency code. */
export function profileHasCurrency(json: unknown, currency: string, whose: string): void {
  const word = new RegExp(`\\b${currency}\\b`, 'i');
  const isIt = (text: string) => text.toUpperCase() === currency.toUpperCase();
  // The code may be a whole value, or a word in a text whose name contains "currency".
  if (textsIn(json).some((leaf) => isIt(leaf.value) || (isNamedCurrency(leaf) && word.test(leaf.value)))) return;
  const shown = currencyCode(json);
  if (shown !== undefined) throw new Violation(`a profile that shows ${currency}, the currency of ${whose}`, shown);
  if (!namesIn(json).some(isIt))
    throw new Untested(
      'fact-missing',
      'the profile shows no currency code, and the specification does not state how a profile shows its currency',
    );
}
