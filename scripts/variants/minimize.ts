/** A smallest part of `entries` for which `isRed` still holds, by delta debugging: without any one of the result, it does not hold. It must hold for all of them. */
export async function minimize<T>(entries: readonly T[], isRed: (some: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let remaining = entries;
  let parts = 2;
  while (remaining.length > 0) {
    const size = Math.ceil(remaining.length / parts);
    const smaller = await firstRed(withoutEachPart(remaining, size), isRed);
    if (smaller) {
      remaining = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(remaining.length, parts * 2);
  }
  return remaining;
}

function withoutEachPart<T>(all: readonly T[], size: number): (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, part) => part * size);
  return starts.map((start) => [...all.slice(0, start), ...all.slice(start + size)]);
}

async function firstRed<T>(all: readonly T[], isRed: (each: T) => Promise<boolean>): Promise<T | undefined> {
  for (const each of all) if (await isRed(each)) return each;
  return undefined;
}
