import type { Account } from '../account/account.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { ApiKey, Settings } from '../account/settings.ts';
import { wholeText } from '../outbound/channels.ts';
import { accountOf } from '../world/read.ts';
import { describe, keyView } from './account-views.ts';
import { present } from './act.ts';
import { ControlError } from './control-error.ts';
import type { components } from './generated/types.ts';

type Schemas = components['schemas'];

/** Changes what somebody could change under the account's settings; it holds from the next request on. Answers with the account. */
export function changeSettings(account: Account, wanted: Schemas['SettingsChange']) {
  const { channels, ...settings } = account.settings;
  accountOf({ ...settings, ...wanted, cards: [] }, account.id, 'The body'); // Names that only the runtime's own data knows.
  const now = present(account);
  account.useSettings({ ...settings, ...wanted, channels } as Settings, now);
  // What waited for a subscription, or for the time of a reminder, may have found it.
  account.effects.queue([], account.cause('control', 'changeSettings', now));
  account.effects.plan();
  return describe(account);
}

/** Makes a key, which can be used at once. */
export function addKey(sandbox: Sandbox, account: Account, { key, description = 'Sandbox key' }: Schemas['NewKey'] = {}) {
  if (key !== undefined && sandbox.keyHolders.has(key))
    throw new ControlError(409, 'That key is in use already; choose another.');
  const now = present(account);
  const made: ApiKey = { key: key ?? freeKey(sandbox, account), description, deleted: false, deletedAt: null };
  sandbox.accounts.useKeys(account, [...account.keys, made]);
  account.cause('control', 'addKey', now);
  return keyView(made);
}

/** Deletes a key: the next request with it is refused. It stays among the keys, so that nobody gets it again. */
export function deleteKey(sandbox: Sandbox, account: Account, text: string) {
  const found = account.keys.find(({ key }) => key === text);
  if (!found)
    throw new ControlError(404, `The account ${account.id} has no such key; GET /__mock/accounts/${account.id} lists its keys.`);
  if (found.deleted) throw new ControlError(409, `The key "${found.description}" was deleted already.`);
  const now = present(account);
  const gone: ApiKey = { ...found, deleted: true, deletedAt: now };
  sandbox.accounts.useKeys(
    account,
    account.keys.map((key) => (key === found ? gone : key)),
  );
  account.cause('control', 'deleteKey', now);
  return keyView(gone);
}

/** Of the shape that no real key has. */
function freeKey({ keyHolders }: Sandbox, { id, keys }: Account): string {
  for (let number = keys.length + 1; ; number++) {
    const key = `sandbox-key-${id}-${number}-not-a-real-key`;
    if (!keyHolders.has(key)) return key;
  }
}

/** The codes that a channel takes, as a regular expression that can be read. */
export function mustBePattern(acceptsCodes: string): void {
  try {
    wholeText(acceptsCodes);
  } catch {
    throw new ControlError(400, `acceptsCodes "${acceptsCodes}" is no regular expression that can be read.`);
  }
}
