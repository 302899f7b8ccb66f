import type { NameQuestion } from '../generated/names.ts';
import type { Override } from './overrides.ts';

/** Returns overrides that rename the targets of a question to `name`. A name with dots is a path. */
export function overridesFor({ targets }: NameQuestion, name: string): Override[] {
  return targets.map((target) => {
    if (!target.includes('.')) return { wrap: target, in: name };
    return name.includes('.') ? { move: target, to: name } : { rename: target, to: name };
  });
}
