import { didYouMean } from '../../openapi/input/closest.ts';
import type * as filled from './generated/filled.ts';
import { currencies } from './money-as-described.ts';
import type { Problem } from './places.ts';

/** Names of the account's settings that the runtime's Intl data does not know. */
export function complaintsAboutSettings({ currency, timeZone, locale }: filled.Account): Problem[] {
  const problems: Problem[] = [];
  if (!currencies().has(currency)) {
    const sentence = `currency "${currency}" is no ISO 4217 code, such as USD or EUR.${didYouMean(currency, [...currencies()])}`;
    problems.push({ path: ['currency'], sentence });
  }
  if (!reads(() => new Intl.DateTimeFormat('en', { timeZone }))) {
    const hint = didYouMean(timeZone, Intl.supportedValuesOf('timeZone'));
    problems.push({ path: ['timeZone'], sentence: `timeZone "${timeZone}" is no IANA name, such as Europe/Lisbon.${hint}` });
  }
  if (!reads(() => Intl.getCanonicalLocales(locale))) {
    problems.push({ path: ['locale'], sentence: `locale "${locale}" is no BCP 47 tag, such as en-US or de-DE.` });
  }
  return problems;
}

function reads(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
