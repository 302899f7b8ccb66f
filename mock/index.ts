import { silent } from './running/log.ts';
import type { Mock } from './running/mock.ts';
import type { MockOptions } from './running/options.ts';
import { start } from './running/start.ts';

export type { Account, AccountParts } from './api/account.ts';
export { SandboxError } from './api/call.ts';
export type { Channels } from './api/channels.ts';
export type { Clock } from './api/clock.ts';
export type { Dashboard } from './api/dashboard.ts';
export type { Deliveries, Delivery, Email, NotSent, Told } from './api/effects.ts';
export type { Drills, Faults } from './api/faults.ts';
export type { Journal } from './api/journal.ts';
export type { Readings } from './api/readings.ts';
export { type ConnectedSandbox, type ConnectOptions, connectSandbox } from './api/sandbox.ts';
export type {
  Adjustment,
  AdjustmentHistory,
  CreateGiftCardRequest,
  Drill,
  Fault,
  GiftCard,
  GiftCardList,
  Snapshot,
  WebhookDelivery,
  WebStoreCoupon,
} from './api/values.ts';
export { verifySignature } from './effects/signature.ts';
export { FactsError } from './facts/facts-error.ts';
export type { FactsFile } from './facts/facts-file.ts';
export type { Mock } from './running/mock.ts';
export type { MockOptions } from './running/options.ts';
export { StateFileError } from './snapshot/state-file-error.ts';
export type { AccountFile, WorldFile } from './world-file/description.ts';
export { WorldFileError } from './world-file/world-file-error.ts';

/**
 * Starts a mock of the gift card service.
 * @throws TypeError for an option that it does not have; WorldFileError for a world, FactsError for facts, and StateFileError for a state file, that cannot be used; node's own error (EADDRINUSE, …) when it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return start(options, silent);
}
