/**
 * The least of the entries that still shows something, found by leaving out ever smaller parts of them (delta debugging): no single one of what is
 * left can be left out. `shows` must hold for all of them.
 */
export async function smallest<T>(entries: readonly T[], shows: (some: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let left = entries;
  let parts = 2;
  while (left.length > 0) {
    const size = Math.ceil(left.length / parts);
    const rest = await firstThat(restsOf(left, size), shows);
    if (rest) {
      left = rest;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(left.length, parts * 2);
  }
  return left;
}

/** Everything but each part of that size in turn. */
function restsOf<T>(all: readonly T[], size: number): (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, part) => part * size);
  return starts.map((start) => [...all.slice(0, start), ...all.slice(start + size)]);
}

async function firstThat<T>(all: readonly T[], holds: (each: T) => Promise<boolean>): Promise<T | undefined> {
  for (const each of all) if (await holds(each)) return each;
  return undefined;
}
