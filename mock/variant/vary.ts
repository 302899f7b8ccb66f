import { questions } from '../../openapi/effective/behaviors.ts';
import { type Behaviors, defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { clashes, type Facts } from '../../openapi/variant/check.ts';
import { Chance } from '../account/clock.ts';

/**
 * One plausible deployment: a reading of every clause, chosen by the seed, and the same ones again for the same seed. What is known stays as it is,
 * and behaviors that cannot go together are not chosen together.
 */
export function varied(seed: number, known: Facts = { facts: {}, wire: [] }): Behaviors {
  let chosen: Behaviors = { ...defaultBehaviors, ...known.facts };
  for (const clause of Object.keys(defaultBehaviors) as (keyof Behaviors)[]) {
    if (clause in known.facts) continue;
    const behaviors = Object.keys(questions[clause]?.behaviors ?? {});
    // Tried in an order of chance; the one that was there before always goes with the others.
    // Each clause has chance of its own, so that what one fact settles leaves the others as they were.
    for (const reading of shuffled(behaviors, Chance.seeded(seed, clause))) {
      const tried = { ...chosen, [clause]: reading } as Behaviors;
      const changesWire = questions[clause]?.behaviors?.[reading]?.wire !== undefined;
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
