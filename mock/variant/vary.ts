import { ruleTable } from '../../openapi/effective/behaviors.ts';
import { overridesFor } from '../../openapi/effective/names.ts';
import { conflictsOf, type Variant } from '../../openapi/effective/variant.ts';
import { names } from '../../openapi/generated/names.ts';
import { type Behaviors, defaultBehaviors } from '../../openapi/generated/rules.ts';
import { RandomSource } from '../account/clock.ts';

/** Chooses an option for each question and a name for each property from the seed. Keeps the choices of `known`, and avoids contradictions. */
export function varied(seed: number, known: Variant = { behaviors: {}, overrides: [] }) {
  let behaviors: Behaviors = { ...defaultBehaviors, ...known.behaviors };
  for (const question of Object.keys(defaultBehaviors) as (keyof Behaviors)[]) {
    if (question in known.behaviors) continue;
    const options = ruleTable[question]?.behaviors ?? {};
    // Each question has its own random numbers, so that a known option of one question does not change the choices for others.
    for (const option of shuffled(Object.keys(options), RandomSource.seeded(seed, question))) {
      const tried = { ...behaviors, [question]: option } as Behaviors;
      if (options[option]?.wire !== undefined && conflictsOf(tried, known.overrides).length > 0) continue;
      behaviors = tried;
      break;
    }
  }
  let overrides = known.overrides;
  for (const question of names) {
    const random = RandomSource.seeded(seed, question.targets.join());
    const choice = random.below(question.alternatives.length + 1);
    if (choice === 0) continue;
    const tried = [...overrides, ...overridesFor(question, question.alternatives[choice - 1] as string)];
    if (conflictsOf(behaviors, tried).length === 0) overrides = tried;
  }
  return { behaviors, overrides };
}

function shuffled<T>(list: readonly T[], random: RandomSource): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
