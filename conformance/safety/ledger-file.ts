import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Keeper } from '../ledger.ts';
import type { Profile } from '../target.ts';
import type { Entry, State } from './entries.ts';
import { clearLock, isHeld, type Lock, locked } from './lock.ts';

/** A run that stands in the ledger: what it asked for, and how that stood last. */
export interface KeptRun {
  readonly run: string;
  readonly began: string;
  readonly lock: string | null;
  readonly entries: Entry[];
}

type Written = Omit<Entry, 'key' | 'state'>;
type Line =
  | { run: string; began: string; target: string; lock: string | null }
  | { run: string; open: Written }
  | { run: string; entry: number; state: State; made?: boolean; removing?: boolean; code?: string; id?: string | number };

/** The ledger of one target on disk: JSON lines, only ever added to, and no key in them. */
export class LedgerFile {
  readonly path: string;
  readonly #target: string;
  #handle: number | undefined;

  constructor(path: string, target: string) {
    this.path = path;
    this.#target = target;
  }

  /** What the ledger holds, run by run, in the order of their beginning. Keys come from the profile; without one for its account, an entry keeps none. */
  read(profile: Profile = {}): KeptRun[] {
    const runs = new Map<string, KeptRun>();
    for (const line of linesOf(this.path)) {
      if ('began' in line) runs.set(line.run, { ...line, entries: [] });
      const run = runs.get(line.run);
      if (!run) continue;
      if ('open' in line) run.entries.push({ ...line.open, key: keyOf(line.open, profile), state: 'asked' } as Entry);
      if ('entry' in line) {
        const { run: _, entry: number, ...change } = line;
        const entry = run.entries.find((each) => each.number === number);
        if (entry) Object.assign(entry, change);
      }
    }
    return [...runs.values()];
  }

  /** Those runs that have ended, in whichever way, and those that still live. */
  async sorted(profile: Profile = {}): Promise<{ ended: KeptRun[]; living: KeptRun[] }> {
    const [ended, living]: [KeptRun[], KeptRun[]] = [[], []];
    for (const run of this.read(profile)) ((await isHeld(run.lock)) ? living : ended).push(run);
    for (const { lock } of ended) clearLock(lock);
    return { ended, living };
  }

  /** Enters a run. Its lock is held from before its first line stands in the ledger until it is released. */
  async begin(run: string): Promise<Lock> {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const lock = await locked(run, this.path);
    this.#write({ run, began: new Date().toISOString(), target: this.#target, lock: lock.path });
    return lock;
  }

  keeperOf(run: string): Keeper {
    return {
      opened: ({ key: _, state: __, ...open }) => {
        this.#write({ run, open: open as Written });
        this.#flush();
      },
      changed: (entry) => this.changed(run, entry),
    };
  }

  changed(run: string, entry: Entry): void {
    const { number, state, made } = entry;
    const card = entry.kind === 'card' ? { code: entry.code, ...(entry.id === undefined ? {} : { id: entry.id }) } : {};
    const removing = entry.kind === 'record' && entry.removing ? { removing: true } : {};
    this.#write({ run, entry: number, state, ...(made ? { made } : {}), ...card, ...removing });
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  /** Until then a failing machine may lose it, which for all but the opening of an entry only means that it is looked at once more. */
  #flush(): void {
    if (this.#handle !== undefined) fsyncSync(this.#handle);
  }

  /** Outlives the process when it returns. */
  #write(line: Line): void {
    if (this.#handle === undefined) {
      // A line that was cut off by a power failure must not swallow the next one.
      const cut = existsSync(this.path) && !/(^|\n)$/.test(readFileSync(this.path, 'utf8'));
      this.#handle = openSync(this.path, 'a', 0o600);
      if (cut) writeSync(this.#handle, '\n');
    }
    writeSync(this.#handle, `${JSON.stringify(line)}\n`);
  }
}

function linesOf(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        return [JSON.parse(text) as Line];
      } catch {
        return [];
      }
    });
}

const keyOf = ({ account }: Written, profile: Profile): string | undefined =>
  account === 'key' || account === 'other' ? undefined : profile[account];

/** Where the ledger of a target is kept when nobody says it: with the user's other state, and apart from other targets' ledgers. */
export function usualLedger(target: string, env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  const host = new URL(target).host.replace(/[^\w.-]+/g, '-');
  const digest = createHash('sha256').update(target).digest('hex').slice(0, 8);
  return join(state, 'giftcard-sandbox', `${host}-${digest}.jsonl`);
}
