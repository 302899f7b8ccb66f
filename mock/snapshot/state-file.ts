import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { whyNot } from '../../openapi/input/why-not.ts';
import { secret } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { captureAll } from './capture.ts';
import { SnapshotError } from './read.ts';
import { restoreAll } from './restore.ts';
import { StateFileError, StateLock } from './state-lock.ts';

export { StateFileError };

/** A file that a sandbox goes on from, and is written to. */
export class StateFile {
  readonly path: string;
  #lock: StateLock | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Puts the sandbox to what the file holds, and answers true; leaves it as it is when there is no such file yet. Until `release`, no other sandbox
   * goes on from it. Throws StateFileError.
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

  /** Others may go on from it. */
  release(): void {
    this.#lock?.release();
  }

  async #restore(sandbox: Sandbox, text: string): Promise<void> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new StateFileError(`The state file ${this.path} is no JSON, or was cut short; ${WAY_OUT}.`);
    }
    if (isEmpty(value))
      throw new StateFileError(`The state file ${this.path} holds no account, so nobody could ask for anything; ${WAY_OUT}.`);
    try {
      await restoreAll(sandbox, value);
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      throw new StateFileError(
        `The state file ${this.path} cannot be used (${WAY_OUT}): ${error.message.replace(/^The snapshot cannot be used: /, '')}`,
      );
    }
  }

  /** Writes everything as it is at this moment: the file is whole, before and after. Answers with its size in bytes; throws StateFileError. */
  save(sandbox: Sandbox): number {
    const target = this.#target();
    // Whoever else writes there has another.
    const unfinished = `${target}.${secret()}.unfinished`;
    const bytes = Buffer.from(JSON.stringify(captureAll(sandbox)));
    try {
      // Keys and webhook tokens are in it.
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

  /** Where the file really is, when the path is a link to it. */
  #target(): string {
    try {
      return realpathSync(this.path);
    } catch {
      return resolve(this.path);
    }
  }
}

function isEmpty(value: unknown): boolean {
  const { accounts } = (value ?? {}) as { readonly accounts?: unknown };
  return Array.isArray(accounts) && accounts.length === 0;
}

const WAY_OUT = 'move it away to begin anew, or choose another --state';
