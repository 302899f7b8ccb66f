import { differing } from '../../openapi/effective/readings.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import { defaultReadings } from '../../openapi/generated/clauses.ts';
import { factsOf, mustCompile } from '../facts/facts.ts';
import { FactsError } from '../facts/facts-error.ts';
import type { Dialect, Dialects } from '../wire/dialects.ts';
import { SnapshotError } from './misfit.ts';
import { byName, list, type Shape, text, withAtLeast } from './shape.ts';

/** A dialect as a facts file would have it. */
export interface Spoken {
  /** Readings other than the default's. */
  readonly facts: Readonly<Record<string, string>>;
  readonly wire: readonly Row[];
}

export function spokenBy({ readings, ownRows }: Pick<Dialect, 'readings' | 'ownRows'>): Spoken {
  return { facts: Object.fromEntries(differing(readings).map((clause) => [clause, readings[clause]])), wire: ownRows };
}

export const spoken: { readonly [K in keyof Spoken]: Shape<Spoken[K]> } = {
  facts: byName(text),
  wire: list(withAtLeast<Row>({})),
};

/** Throws SnapshotError for readings and rows that this sandbox does not have; `whose` says who spoke so. */
export async function dialectOf(dialects: Dialects, { facts, wire }: Spoken, whose: string): Promise<Dialect> {
  try {
    const { facts: readings, wire: rows } = factsOf({ facts, wire }, `The snapshot cannot be used: what ${whose} speaks`);
    const dialect = await dialects.of({ ...defaultReadings, ...readings }, rows);
    mustCompile(dialect);
    return dialect;
  } catch (error) {
    if (error instanceof FactsError) throw new SnapshotError(error.problems.join(' '));
    throw error;
  }
}
