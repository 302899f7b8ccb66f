import type { JsonObject } from '../../openapi/document.ts';
import { differing, standardDocument } from '../../openapi/effective/behaviors.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import type { Dialect, Dialects } from '../contract/effective/dialects.ts';
import { factsOf, mustCompile } from '../variant/facts.ts';
import { FactsError } from '../variant/facts-error.ts';
import { SnapshotError } from './misfit.ts';
import { byName, list, type Shape, text, withAtLeast } from './shape.ts';

/** A dialect as a facts file would have it. */
export interface Spoken {
  /** Behaviors other than the default's. */
  readonly facts: Readonly<Record<string, string>>;
  readonly wire: readonly Row[];
}

export function spokenBy({ behaviors, ownRows }: Pick<Dialect, 'behaviors' | 'ownRows'>): Spoken {
  return { facts: Object.fromEntries(differing(behaviors).map((clause) => [clause, behaviors[clause]])), wire: ownRows };
}

export const spoken: { readonly [K in keyof Spoken]: Shape<Spoken[K]> } = {
  facts: byName(text),
  wire: list(withAtLeast<Row>({})),
};

/** Options of version 0.1 that are gone from questions that remain. */
const GONE = new Set(['next-use', 'refused-at-this-address', 'each-endpoint']);

/** Without the questions and options of version 0.1 that are gone: the account behaves by default there. */
function stillAsked(facts: Spoken['facts']): Spoken['facts'] {
  const answers = standardDocument['x-answers'] as JsonObject;
  return Object.fromEntries(Object.entries(facts).filter(([clause, option]) => !(clause in answers) && !GONE.has(option)));
}

/** Throws SnapshotError for behaviors and rows that this sandbox does not have; `whose` says who spoke so. */
export async function dialectOf(dialects: Dialects, { facts, wire }: Spoken, whose: string): Promise<Dialect> {
  try {
    const { facts: behaviors, wire: rows } = factsOf(
      { facts: stillAsked(facts), wire },
      `The snapshot cannot be used: what ${whose} speaks`,
    );
    const dialect = await dialects.of({ ...defaultBehaviors, ...behaviors }, rows);
    mustCompile(dialect);
    return dialect;
  } catch (error) {
    if (error instanceof FactsError) throw new SnapshotError(error.problems.join(' '));
    throw error;
  }
}
