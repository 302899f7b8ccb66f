import type { Sandbox } from '../account/sandbox.ts';
import { captureAccount, captureAll } from '../snapshot/capture.ts';
import { SnapshotError } from '../snapshot/read.ts';
import { restoreAccount, restoreAll } from '../snapshot/restore.ts';
import { StateFileError } from '../snapshot/state-lock.ts';
import { describe } from './account-views.ts';
import { health } from './accounts.ts';
import type { SnapshotValue } from './generated/types.ts';
import { accountOf, ControlError, type ControlledAccount } from './resources.ts';

export function accountSnapshot(sandbox: Sandbox, account: ControlledAccount): SnapshotValue {
  return { ...captureAccount(sandbox, account) };
}

export function sandboxSnapshot(sandbox: Sandbox): SnapshotValue {
  return { ...captureAll(sandbox) };
}

/** Restores an account, or adds it again after it was removed. */
export async function putAccountSnapshot(sandbox: Sandbox, account: string, value: SnapshotValue) {
  if (value.id !== account) accountOf(sandbox, account);
  return describe(await orConflict(() => restoreAccount(sandbox, account, value)));
}

export async function putSandboxSnapshot(sandbox: Sandbox, value: SnapshotValue) {
  await orConflict(() => restoreAll(sandbox, value));
  return health(sandbox);
}

export async function saveState(sandbox: Sandbox) {
  const { stateFile } = sandbox;
  if (!stateFile)
    throw new ControlError(409, 'The sandbox has no state file; start it with --state FILE, or take a snapshot instead.');
  return orConflict(async () => ({ file: stateFile.path, bytes: stateFile.save(sandbox) }));
}

async function orConflict<T>(action: () => Promise<T>): Promise<T> {
  return action().catch((error) => {
    throw error instanceof SnapshotError || error instanceof StateFileError ? new ControlError(409, error.message) : error;
  });
}
