import { didYouMean } from '../../openapi/input/closest.ts';
import type { Account } from '../account/account.ts';
import { Clock } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { time } from '../domain/calendar.ts';
import { SnapshotError } from '../snapshot/misfit.ts';
import { captureAccount, captureAll, restoreAccount, restoreAll } from '../snapshot/sandbox.ts';
import type { Kept } from '../snapshot/shelf.ts';
import { StateFileError } from '../snapshot/state-file-error.ts';
import { describe } from './account-views.ts';
import { accountOf, health } from './accounts.ts';
import { ControlError } from './control-error.ts';
import type { components } from './generated/types.ts';

/** Snapshots of one account, or, where the account is null, of all. */

interface SnapshotView {
  readonly name: string;
  readonly takenAtUtc: string;
  /** In letters of JSON. */
  readonly size: number;
}

/** What the door knows of a snapshot's value; the rest is between the sandbox that took it and the one that it is put back to. */
type SnapshotValue = components['schemas']['SnapshotValue'];

/** As a plain JSON value, which can be kept in a file. */
export function takeValue(sandbox: Sandbox, account: string | null): SnapshotValue {
  return { ...(account === null ? captureAll(sandbox) : captureAccount(sandbox, accountOf(sandbox, account))) };
}

/** Puts the account back to what the value holds; one that is gone is made anew. */
export async function restoreAccountValue(sandbox: Sandbox, account: string, value: SnapshotValue) {
  if (value.id !== account) accountOf(sandbox, account);
  return describe((await orRefused(restoreAccount(sandbox, account, value))) as Account);
}

export async function restoreAllValue(sandbox: Sandbox, value: SnapshotValue) {
  await orRefused(restoreAll(sandbox, value));
  return health(sandbox);
}

/** Keeps the present state under a name, in the place of a snapshot that has it already. */
export function take(sandbox: Sandbox, account: string | null, name: string): SnapshotView {
  const text = JSON.stringify(takeValue(sandbox, account));
  const kept: Kept = { name, account, takenAt: new Clock().now(), text };
  const objection = sandbox.shelf.keep(kept);
  if (objection !== undefined) throw new ControlError(409, objection);
  return viewOf(kept);
}

export function list(sandbox: Sandbox, account: string | null): readonly SnapshotView[] {
  return all(sandbox, account).map(viewOf);
}

/** Those of an account that is gone are kept as well. */
function all(sandbox: Sandbox, account: string | null): readonly Kept[] {
  const kept = sandbox.shelf.all(account);
  if (kept.length === 0 && account !== null) accountOf(sandbox, account);
  return kept;
}

export function restoreAccountFrom(sandbox: Sandbox, account: string, name: string) {
  return restoreAccountValue(sandbox, account, keptValue(sandbox, account, name));
}

export function restoreAllFrom(sandbox: Sandbox, name: string) {
  return restoreAllValue(sandbox, keptValue(sandbox, null, name));
}

export function remove(sandbox: Sandbox, account: string | null, name: string): undefined {
  keptValue(sandbox, account, name);
  sandbox.shelf.remove(account, name);
}

function keptValue(sandbox: Sandbox, account: string | null, name: string): SnapshotValue {
  const kept = sandbox.shelf.find(account, name);
  if (kept) return JSON.parse(kept.text);
  const names = all(sandbox, account).map((each) => each.name);
  const whose = account === null ? 'of all accounts' : `of the account ${account}`;
  const others = names.length === 0 ? ' There is none yet.' : ` There are ${names.slice(0, 10).join(', ')}.`;
  throw new ControlError(404, `There is no snapshot ${name} ${whose}.${didYouMean(name, names) || others}`);
}

/** Writes the file that the sandbox goes on from at its next start. */
export function saveState(sandbox: Sandbox) {
  const { stateFile } = sandbox;
  if (!stateFile)
    throw new ControlError(
      409,
      'The sandbox was started without a state file; start it with --state FILE, or take a snapshot instead.',
    );
  try {
    return { file: stateFile.path, bytes: stateFile.save(sandbox) };
  } catch (error) {
    if (error instanceof StateFileError) throw new ControlError(409, error.message);
    throw error;
  }
}

function viewOf({ name, takenAt, text }: Kept): SnapshotView {
  return { name, takenAtUtc: time(takenAt), size: text.length };
}

async function orRefused<T>(restored: Promise<T>): Promise<T> {
  try {
    return await restored;
  } catch (error) {
    if (error instanceof SnapshotError) throw new ControlError(409, error.message);
    throw error;
  }
}
