import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { UnusableInput } from '../../openapi/input/unusable-input.ts';

/** A state file that cannot be read, used or written. The message is one sentence; the file is unchanged. */
export class StateFileError extends UnusableInput {
  override readonly name = 'StateFileError';

  constructor(sentence: string) {
    super([sentence]);
  }
}

/** What this process holds; its own id in a lock says little, since in a container it is the same every time. */
const held = new Set<string>();

/** A file beside a state file, which says who goes on from it: of two that did, the last to stop would overwrite what the other kept. */
export class StateLock {
  readonly #path: string;

  /** `target` is where the state file really is. */
  constructor(target: string) {
    this.#path = `${target}.lock`;
  }

  /** Throws StateFileError where another sandbox has it that still runs; `shown` is how messages call the state file. */
  take(shown: string): void {
    const own = JSON.stringify({ pid: process.pid, host: hostname() });
    for (let attempt = 1; !this.#written(own, shown); attempt++) {
      const holder = this.#holder();
      if (holder !== undefined || attempt === 3)
        throw new StateFileError(
          `The state file ${shown} is in use by another sandbox (process ${holder ?? 'unknown'}); stop that one, or choose another --state. If there is none, remove ${this.#path}.`,
        );
      rmSync(this.#path, { force: true });
    }
    held.add(this.#path);
  }

  release(): void {
    if (held.delete(this.#path)) rmSync(this.#path, { force: true });
  }

  /** False where there is one already; what a folder says of itself is not always true, as of /proc, so that writing is the test. */
  #written(own: string, shown: string): boolean {
    try {
      writeFileSync(this.#path, own, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      // Known here, or everything that happens until the end would be lost then.
      const folder = dirname(this.#path);
      throw new StateFileError(
        `The state file ${shown} could not be written: ${folder} is no folder that this user may write to; make it, or choose another --state.`,
      );
    }
  }

  /**
   * The process that has it; undefined where that is over. What another machine or container left cannot be asked, and is mostly that of a container
   * that was made anew.
   */
  #holder(): number | undefined {
    if (held.has(this.#path)) return process.pid;
    try {
      const { pid, host } = JSON.parse(readFileSync(this.#path, 'utf8')) as { pid: number; host: string };
      if (host !== hostname() || pid === process.pid) return undefined;
      return isRunning(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // of another user
  }
}
