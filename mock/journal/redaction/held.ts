import { rowsOf } from '../../../openapi/effective/behaviors.ts';
import type { Account } from '../../account/account.ts';
import type { OtherNames } from './hide-in-message.ts';
import { isSecret, MASK } from './secret-names.ts';

/** So short a secret is hidden only where it stands by itself; otherwise every word that it happens to be in would be. */
const SHORT = 8;

/** Secrets that somebody holds: hidden wherever they stand, whatever they are called there. */
export class Held {
  /** What rows of the contracts call properties that are secrets. */
  readonly names: OtherNames;
  readonly #values = new Set<string>();
  /** How long those are that begin with a letter, the longest first: what there is at a place of a text is looked up, however many there are. */
  readonly #lengths = new Map<number, number[]>();

  constructor(values: Iterable<string>, names: OtherNames = new Set()) {
    this.names = names;
    for (const value of values) this.add(value);
  }

  /** The text with `mask` in the place of each of them. */
  hidden(text: string, mask = MASK): string {
    let shown = '';
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const length = this.#lengths.get(text.charCodeAt(at))?.find((each) => this.#stands(text, at, at + each));
      if (length === undefined) continue;
      shown += text.slice(from, at) + mask;
      from = at + length;
      at = from - 1;
    }
    return from === 0 ? text : shown + text.slice(from);
  }

  add(value: string): void {
    for (const spelt of spellings(value)) this.#add(spelt);
  }

  remove(value: string): void {
    for (const spelt of spellings(value)) this.#values.delete(spelt);
  }

  #add(value: string): void {
    if (value === '' || this.#values.has(value)) return;
    this.#values.add(value);
    const first = value.charCodeAt(0);
    const lengths = this.#lengths.get(first);
    if (!lengths) this.#lengths.set(first, [value.length]);
    else if (!lengths.includes(value.length))
      lengths.splice(lengths.filter((each) => each > value.length).length, 0, value.length);
  }

  #stands(text: string, from: number, to: number): boolean {
    if (!this.#values.has(text.slice(from, to))) return false;
    return to - from >= SHORT || !(/[\w-]/.test(text.charAt(from - 1)) || /[\w-]/.test(text.charAt(to)));
  }
}

/** What the accounts keep secret: keys, deleted ones too, and tokens of webhooks. */
export function heldBy(accounts: Iterable<Account>): Held {
  const values: string[] = [];
  const names = new Set<string>();
  const seen = new Set<unknown>();
  for (const { keys, state, behaviors, ownRows } of accounts) {
    for (const { key } of keys) values.push(key);
    for (const { token } of state.webhooks()) if (token !== null) values.push(token);
    if (seen.has(behaviors) && seen.has(ownRows)) continue;
    seen.add(behaviors).add(ownRows);
    for (const row of [...rowsOf(behaviors).map((each) => each.row), ...ownRows]) {
      const [old, given] = 'rename' in row ? [row.rename, row.to] : 'move' in row ? [row.move, row.to] : [];
      if (old !== undefined && isSecret(lastOf(old))) names.add(lastOf(given as string));
    }
  }
  return new Held(values, names);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** As it is, in an address and in JSON. */
function spellings(value: string): readonly string[] {
  return [value, encoded(value), JSON.stringify(value).slice(1, -1)];
}

/** As it stands in an address; half a letter, which has no place there, as what takes its place in texts. */
function encoded(value: string): string {
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
}
