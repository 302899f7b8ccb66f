import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { UnusableInput } from '../../openapi/input/unusable-input.ts';

/** A state file cannot be read, used or written. The file is unchanged. */
export class StateFileError extends UnusableInput {
  override readonly name = 'StateFileError';

  constructor(sentence: string) {
    super([sentence]);
  }
}

/** The locks of this process. A process ID alone does not identify a holder, because processes of different containers may have the same ID. */
const ownLocks = new Set<string>();

/**
 * Creates a lock file next to a state file. Without the lock file, two sandboxes would overwrite each other's state.
 * @throws StateFileError if a running sandbox has the lock, or the folder is not writable. `name` is the state file's name in messages.
 */
export function takeLock(lock: string, name: string): void {
  try {
    if (existsSync(lock) && holderOf(lock) === undefined) rmSync(lock, { force: true });
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const sentence =
      (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? `The state file ${name} is in use by another sandbox (process ${holderOf(lock) ?? 'unknown'}); stop that sandbox, or choose another file with --state. If no other sandbox runs, remove ${lock}.`
        : `The state file ${name} could not be written: ${dirname(lock)} is not a folder that this user may write to; create it, or choose another file with --state.`;
    throw new StateFileError(sentence);
  }
  ownLocks.add(lock);
}

export function releaseLock(lock: string): void {
  if (ownLocks.delete(lock)) rmSync(lock, { force: true });
}

/** Returns the ID of the running process that has the lock. Ignores locks of other host names, because most remain from replaced containers. */
function holderOf(lock: string): number | undefined {
  if (ownLocks.has(lock)) return process.pid;
  try {
    const { pid, host } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number; host: string };
    return host === hostname() && pid !== process.pid && isRunning(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // The process belongs to another user.
  }
}

/** Reports whether a process has ended, but its parent has not waited for it yet. Systems without /proc do not show this. */
function isZombie(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && /^\d+ \(.*\) [XZ] /s.test(readFileSync(file, 'utf8'));
}
