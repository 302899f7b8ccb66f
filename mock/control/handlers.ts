import * as accounts from './accounts.ts';
import * as automations from './automations.ts';
import * as behaviors from './behaviors.ts';
import * as cards from './cards.ts';
import * as channels from './channels.ts';
import * as clock from './clock.ts';
import * as documents from './documents.ts';
import * as effects from './effects.ts';
import * as faults from './faults.ts';
import * as journal from './journal.ts';
import * as merchant from './merchant.ts';
import type { Handlers } from './resources.ts';
import * as settings from './settings.ts';
import * as snapshots from './snapshots.ts';

/**
 * The handlers by operationId. To add an operation, describe the operation in openapi/. If the client needs a method for the operation, add
 * `x-client: group.method`. Run `npm run generate`. Then export a function `(input) => response` from a file of this folder, with the operationId as its
 * name. The mock checks input and response against the schema.
 */
export const handlers: Handlers = {
  ...accounts,
  ...automations,
  ...behaviors,
  ...cards,
  ...channels,
  ...clock,
  ...merchant,
  ...documents,
  ...effects,
  ...faults,
  ...journal,
  ...settings,
  ...snapshots,
};
