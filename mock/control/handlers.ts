import * as accounts from './accounts.ts';
import * as automations from './automations.ts';
import * as behaviors from './behaviors.ts';
import * as cards from './cards.ts';
import * as channels from './channels.ts';
import * as clock from './clock.ts';
import * as dashboard from './dashboard.ts';
import * as documents from './documents.ts';
import * as effects from './effects.ts';
import * as faults from './faults.ts';
import * as journal from './journal.ts';
import type { Handlers } from './resources.ts';
import * as settings from './settings.ts';
import * as snapshots from './snapshots.ts';

/**
 * The handler of each operation of the document: the exported function with its operationId. To add an operation:
 *
 * 1. Write it into openapi/paths/<topic>.yaml, its schemas into openapi/schemas/<topic>.yaml, and its path into openapi/openapi.yaml. Objects
 *    have `additionalProperties: false`. `x-client: group.method` makes it a method of accounts in the client.
 * 2. Run `npm run generate`. This file does not compile until a topic exports a function with the operationId.
 * 3. Write that function in <topic>.ts: `(given) => reply`. The schema of the document checks its input before, and its reply after.
 *    The function first checks what depends on the account, and refuses it with ControlError. Then it changes the account.
 */
export const handlers: Handlers = {
  ...accounts,
  ...automations,
  ...behaviors,
  ...cards,
  ...channels,
  ...clock,
  ...dashboard,
  ...documents,
  ...effects,
  ...faults,
  ...journal,
  ...settings,
  ...snapshots,
};
