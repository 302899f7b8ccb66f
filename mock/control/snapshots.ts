import type { Sandbox } from '../account/sandbox.ts';
import { captureAccount, captureAll } from '../snapshot/capture.ts';
import { SnapshotError } from '../snapshot/read.ts';
import { restoreAccount, restoreAll } from '../snapshot/restore.ts';
import { StateFileError } from '../snapshot/state-lock.ts';
import { describe } from './account-views.ts';
import { accountOf, health } from './accounts.ts';
import { ControlError } from './control-error.ts';
import type { components } from './generated/types.ts';

type SnapshotValue = components['schemas']['SnapshotValue'];

export function accountSnapshot(sandbox: Sandbox, account: string): SnapshotValue {
  return { ...captureAccount(sandbox, accountOf(sandbox, account)) };
}

export function sandboxSnapshot(sandbox: Sandbox): SnapshotValue {
  return { ...captureAll(sandbox) };
}

/** Restores an account, or adds it again if it is gone. */
export async function putAccountSnapshot(sandbox: Sandbox, account: string, value: SnapshotValue) {
  if (value.id !== account) accountOf(sandbox, account);
  return describe(await refusable(() => restoreAccount(sandbox, account, value)));
}

export async function putSandboxSnapshot(sandbox: Sandbox, value: SnapshotValue) {
  await refusable(() => restoreAll(sandbox, value));
  return health(sandbox);
}

export async function saveState(sandbox: Sandbox) {
  const { stateFile } = sandbox;
  if (!stateFile)
    throw new ControlError(409, 'The sandbox has no state file; start it with --state FILE, or take a snapshot instead.');
  return refusable(async () => ({ file: stateFile.path, bytes: stateFile.save(sandbox) }));
}

async function refusable<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof SnapshotError || error instanceof StateFileError) throw new ControlError(409, error.message);
    throw error;
  }
}
