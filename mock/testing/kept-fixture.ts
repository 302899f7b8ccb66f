import type { Sandbox } from '../account/sandbox.ts';
import { captureAccount } from '../snapshot/capture.ts';

/** As it comes out of a file. */
export const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** The sandbox's first account as a value. */
export const main = (sandbox: Sandbox) => captureAccount(sandbox, sandbox.accounts.get('main') as never);
