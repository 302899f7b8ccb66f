import type { ApiKey, Settings } from '../account/settings.ts';
import { getAccount, keyView } from './accounts.ts';
import { presentTime } from './act.ts';
import type { Body, PathValues } from './operation-types.ts';
import { ControlError, type InAccount, type InSandbox } from './resources.ts';

export function* changeSettings({ account, body: wanted }: InAccount & Body<'changeSettings'>) {
  const now = presentTime(account);
  yield* account.useSettings({ ...account.settings, ...wanted } as Settings);
  // Effects that waited for the subscription may now be sent, and reminders may have new times.
  account.effects.queue([], account.journal.cause('control', 'changeSettings', now));
  account.clock.setTimer();
  return getAccount({ account });
}

export function addKey({ sandbox, account, body = {} }: InSandbox & InAccount & Body<'addKey'>) {
  const { key, description = 'Sandbox key' } = body;
  if (key !== undefined && sandbox.accounts.keyHolders.has(key))
    throw new ControlError(409, 'An account already has this key; choose another key.');
  const added: ApiKey = {
    key: key ?? freeKey(account.id, sandbox.accounts.keyHolders),
    description,
    deleted: false,
    deletedAt: null,
  };
  account.journal.cause('control', 'addKey', presentTime(account));
  sandbox.accounts.useKeys(account, [...account.keys, added]);
  return keyView(added);
}

/** Deletes a key. The key stays in the list, so that no other account can use it. */
export function deleteKey({ sandbox, account, path }: InSandbox & InAccount & PathValues<'deleteKey'>) {
  const present = account.keys.find(({ key }) => key === path.key);
  if (!present)
    throw new ControlError(404, `The account ${account.id} has no such key; GET /__mock/accounts/${account.id} lists its keys.`);
  if (present.deleted) throw new ControlError(409, `The key "${present.description}" is already deleted.`);
  const now = presentTime(account);
  const deleted: ApiKey = { ...present, deleted: true, deletedAt: now };
  account.journal.cause('control', 'deleteKey', now);
  const keys = account.keys.map((key) => (key === present ? deleted : key));
  sandbox.accounts.useKeys(account, keys);
  return keyView(deleted);
}

/** Returns a key that no real account can have. */
function freeKey(accountId: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 2; ; number++) {
    const key = `sandbox-key-${accountId}-${number}-not-a-real-key`;
    if (!taken.has(key)) return key;
  }
}
