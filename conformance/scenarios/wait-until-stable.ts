import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks, and how many there are at most. */
const PAUSE = 100;
const LOOKS = 20;

/** What is seen once two looks in a row see the same, because a target goes on in the background; what is seen last where it never rests. */
export async function atRest<T>(look: () => Promise<T>, isSame: (one: T, other: T) => boolean): Promise<T> {
  let seen = await look();
  for (let looks = 0; looks < LOOKS; looks += 1) {
    await pause(PAUSE);
    const next = await look();
    if (isSame(seen, next)) return next;
    seen = next;
  }
  return seen;
}
