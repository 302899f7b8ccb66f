import { silent } from './server/log.ts';
import type { Mock } from './server/mock.ts';
import type { MockOptions } from './server/options.ts';
import { start } from './server/start.ts';

/** The types of the service: `createClient<paths>` of openapi-fetch, and the schemas by name. */
export type {
  Adjustment,
  AdjustmentHistory,
  CompanyProfile,
  CreateGiftCardRequest,
  components,
  GiftCardList,
  operations,
  paths,
  Webhook,
  WebhookDelivery,
  WebStoreCoupon,
} from '../openapi/generated/types.ts';
export { VariantError, type VariantFile } from '../openapi/variant/variant.ts';
export type { Account, AccountParts, Clock } from './client/account.ts';
export { SandboxError } from './client/call.ts';
export type { Deliveries, EffectList, Outbox, Suppressed, WaitOptions } from './client/effect-lists.ts';
export { type AccountOptions, type ConnectOptions, connectSandbox, type Sandbox } from './client/sandbox.ts';
export type { Time } from './client/values.ts';
export type { Behaviors, Channels, Dashboard, Faults, Journal } from './control/generated/client.ts';
export type {
  AccountDescription,
  AccountDetails,
  Advice,
  Card,
  CardChain,
  CardDescription,
  CardInChannel,
  Channel,
  ClockAdvance,
  ClockChange,
  ClockReading,
  Delivery,
  Email,
  Fault,
  GiftCard,
  Health,
  JournalEntry,
  JournalPage,
  Moment,
  NewFault,
  Snapshot,
  SuppressedEffect,
} from './control/generated/types.ts';
export { verifySignature } from './outbound/signature.ts';
export type { Mock } from './server/mock.ts';
export type { MockOptions } from './server/options.ts';
export { StateFileError } from './store/state-file-error.ts';
export { type WorldFile, WorldFileError } from './world/description.ts';

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
