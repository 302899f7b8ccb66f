import { silent } from './server/log.ts';
import type { Mock } from './server/mock.ts';
import type { MockOptions } from './server/options.ts';
import { start } from './server/start.ts';

export { VariantError, type VariantFile } from '../openapi/variant/variant.ts';
export type { Account, AccountParts } from './client/account.ts';
export { SandboxError } from './client/call.ts';
export type { Clock } from './client/clock.ts';
export type { Deliveries, Delivery, Email, NotSent, Told } from './client/effects.ts';
export type { Behaviors, Channels, ControlMethods, Dashboard, Faults, Journal } from './client/methods.ts';
export { type ConnectedSandbox, type ConnectOptions, connectSandbox } from './client/sandbox.ts';
export type {
  Adjustment,
  AdjustmentHistory,
  CreateGiftCardRequest,
  Fault,
  GiftCard,
  GiftCardList,
  Snapshot,
  WebhookDelivery,
  WebStoreCoupon,
} from './client/values.ts';
export { verifySignature } from './outbound/signature.ts';
export type { Mock } from './server/mock.ts';
export type { MockOptions } from './server/options.ts';
export { StateFileError } from './snapshot/state-lock.ts';
export { type AccountFile, type WorldFile, WorldFileError } from './world/description.ts';

/**
 * Starts a mock of the gift card service.
 * @throws TypeError for an option that it does not have; WorldFileError for a world, VariantError for a variant, and StateFileError for a state file, that cannot be used; node's own error (EADDRINUSE, …) when it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return start(options, silent);
}
