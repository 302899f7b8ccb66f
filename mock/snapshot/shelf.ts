/** A snapshot that is kept under a name, as text, so that nothing can change it. */
export interface Kept {
  readonly name: string;
  /** The account that it is of; null when it is of all. */
  readonly account: string | null;
  /** Real time, in milliseconds since 1970. */
  readonly takenAt: number;
  readonly text: string;
}

const MOST = 100;
const MOST_LETTERS = 256 * 1024 * 1024;

/** The snapshots of a sandbox that have a name. They outlive every reset; there is an end to how many there can be. */
export class Shelf {
  readonly #kept = new Map<string, Kept>();

  /** In the order in which they were first kept; of one account, or of all. */
  all(account: string | null): readonly Kept[] {
    return Array.from(this.#kept.values()).filter((kept) => kept.account === account);
  }

  find(account: string | null, name: string): Kept | undefined {
    return this.#kept.get(keyOf(account, name));
  }

  /** Keeps it in the place of one of the same name. Answers why not, in a sentence, when there is no room. */
  keep(kept: Kept): string | undefined {
    const key = keyOf(kept.account, kept.name);
    const before = this.#kept.get(key);
    if (!before && this.#kept.size >= MOST)
      return `There are ${MOST} snapshots already, which is the most; delete one of them first.`;
    let letters = kept.text.length - (before?.text.length ?? 0);
    for (const { text } of this.#kept.values()) letters += text.length;
    if (letters > MOST_LETTERS)
      return `All snapshots together would have more than ${MOST_LETTERS / 1024 / 1024} million letters; delete one of them first, or keep this one in a file.`;
    this.#kept.set(key, kept);
    return undefined;
  }

  /** Whether there was one. */
  remove(account: string | null, name: string): boolean {
    return this.#kept.delete(keyOf(account, name));
  }
}

function keyOf(account: string | null, name: string): string {
  return JSON.stringify([account, name]);
}
