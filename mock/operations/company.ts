import type { Context, Outcome } from '../domain/outcome.ts';
import type { OperationInput, OperationReply } from './operation-types.ts';
import { replyWith } from './values.ts';

/** company.profile-answers, company.profile-currency-is-of-cards, company.currency-form, company.time-zone-form */
export function getCompanyProfile(
  _: OperationInput<'getCompanyProfile'>,
  { settings }: Context,
): Outcome<OperationReply<'getCompanyProfile'>> {
  const { name, currency, timeZone, country, email, website } = settings;
  return replyWith({ name, currency, timeZone, country, email, website });
}
