import type { Section } from './record.ts';
import type { Seen } from './seen.ts';
import type { Watch } from './watch.ts';

/** Judges what a record holds, each exchange beginning and ending when it did. */
export function replay({ exchanges }: Section, watch: Watch): void {
  const moments = exchanges.flatMap((seen): Moment[] => [
    { at: seen.began, is: () => watch.begun(seen.began) },
    { at: seen.ended, is: () => watch.ended(seen) },
  ]);
  for (const { is } of moments.toSorted((a, b) => a.at - b.at)) is();
  watch.restart();
}

interface Moment {
  readonly at: Seen['began'];
  readonly is: () => void;
}
