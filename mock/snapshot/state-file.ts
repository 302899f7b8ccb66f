import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { secret } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { captureAll } from './capture.ts';
import { restoreAll } from './restore.ts';
import { StateFileError, StateLock } from './state-lock.ts';

const REMEDY = 'move it away to start without it, or choose another --state';

/** The file that keeps the state of a sandbox. */
export class StateFile {
  readonly path: string;
  /** The path without symbolic links. */
  readonly #target: string;
  readonly #lock: StateLock;

  constructor(path: string) {
    this.path = path;
    this.#target = existsSync(path) ? realpathSync(path) : resolve(path);
    this.#lock = new StateLock(this.#target);
  }

  /**
   * Locks the file until `release`, and restores the sandbox from it. Returns false if the file does not exist yet.
   * @throws StateFileError
   */
  async load(sandbox: Sandbox): Promise<boolean> {
    this.#lock.take(this.path);
    try {
      if (!existsSync(this.#target)) return false;
      await this.#restore(sandbox, this.#read());
      return true;
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Allows other sandboxes to use the file. */
  release(): void {
    this.#lock.release();
  }

  async #restore(sandbox: Sandbox, text: string): Promise<void> {
    let value: { readonly accounts?: unknown } | null;
    try {
      value = JSON.parse(text);
    } catch {
      throw new StateFileError(`The state file ${this.path} is not JSON, or is incomplete; ${REMEDY}.`);
    }
    if (Array.isArray(value?.accounts) && value.accounts.length === 0)
      throw new StateFileError(`The state file ${this.path} has no account; ${REMEDY}.`);
    try {
      await restoreAll(sandbox, value);
    } catch (error) {
      if (!(error instanceof UnusableInput)) throw error;
      throw new StateFileError(`The state file ${this.path} cannot be used (${REMEDY}). ${error.message}`);
    }
  }

  #read(): string {
    try {
      return readFileSync(this.#target, 'utf8');
    } catch (error) {
      throw new StateFileError(`The state file ${this.path} cannot be read: ${whyNot(error, 'read')}.`);
    }
  }

  /** Replaces the file atomically. Returns its size in bytes; throws StateFileError. */
  save(sandbox: Sandbox): number {
    // The name is unique, so that two processes never write to the same unfinished file.
    const unfinished = `${this.#target}.${secret()}.unfinished`;
    const bytes = Buffer.from(JSON.stringify(captureAll(sandbox)));
    try {
      // The file contains keys and webhook tokens.
      writeFileSync(unfinished, bytes, { mode: 0o600 });
      renameSync(unfinished, this.#target);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw new StateFileError(`The state could not be written to ${this.path}: ${whyNot(error, 'written')}.`);
    }
    return bytes.length;
  }
}
