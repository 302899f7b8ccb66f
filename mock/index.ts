import { silent } from './server/log.ts';
import type { Mock } from './server/mock.ts';
import type { MockOptions } from './server/options.ts';
import { start } from './server/start.ts';

export { VariantError, type VariantFile } from '../openapi/variant/variant.ts';
export type { Account, AccountParts, Clock } from './client/account.ts';
export { SandboxError } from './client/call.ts';
export type { Deliveries, Delivery, EffectList, Email, SuppressedEffect, WaitOptions } from './client/effect-lists.ts';
export type { Behaviors, Channels, ControlMethods, Dashboard, Faults, Journal } from './client/methods.ts';
export { type AccountOptions, type ConnectOptions, connectSandbox, type Sandbox } from './client/sandbox.ts';
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
export { StateFileError } from './store/state-file-error.ts';
export { type AccountFile, type WorldFile, WorldFileError } from './world/description.ts';

/**
 * Starts a mock of the gift card service.
 * @throws TypeError for an invalid option; WorldFileError, VariantError or StateFileError for an invalid world, variant or state file; node's error
 * (EADDRINUSE, …) if the mock cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return start(options, silent);
}
