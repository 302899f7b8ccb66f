export type { Json, JsonObject } from '../../openapi/document.ts';
export type { GiftCardInChannel, GiftCardStatus } from '../../openapi/generated/types.ts';
export type { Account, AccountParts, Clock } from '../client/account.ts';
export { type ControlClient, type ControlOptions, createControlClient, SandboxError } from '../client/call.ts';
export type { Deliveries, EffectList, Outbox, Suppressed, WaitOptions } from '../client/effect-lists.ts';
export { type AccountOptions, type ConnectOptions, connectSandbox, type Sandbox } from '../client/sandbox.ts';
export type { Time } from '../client/values.ts';
export type * from './generated/client.ts';
export type * from './generated/types.ts';
