import type { Seen } from './seen.ts';

/** Tells what a record holds, each exchange beginning and ending when it did. */
export function replay(exchanges: readonly Seen[], to: { begun(began: number): void; ended(seen: Seen): void }): void {
  const moments = exchanges.flatMap((seen): Moment[] => [
    { at: seen.began, is: () => to.begun(seen.began) },
    { at: seen.ended, is: () => to.ended(seen) },
  ]);
  for (const { is } of moments.toSorted((a, b) => a.at - b.at)) is();
}

interface Moment {
  readonly at: Seen['began'];
  readonly is: () => void;
}
