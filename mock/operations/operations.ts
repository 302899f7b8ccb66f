import type { OperationId } from '../../openapi/generated/validators.js';
import type { Context, Outcome } from '../domain/outcome.ts';
import type { Refusal } from '../pipeline/refusal.ts';
import * as adjustments from './adjustments.ts';
import { createAutomationTriggerEvent } from './automation-events.ts';
import { getCompanyProfile } from './company.ts';
import * as coupons from './coupons.ts';
import * as giftCards from './gift-cards.ts';
import type { OperationInput, OperationReply } from './operation-types.ts';
import * as webhooks from './webhooks.ts';

/** An option may reply null where the contract has a card. */
type Operations = {
  readonly [Id in OperationId]: (input: OperationInput<Id>, context: Context) => Outcome<OperationReply<Id> | null> | Refusal;
};

/** From checked input to what the service does, for every operation of the contract. A missing operation does not compile. */
export const operations: Operations = {
  ...giftCards,
  ...adjustments,
  ...webhooks,
  ...coupons,
  createAutomationTriggerEvent,
  getCompanyProfile,
};
