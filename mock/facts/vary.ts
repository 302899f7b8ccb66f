import { questions } from '../../openapi/effective/readings.ts';
import { clashes, type Facts } from '../../openapi/facts/check.ts';
import { defaultReadings, type Readings } from '../../openapi/generated/clauses.ts';
import { Chance } from '../world.ts';

/**
 * One plausible deployment: a reading of every clause, chosen by the seed, and the same ones again for the same seed. What is known stays as it is,
 * and readings that cannot go together are not chosen together.
 */
export function varied(seed: number, known: Facts = { facts: {}, wire: [] }): Readings {
  let chosen: Readings = { ...defaultReadings, ...known.facts };
  for (const clause of Object.keys(defaultReadings) as (keyof Readings)[]) {
    if (clause in known.facts) continue;
    const readings = Object.keys(questions[clause]?.readings ?? {});
    // Tried in an order of chance; the one that was there before always goes with the others.
    // Each clause has chance of its own, so that what one fact settles leaves the others as they were.
    for (const reading of shuffled(readings, Chance.seeded(seed, clause))) {
      const tried = { ...chosen, [clause]: reading } as Readings;
      const changesWire = questions[clause]?.readings?.[reading]?.wire !== undefined;
      if (changesWire && clashes(tried, known.wire).length > 0) continue;
      chosen = tried;
      break;
    }
  }
  return chosen;
}

function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last--) {
    const other = chance.below(last + 1);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
