import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { UnusableInput } from '../../openapi/input/unusable-input.ts';

/** A state file cannot be read, used or written. The message is one sentence; the file is unchanged. */
export class StateFileError extends UnusableInput {
  override readonly name = 'StateFileError';

  constructor(sentence: string) {
    super([sentence]);
  }
}

/** The locks of this process. Its ID is not enough: in containers, it is the same every time. */
const ownLocks = new Set<string>();

/** A file next to a state file that names the process using it. Of two sandboxes with one state file, the last to stop would overwrite the other's. */
export class StateLock {
  readonly #path: string;

  /** `target` is the path of the state file without symbolic links. */
  constructor(target: string) {
    this.#path = `${target}.lock`;
  }

  /** Throws StateFileError if a running sandbox has the lock. `name` is the state file's name in messages. */
  take(name: string): void {
    if (!this.#write(name)) {
      const holder = this.#holder();
      if (holder === undefined) rmSync(this.#path, { force: true });
      if (holder !== undefined || !this.#write(name))
        throw new StateFileError(
          `The state file ${name} is in use by another sandbox (process ${holder ?? 'unknown'}); stop that one, or choose another --state. If there is none, remove ${this.#path}.`,
        );
    }
    ownLocks.add(this.#path);
  }

  release(): void {
    if (ownLocks.delete(this.#path)) rmSync(this.#path, { force: true });
  }

  /** False if the lock file exists. An unwritable folder is reported now, since the state could not be saved at the end. */
  #write(name: string): boolean {
    try {
      writeFileSync(this.#path, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw new StateFileError(
        `The state file ${name} could not be written: ${dirname(this.#path)} is not a folder that this user may write to; create it, or choose another --state.`,
      );
    }
  }

  /** The running process that has the lock. A lock of another host is mostly left by a container that was replaced, so it is ignored. */
  #holder(): number | undefined {
    if (ownLocks.has(this.#path)) return process.pid;
    try {
      const { pid, host } = JSON.parse(readFileSync(this.#path, 'utf8')) as { pid: number; host: string };
      return host === hostname() && pid !== process.pid && isRunning(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // It belongs to another user.
  }
}
