import { mustSucceed, type Trial } from '../core/trial.ts';
import { Untested, Violation } from '../core/verdict.ts';
import { decimalsOf } from '../http/account-format.ts';
import { at, type Leaf, leaves, namesIn } from '../http/json-search.ts';

export const money = (amount: number) => amount.toFixed(2);

/** An amount as reports show it: as the target writes it. */
export function amountText(t: Trial, amount: number, key?: string | null): string {
  const dialect = t.run.client.formatOf(key);
  if (dialect.scale === 1) return money(amount);
  t.assumes('amounts', `times ${dialect.scale}, because the currency has fewer than two decimals`);
  return String(dialect.toTargetAmount(amount));
}

/** An amount with one decimal more than the currency has, ending in 5, and the same rounded half up. */
export function oneDecimalTooMany(t: Trial, currency: unknown): { amount: number; rounded: number } {
  const own = (units: number) => t.run.client.formatOf().own(units / 10 ** decimalsOf(currency));
  return { amount: own(12.5), rounded: own(13) };
}

/** The business profile. The specification names none of its properties. */
export function businessProfile(t: Trial): Promise<unknown> {
  return t.shared('the business profile', async (shared) => {
    const answer = await shared.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' });
    return mustSucceed(answer, 'reading the business profile').json;
  });
}

const timeZone = /^[A-Z][a-z]+\/[A-Z]\w+|Standard Time$|^(UTC|GMT)([+-]|$)/;

/** The path of a value that looks like a time zone and has such a name, or else has one of the two. Offsets in minutes or hours count. */
export function timeZonePath(json: unknown): string | undefined {
  const all = leaves(json).filter(({ value }) => typeof value === 'number' || (typeof value === 'string' && value !== ''));
  const isNamed = ({ path }: Leaf) => /zone|tz|(utc|gmt).?offset/i.test(path);
  const looks = ({ value }: Leaf) => typeof value === 'string' && timeZone.test(value);
  return (all.find((leaf) => isNamed(leaf) && looks(leaf)) ?? all.find(isNamed) ?? all.find(looks))?.path;
}

/** The path of a value that looks like a currency, or else has such a name. */
export function currencyPath(json: unknown): string | undefined {
  const texts = textsIn(json);
  return (codeIn(texts) ?? texts.find(isNamedCurrency) ?? texts.find(({ value }) => /^\p{Sc}$/u.test(String(value))))?.path;
}

/** The currency code in a business profile. */
export const currencyCode = (json: unknown): string | undefined => codeIn(textsIn(json))?.value as string | undefined;

const codeIn = (texts: readonly Leaf[]) =>
  texts.find((leaf) => isNamedCurrency(leaf) && isCode(leaf.value)) ?? texts.find(({ value }) => isCode(value));
const textsIn = (json: unknown) => leaves(json).filter(({ value }) => typeof value === 'string' && value !== '');
const isNamedCurrency = ({ path }: Leaf) => /currency/i.test(path);
const isCode = (value: unknown) => /^([A-Z]{3}|[a-z]{3})$/.test(String(value)) && supported.has(String(value).toUpperCase());
const supported = new Set(Intl.supportedValuesOf('currency'));

/** Whether the profile mentions the code of the currency: as a value, within a text about currencies, or else as a property's name. */
function mentionsCurrency(json: unknown, code: string): boolean {
  const texts = textsIn(json);
  const word = new RegExp(`\\b${code}\\b`, 'i');
  const isIt = (text: unknown) => String(text).toUpperCase() === code.toUpperCase();
  const asText = texts.some((leaf) => isIt(leaf.value) || (isNamedCurrency(leaf) && word.test(String(leaf.value))));
  return asText || (currencyPath(json) === undefined && namesIn(json).some(isIt));
}

export const showsAnyCurrency = (json: unknown): boolean => currencyPath(json) !== undefined || namesIn(json).some(isCode);

/** A Violation if the profile shows another currency. Untested `fact-missing` if it shows neither a code nor a symbol. */
export function profileHasCurrency(json: unknown, currency: string, whose: string): void {
  if (mentionsCurrency(json, currency)) return;
  const shown = currencyCode(json) ?? currencySymbol(json);
  if (shown === undefined)
    throw new Untested(
      'fact-missing',
      'the profile contains neither the code nor the symbol of a currency, and its format is open',
    );
  if (!symbolsOf(currency).includes(shown)) throw new Violation(`the currency of ${whose}, ${currency}, in the profile`, shown);
}

/** The value at the path of the currency, if it is the symbol of one. Several currencies may have the same, such as $. */
function currencySymbol(json: unknown): string | undefined {
  const path = currencyPath(json);
  const value = path === undefined ? undefined : at(json, path);
  return [...supported].some((code) => symbolsOf(code).includes(String(value))) ? String(value) : undefined;
}

/** The symbols of a currency, such as $, US$ and kr. */
function symbolsOf(currency: string): string[] {
  return (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .flatMap(({ type, value }) => (type === 'currency' ? [value] : [])),
  );
}
