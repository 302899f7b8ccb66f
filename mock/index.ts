import { silent } from './server/log.ts';
import type { Mock } from './server/mock.ts';
import type { MockOptions } from './server/options.ts';
import { start } from './server/start.ts';

export type { Json, JsonObject } from '../openapi/document.ts';
export { VariantError, type VariantFile } from '../openapi/effective/variant.ts';
export type { Behaviors } from '../openapi/generated/rules.ts';
/** The types of the service: the schemas by name, and `paths` for `createClient<paths>` of openapi-fetch. */
export type * from '../openapi/generated/types.ts';
export type { UnusableInput } from '../openapi/input/unusable-input.ts';
export type { Account, AccountParts, Clock } from './client/account.ts';
export { SandboxError } from './client/call.ts';
export type { Deliveries, EffectList, Outbox, Suppressed, WaitOptions } from './client/effect-lists.ts';
export { type AccountOptions, type ConnectOptions, connectSandbox, type Sandbox } from './client/sandbox.ts';
export type { Time } from './client/values.ts';
export type * from './control/generated/client.ts';
export type { ClockAdvance, ClockChange, ClockEvent, ClockEventKind, DueEvent, Health } from './control/generated/types.ts';
export { verifySignature } from './outbound/signature.ts';
export type { Mock } from './server/mock.ts';
export type { MockOptions } from './server/options.ts';
export { StateFileError } from './store/state-file-error.ts';
export { WorldFileError } from './world/description.ts';
export type * from './world/generated/described.ts';

/**
 * Starts a mock of the gift card service.
 * @throws TypeError for an invalid option; WorldFileError, VariantError or StateFileError for an invalid world, variant or state file; node's error
 * (EADDRINUSE, …) if the mock cannot listen.
 * @example
 * await using sandbox = await startMock({ listen: false }); // `fetch` of the sandbox and its accounts needs no socket
 * const account = await sandbox.createAccount({ name: 'Shop' });
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return start(options, silent);
}
