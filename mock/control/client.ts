export type { Account } from '../client/account.ts';
export { type ControlClient, type ControlOptions, createControlClient, SandboxError } from '../client/call.ts';
export { type AccountOptions, type ConnectOptions, connectSandbox, type Sandbox } from '../client/sandbox.ts';
export type { components, operations, paths } from './generated/types.ts';
