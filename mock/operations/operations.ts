import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract/contract.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import type { Refusal } from '../pipeline/refusal.ts';
import * as adjustments from './adjustments.ts';
import { createAutomationTriggerEvent } from './automation-events.ts';
import { getCompanyProfile } from './company.ts';
import * as coupons from './coupons.ts';
import * as giftCards from './gift-cards.ts';
import * as webhooks from './webhooks.ts';

/** From checked input to what the service does, for every operation of the contract; one that is missing does not compile. */
export const operations: { readonly [id in OperationId]: (input: Input, context: Context) => Outcome<unknown> | Refusal } = {
  ...giftCards,
  ...adjustments,
  ...webhooks,
  ...coupons,
  createAutomationTriggerEvent,
  getCompanyProfile,
};
