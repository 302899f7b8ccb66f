import { type NameQuestion, names } from '../generated/names.ts';
import type { Override } from './overrides.ts';

/** Returns overrides that rename the targets of a question to `name`. A name with dots is a path. */
export function overridesFor({ targets }: NameQuestion, name: string): Override[] {
  return targets.map((target) => {
    if (!target.includes('.')) return { wrap: target, in: name };
    return name.includes('.') ? { move: target, to: name } : { rename: target, to: name };
  });
}

/** Returns the overrides that replace an option of version 0.1. If the clause was not about a name, returns undefined. */
export function overridesOfVersion01(clause: string, option: string): Override[] | undefined {
  const question = names.find(({ was }) => was === clause);
  return question && (question.alternatives.includes(option) ? overridesFor(question, option) : []);
}
