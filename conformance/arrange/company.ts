import { leaves } from '../structure.ts';
import { arranged, type Trial } from '../trial.ts';

/** The business profile, of which no name is given. */
export function profile(t: Trial): Promise<unknown> {
  return t.shared('the business profile', async (shared) => {
    const answer = await shared.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' });
    return arranged(answer, 'reading the business profile').json;
  });
}

const texts = (json: unknown) =>
  leaves(json).flatMap(({ path, value }) => (typeof value === 'string' && value !== '' ? [{ path, value }] : []));

/** What is named after a time zone, or else looks like the name of one. */
export function zoneLeaf(json: unknown): string | undefined {
  const named = texts(json).find(({ path }) => /zone|tz/i.test(path));
  return (named ?? texts(json).find(({ value }) => /^[A-Z][a-z]+\/[A-Z]\w+|Standard Time$|^(UTC|GMT)([+-]|$)/.test(value)))
    ?.value;
}

/** What is named after a currency, or else looks like one. */
export function currencyLeaf(json: unknown): string | undefined {
  const named = texts(json).find(({ path }) => /curr/i.test(path));
  return (named ?? texts(json).find(({ value }) => isCurrency(value)))?.value;
}

function isCurrency(value: string): boolean {
  return /^\p{Sc}$/u.test(value) || (/^[A-Z]{3}$/.test(value) && Intl.supportedValuesOf('currency').includes(value));
}

/** Whether a text can stand for the currency of that code: the code itself, a symbol or a name of it. */
export function isOfCurrency(text: string, code: string): boolean {
  if (text.toUpperCase() === code) return true;
  const shown = (['symbol', 'narrowSymbol', 'name'] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay }).formatToParts(1),
  );
  return shown.some(({ type, value }) => type === 'currency' && value.toLowerCase().startsWith(text.toLowerCase()));
}
