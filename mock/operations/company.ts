import type { components } from '../../openapi/generated/types.ts';
import type { Settings } from '../account/settings.ts';
import type { Input } from '../contract/contract.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { windowsZone } from '../domain/windows-zones.ts';

/** company.profile-currency-is-of-cards */
export function getCompanyProfile(_: Input, { settings, behaviors }: Context): Outcome<components['schemas']['CompanyProfile']> {
  const { name, country, email, website } = settings;
  const currency = behaviors['company.currency-form'] === 'symbol' ? symbolOf(settings) : settings.currency;
  const timeZone = behaviors['company.time-zone-form'] === 'windows' ? windowsName(settings) : settings.timeZone;
  return { reply: { name, currency, timeZone, country, email, website }, changes: [], effects: [] };
}

/** company.currency-form */
function symbolOf({ currency, locale }: Settings): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** company.time-zone-form: a zone that Windows does not have keeps its own name. */
function windowsName({ timeZone }: Settings): string {
  return windowsZone(timeZone) ?? timeZone;
}
