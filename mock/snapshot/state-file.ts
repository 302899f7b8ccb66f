import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { secret } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { captureAll } from './capture.ts';
import { restoreAll } from './restore.ts';
import { releaseLock, StateFileError, takeLock } from './state-lock.ts';

const REMEDY = 'move the file away to start without it, or choose another file with --state';

/** The file that keeps the state of a sandbox. */
export class StateFile {
  readonly path: string;
  /** True if `load` found the file. */
  wasThere = false;
  /** The path without symbolic links. */
  readonly #target: string;
  readonly #lock: string;

  constructor(path: string) {
    this.path = path;
    this.#target = existsSync(path) ? realpathSync(path) : resolve(path);
    this.#lock = `${this.#target}.lock`;
  }

  /**
   * Locks the file against other sandboxes until `release`. If the file exists, restores the sandbox.
   * @throws StateFileError
   */
  async load(sandbox: Sandbox): Promise<void> {
    takeLock(this.#lock, this.path);
    this.wasThere = existsSync(this.#target);
    try {
      if (this.wasThere) await this.#restore(sandbox);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Removes the lock, so that other sandboxes can use the file. */
  release(): void {
    releaseLock(this.#lock);
  }

  async #restore(sandbox: Sandbox): Promise<void> {
    const value = this.#read();
    if (Array.isArray(value?.accounts) && value.accounts.length === 0)
      throw new StateFileError(`The state file ${this.path} has no account; ${REMEDY}.`);
    try {
      await restoreAll(sandbox, value);
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      throw new StateFileError(`The state file ${this.path} cannot be used (${REMEDY}). ${error.message}`);
    }
  }

  #read(): { readonly accounts?: unknown } | null {
    try {
      return JSON.parse(readFileSync(this.#target, 'utf8'));
    } catch (error) {
      const isRead = error instanceof SyntaxError;
      const why = isRead ? `is not JSON, or is incomplete; ${REMEDY}` : `cannot be read: ${whyNot(error, 'read')}`;
      throw new StateFileError(`The state file ${this.path} ${why}.`);
    }
  }

  /** Replaces the file atomically. Returns the size in bytes. Throws StateFileError. */
  save(sandbox: Sandbox): number {
    // The name is unique, so that two processes never write to the same unfinished file.
    const unfinished = `${this.#target}.${secret()}.unfinished`;
    const bytes = Buffer.from(JSON.stringify(captureAll(sandbox)));
    try {
      // Only the user of this process may read the file, because the file contains keys and webhook tokens.
      writeFileSync(unfinished, bytes, { mode: 0o600 });
      renameSync(unfinished, this.#target);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw new StateFileError(`The state could not be written to ${this.path}: ${whyNot(error, 'written')}.`);
    }
    return bytes.length;
  }
}
