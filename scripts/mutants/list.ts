import { type NamedMutant, named } from './mutant.ts';
import { accountMutants } from './of-accounts.ts';
import { adjustmentMutants } from './of-adjustments.ts';
import { askMutants } from './of-asks.ts';
import { automationMutants } from './of-automations.ts';
import { cardDeliveredMutants } from './of-card-delivered.ts';
import { cardMutants } from './of-cards.ts';
import { deliveryMutants } from './of-deliveries.ts';
import { inputMutants } from './of-inputs.ts';
import { listMutants } from './of-lists.ts';
import { lookMutants } from './of-looks.ts';
import { narrowMutants } from './of-narrow.ts';
import { payloadMutants } from './of-payload.ts';
import { repeatMutants } from './of-repeats.ts';
import { timedMutants } from './of-timed.ts';
import { unusualMutants } from './of-unusual.ts';
import { webhookMutants } from './of-webhooks.ts';

export const mutants: readonly NamedMutant[] = named([
  ...askMutants,
  ...automationMutants,
  ...accountMutants,
  ...cardMutants,
  ...adjustmentMutants,
  ...inputMutants,
  ...listMutants,
  ...deliveryMutants,
  ...cardDeliveredMutants,
  ...payloadMutants,
  ...timedMutants,
  ...webhookMutants,
  ...repeatMutants,
  ...lookMutants,
  ...unusualMutants,
  ...narrowMutants,
]);
