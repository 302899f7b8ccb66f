import type { LessonName, Note } from './lessons.ts';

/** When something was seen: the number of the exchange and the moment on the account's clock. */
interface Seen {
  readonly number: number;
  readonly at: number;
}

/** One lesson as often as it was seen. */
export interface Learned {
  readonly name: LessonName;
  readonly count: number;
  readonly first: Seen;
  readonly last: Seen;
  /** What was seen last. */
  readonly seen: string;
}

/** One lesson while it is counted, in place, since the same may be given with every request. */
interface Count {
  note: Note;
  count: number;
  readonly first: Seen;
  lastNumber: number;
  lastAt: number;
}

/** What an account's callers were seen to do that will hurt in production: one entry for each lesson, however often it was given. */
export class Advice {
  readonly #counts = new Map<LessonName, Count>();

  constructor(learned: readonly Learned[] = []) {
    for (const { name, seen, count, first, last } of learned)
      this.#counts.set(name, { note: { name, seen }, count, first, lastNumber: last.number, lastAt: last.at });
  }

  /** Counts the lesson and returns it as it is to be noted down: the same as the last time, if it says the same. */
  add(name: LessonName, seen: string, number: number, at: number): Note {
    const before = this.#counts.get(name);
    if (!before) {
      const note = { name, seen };
      this.#counts.set(name, { note, count: 1, first: { number, at }, lastNumber: number, lastAt: at });
      return note;
    }
    if (before.note.seen !== seen) before.note = { name, seen };
    before.count++;
    before.lastNumber = number;
    before.lastAt = at;
    return before.note;
  }

  /** One of them was none: what came later explains it. */
  withdraw(name: LessonName): void {
    const before = this.#counts.get(name);
    if (before && --before.count === 0) this.#counts.delete(name);
  }

  /** In the order in which they were given first. */
  all(): readonly Learned[] {
    return Array.from(this.#counts.values(), ({ note, count, first, lastNumber, lastAt }) => {
      return { name: note.name, count, first, last: { number: lastNumber, at: lastAt }, seen: note.seen };
    });
  }
}
