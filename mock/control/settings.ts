import type { Sandbox } from '../account/sandbox.ts';
import type { ApiKey, Settings } from '../account/settings.ts';
import { wholeText } from '../outbound/channels.ts';
import { accountOf } from '../world/read.ts';
import { describe, keyView } from './account-views.ts';
import { presentTime } from './act.ts';
import type { NewKey, SettingsChange } from './generated/types.ts';
import { ControlError, type ControlledAccount } from './resources.ts';

export function changeSettings(account: ControlledAccount, wanted: SettingsChange) {
  const { channels, ...settings } = account.settings;
  // Time zones, currencies and locales are checked against the runtime's data.
  accountOf({ ...settings, ...wanted, cards: [] }, account.id, 'The body');
  const now = presentTime(account);
  account.useSettings({ ...settings, ...wanted, channels } as Settings, now);
  // Effects may have waited for the subscription, and reminders may be due at other times now.
  account.effects.queue([], account.cause('control', 'changeSettings', now));
  account.effects.plan();
  return describe(account);
}

export function addKey(sandbox: Sandbox, account: ControlledAccount, { key, description = 'Sandbox key' }: NewKey = {}) {
  if (key !== undefined && sandbox.keyHolders.has(key))
    throw new ControlError(409, 'An account already has this key; choose another.');
  const added: ApiKey = { key: key ?? freeKey(sandbox, account), description, deleted: false, deletedAt: null };
  account.cause('control', 'addKey', presentTime(account));
  sandbox.accounts.useKeys(account, [...account.keys, added]);
  return keyView(added);
}

/** Deletes a key. It stays in the list of keys, so that no account gets it again. */
export function deleteKey(sandbox: Sandbox, account: ControlledAccount, text: string) {
  const present = account.keys.find(({ key }) => key === text);
  if (!present)
    throw new ControlError(404, `The account ${account.id} has no such key; GET /__mock/accounts/${account.id} lists its keys.`);
  if (present.deleted) throw new ControlError(409, `The key "${present.description}" is already deleted.`);
  const now = presentTime(account);
  const deleted: ApiKey = { ...present, deleted: true, deletedAt: now };
  account.cause('control', 'deleteKey', now);
  sandbox.accounts.useKeys(
    account,
    account.keys.map((key) => (key === present ? deleted : key)),
  );
  return keyView(deleted);
}

/** A key of a form that real keys do not have. */
function freeKey({ keyHolders }: Sandbox, { id, keys }: Pick<ControlledAccount, 'id' | 'keys'>): string {
  for (let number = keys.length + 1; ; number++) {
    const key = `sandbox-key-${id}-${number}-not-a-real-key`;
    if (!keyHolders.has(key)) return key;
  }
}

/** Throws ControlError if the codes that a channel accepts are not a regular expression. */
export function mustBePattern(acceptsCodes: string): void {
  try {
    wholeText(acceptsCodes);
  } catch {
    throw new ControlError(400, `acceptsCodes must be a valid regular expression, got "${acceptsCodes}".`);
  }
}
