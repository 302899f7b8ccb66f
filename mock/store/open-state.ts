import type { Sandbox } from '../account/sandbox.ts';
import type { Handle } from '../server/call.ts';
import { isPostgres } from '../server/options.ts';
import { LevelStore } from './level-store.ts';
import { Persistence } from './persistence.ts';
import { StateFileError } from './state-file-error.ts';
import type { Sync } from './store.ts';

/** Matches URLs, but not C:/ of Windows, except those of PostgreSQL. An @ after the host probably belongs to the password. */
const OTHER_URL = /^(?!postgres(ql)?:\/\/[^/?#\s]*([/?#][^@\s]*)?$)[A-Za-z][\w+.-]+:\//;

/** Opens the state of a sandbox in PostgreSQL or in a folder. Throws StateFileError. */
export async function openState(path: string, sync: Sync, sandbox: Sandbox, handle: Handle): Promise<void> {
  if (OTHER_URL.test(path))
    throw new StateFileError(
      'The URL after --state cannot be used: write postgres://USER:PASSWORD@HOST/DATABASE, with special characters of the password as in %40 for @.',
    );
  if (isPostgres(path)) {
    const { Replica } = await import('./replica.ts');
    return Replica.open(path, sandbox, handle);
  }
  const persistence = new Persistence(path, sandbox, () => LevelStore.open(path, sync));
  sandbox.rows.persistence = persistence;
  await persistence.start(async () => sandbox.reset());
}
