import type { Sandbox } from '../account/sandbox.ts';
import { captureAccount } from '../snapshot/capture.ts';

/** The value after it was written to a file and read again. */
export const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** A snapshot of the account `main`. */
export const main = (sandbox: Sandbox) => captureAccount(sandbox, sandbox.accounts.get('main') as never);
