import type { Context, Outcome } from '../domain/outcome.ts';
import type { OperationInput, OperationReply } from './operation-types.ts';

/** company.profile-answers, company.profile-currency-is-of-cards, company.currency-form, company.time-zone-form */
export function getCompanyProfile(
  _: OperationInput<'getCompanyProfile'>,
  { settings }: Context,
): Outcome<OperationReply<'getCompanyProfile'>> {
  const { name, currency, timeZone, country, email, website } = settings;
  return { reply: { name, currency, timeZone, country, email, website }, changes: [], effects: [] };
}
