import { instantOf, instantOfAny, leaves } from '../http/structure.ts';
import { HOUR } from './span.ts';

/** A moment as it was told. */
export interface Moment {
  readonly at: number;
  /** How far off it may be, in milliseconds, because nobody says of which zone it is. */
  readonly slack: number;
}

const hasZone = (value: unknown) => typeof value !== 'string' || /(Z|[+-]\d{2}:?\d{2}|GMT|UTC)$/i.test(value);

/** From one end of the world to the other. */
const anyZone = 14 * HOUR;

/** The instant of a date and time with a zone; undefined for everything else, and so where nobody knows which zone is meant. */
export const exactInstantOf = (value: unknown): number | undefined => (hasZone(value) ? instantOf(value) : undefined);

/** The moments of an entry, by where they stand. */
export const momentsIn = (row: unknown): ReadonlyMap<string, Moment> =>
  new Map(
    leaves(row).flatMap(({ path, value }): [string, Moment][] => {
      const at = instantOfAny(value);
      return at === undefined ? [] : [[path, { at, slack: hasZone(value) ? 0 : anyZone }]];
    }),
  );
