import type { OperationId } from '../../openapi/generated/validators.js';
import type { Context, Outcome } from '../domain/outcome.ts';
import type { Refusal } from '../pipeline/refusal.ts';
import * as adjustments from './adjustments.ts';
import { createAutomationTriggerEvent } from './automation-events.ts';
import * as coupons from './coupons.ts';
import * as giftCards from './gift-cards.ts';
import type { OperationInput, OperationResponse } from './operation-types.ts';
import { respondWith } from './values.ts';
import * as webhooks from './webhooks.ts';

/** With some options, the response is null instead of a card. */
type Operations = {
  readonly [Id in OperationId]: (input: OperationInput<Id>, context: Context) => Outcome<OperationResponse<Id> | null> | Refusal;
};

/** Every operation of the contract, as a function from a checked input to an outcome or a refusal. */
export const operations: Operations = {
  ...giftCards,
  ...adjustments,
  ...webhooks,
  ...coupons,
  createAutomationTriggerEvent,
  // company.profile-succeeds, company.profile-currency-is-of-cards, company.currency-form, company.time-zone-form
  getCompanyProfile(_, { settings: { name, currency, timeZone, country, email, website } }) {
    return respondWith({ name, currency, timeZone, country, email, website });
  },
};
