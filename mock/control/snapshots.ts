import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import { capture, captureAll } from '../store/snapshot/capture.ts';
import { restoreAccount, restoreAll } from '../store/snapshot/restore.ts';
import { getAccount, getHealth } from './accounts.ts';
import type { Body, PathValues } from './operation-types.ts';
import { ControlError, findAccount, type InAccount, type InSandbox } from './resources.ts';

export function* getAccountSnapshot({ sandbox, account }: InSandbox & InAccount) {
  return { ...(yield* capture(sandbox, account)) };
}

export async function getSandboxSnapshot({ sandbox }: InSandbox) {
  return { ...(await captureAll(sandbox)) };
}

type Replacement = InSandbox & PathValues<'putAccountSnapshot'> & Body<'putAccountSnapshot'>;

/** Restores an account, or adds an account that was removed. */
export async function putAccountSnapshot({ sandbox, path, body }: Replacement) {
  const id = path.account;
  if (!('id' in body) || body.id !== id) findAccount(sandbox, id);
  return getAccount({ account: await orConflict(() => restoreAccount(sandbox, id, body)) });
}

export async function putSandboxSnapshot({ sandbox, body }: InSandbox & Body<'putSandboxSnapshot'>) {
  await orConflict(() => restoreAll(sandbox, body));
  return getHealth({ sandbox });
}

async function orConflict<T>(action: () => Promise<T>): Promise<T> {
  return action().catch((error) => {
    throw error instanceof UnusableInput ? new ControlError(409, error.message) : error;
  });
}
