import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract.ts';
import type { Context, Outcome } from '../outcome.ts';

/** company.profile-currency-is-of-cards, company.currency-form, company.time-zone-form */
export function getCompanyProfile(_: Input, { settings }: Context): Outcome<components['schemas']['CompanyProfile']> {
  const { name, currency, timeZone, country, email, website } = settings;
  return { reply: { name, currency, timeZone, country, email, website }, changes: [], effects: [] };
}
