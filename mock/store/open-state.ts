import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { UnusableInput } from '../../openapi/input/unusable-input.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Handle } from '../server/call.ts';
import { isPostgres } from '../server/options.ts';
import { restoreAll } from '../snapshot/restore.ts';
import { LevelStore } from './level-store.ts';
import { Persistence } from './persistence.ts';
import { StateFileError } from './state-file-error.ts';
import type { Sync } from './store.ts';

/** Matches URLs, but not C:/ of Windows, except those of PostgreSQL. An @ after the host probably belongs to the password. */
const OTHER_URL = /^(?!postgres(ql)?:\/\/[^/?#\s]*([/?#][^@\s]*)?$)[A-Za-z][\w+.-]+:\//;

const REMEDY = 'move the file away to start without it, or choose another path with --state';

/**
 * Opens the state of a sandbox in PostgreSQL or in a folder. If the path is a state file of version 0.1, a new folder next to the file starts with the
 * content of the file.
 * @throws StateFileError
 */
export async function openState(path: string, sync: Sync, sandbox: Sandbox, handle: Handle): Promise<void> {
  if (OTHER_URL.test(path))
    throw new StateFileError(
      'The URL after --state cannot be used: write postgres://USER:PASSWORD@HOST/DATABASE, with special characters of the password as in %40 for @.',
    );
  if (isPostgres(path)) {
    const { Replica } = await import('./replica.ts');
    return Replica.open(path, sandbox, handle);
  }
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const folder = isFile ? `${realpathSync(path)}.d` : path;
  const persistence = new Persistence(folder, sandbox, () => LevelStore.open(folder, sync));
  sandbox.persistence = persistence;
  const isNew = !existsSync(folder);
  try {
    await persistence.start(async () => (isFile ? restoreFile(path, sandbox) : sandbox.reset()));
  } catch (error) {
    if (isFile && isNew) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function restoreFile(path: string, sandbox: Sandbox): Promise<void> {
  const value = read(path);
  if (Array.isArray(value?.accounts) && value.accounts.length === 0)
    throw new StateFileError(`The state file ${path} has no account; ${REMEDY}.`);
  try {
    await restoreAll(sandbox, value);
  } catch (error) {
    if (!(error instanceof UnusableInput)) throw error;
    throw new StateFileError(`The state file ${path} cannot be used (${REMEDY}). ${error.message}`);
  }
}

function read(path: string): { readonly accounts?: unknown } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why =
      error instanceof SyntaxError ? `is not JSON, or is incomplete; ${REMEDY}` : `cannot be read: ${whyNot(error, 'read')}`;
    throw new StateFileError(`The state file ${path} ${why}.`);
  }
}
