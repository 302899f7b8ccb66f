import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import type { ClassicLevel } from 'classic-level';
import { whyNot } from '../../openapi/input/why-not.ts';
import { StateFileError } from './state-file-error.ts';
import type { Store, Sync } from './store.ts';

/** The number of rows that are read at a time. */
const ROWS = 1000;

/** In bytes. Rows that change often are replaced in this memory, before LevelDB sorts them into files. */
const WRITE_BUFFER = 32 * 1024 * 1024;

/** In bytes. Rows are only read all together, so large blocks cost nothing, and make the files a quarter smaller. */
const BLOCK = 64 * 1024;

/** The names of the files in a folder of LevelDB. */
const OWN_FILES = /^(CURRENT|LOCK|LOG|LOG\.old|MANIFEST-\d+|\d+\.(log|ldb|sst|dbtmp))$/;

/** A folder with a LevelDB database. While the database is open, the operating system locks the folder against other processes. */
export class LevelStore implements Store {
  readonly #level: ClassicLevel;
  readonly #sync: boolean;

  private constructor(level: ClassicLevel, sync: Sync) {
    this.#level = level;
    this.#sync = sync === 'commit';
  }

  /**
   * Opens the folder. Creates the folder if it does not exist.
   * @throws StateFileError
   */
  static async open(folder: string, sync: Sync): Promise<LevelStore> {
    const { ClassicLevel } = await import('classic-level').catch(() => {
      throw new StateFileError('--state needs the package classic-level; install it with: npm install classic-level@3');
    });
    mustBeUsable(folder);
    // LevelDB compares paths to find a folder that this process has open.
    const level = new ClassicLevel(realpathSync(folder), { writeBufferSize: WRITE_BUFFER, blockSize: BLOCK });
    try {
      await level.open();
    } catch (error) {
      const { code, message = String(error) } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      if (code === 'LEVEL_LOCKED')
        throw new StateFileError(
          `The state in ${folder} is in use by another sandbox; stop that sandbox, or choose another folder with --state.`,
        );
      throw new StateFileError(
        `The state in ${folder} cannot be opened: ${message}; choose another folder with --state, or move this one away.`,
      );
    }
    return new LevelStore(level, sync);
  }

  async *rows(): AsyncGenerator<readonly (readonly [string, string])[]> {
    const iterator = this.#level.iterator({ fillCache: false, highWaterMarkBytes: 1024 * 1024 });
    try {
      for (let next = iterator.nextv(ROWS); ; ) {
        const some = await next;
        if (some.length === 0) return;
        next = iterator.nextv(ROWS); // LevelDB reads the next rows while the caller uses these.
        yield some;
      }
    } finally {
      await iterator.close();
    }
  }

  keys(prefix: string): Promise<string[]> {
    return this.#level.keys({ gte: prefix, lt: `${prefix}\uffff` }).all();
  }

  async write(rows: ReadonlyMap<string, string | undefined>): Promise<void> {
    const batch = this.#level.batch();
    for (const [key, text] of rows) {
      if (text === undefined) batch.del(key);
      else batch.put(key, text);
    }
    await batch.write({ sync: this.#sync });
  }

  close(): Promise<void> {
    return this.#level.close();
  }
}

/** Only the user of this process may read the folder, because the rows contain keys and webhook tokens. */
function mustBeUsable(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const names = readdirSync(folder);
    if (!names.every((name) => OWN_FILES.test(name)))
      throw new StateFileError(
        `The folder ${folder} has files that are not the state of a sandbox; choose a new or an empty folder with --state.`,
      );
    chmodSync(folder, 0o700);
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    throw new StateFileError(
      `The folder ${folder} cannot be used for the state: ${whyNot(error, 'written')}; choose another folder with --state.`,
    );
  }
}
