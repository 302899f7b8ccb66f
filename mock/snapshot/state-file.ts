import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { whyNot } from '../../openapi/input/why-not.ts';
import { secret } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { captureAll } from './capture.ts';
import { SnapshotError } from './read.ts';
import { restoreAll } from './restore.ts';
import { StateFileError, StateLock } from './state-lock.ts';

const REMEDY = 'move it away to start without it, or choose another --state';

/** The file that keeps the state of a sandbox. */
export class StateFile {
  readonly path: string;
  #lock: StateLock | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Locks the file until `release`, and restores the sandbox from it. Returns false if the file does not exist yet.
   * @throws StateFileError
   */
  async load(sandbox: Sandbox): Promise<boolean> {
    this.#lock = new StateLock(this.#target());
    this.#lock.take(this.path);
    try {
      const text = this.#read();
      if (text !== undefined) await this.#restore(sandbox, text);
      return text !== undefined;
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Allows other sandboxes to use the file. */
  release(): void {
    this.#lock?.release();
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
      if (!(error instanceof SnapshotError)) throw error;
      const reason = error.message.replace(/^The snapshot cannot be used: /, '');
      throw new StateFileError(`The state file ${this.path} cannot be used (${REMEDY}): ${reason}`);
    }
  }

  /** Replaces the file atomically. Returns its size in bytes; throws StateFileError. */
  save(sandbox: Sandbox): number {
    const target = this.#target();
    // The name is unique, so that two processes never write to the same unfinished file.
    const unfinished = `${target}.${secret()}.unfinished`;
    const bytes = Buffer.from(JSON.stringify(captureAll(sandbox)));
    try {
      // The file contains keys and webhook tokens.
      writeFileSync(unfinished, bytes, { mode: 0o600 });
      renameSync(unfinished, target);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw new StateFileError(`The state could not be written to ${this.path}: ${whyNot(error, 'written')}.`);
    }
    return bytes.length;
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new StateFileError(`The state file ${this.path} cannot be read: ${whyNot(error, 'read')}.`);
    }
  }

  /** The path without symbolic links. */
  #target(): string {
    try {
      return realpathSync(this.path);
    } catch {
      return resolve(this.path);
    }
  }
}
