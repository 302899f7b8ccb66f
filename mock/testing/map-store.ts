import type { Store } from '../store/store.ts';

/** A store in memory. A test can make its writes fail. */
export class MapStore implements Store {
  readonly texts = new Map<string, string>();
  /** The error of the next writes. */
  failure: Error | undefined;

  async *rows() {
    yield [...this.texts].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  async keys(prefix: string): Promise<string[]> {
    return [...this.texts.keys()].filter((name) => name.startsWith(prefix));
  }

  async write(rows: ReadonlyMap<string, string | undefined>): Promise<void> {
    if (this.failure) throw this.failure;
    for (const [name, text] of rows) {
      if (text === undefined) this.texts.delete(name);
      else this.texts.set(name, text);
    }
  }

  async close(): Promise<void> {}
}
