import { UsageError } from '../../cli/shared/usage-error.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { levelOf, ruleTexts, type ShownLevel } from './contract.ts';
import { cliName } from './text.ts';

interface Selection {
  /** Names or patterns, in which * matches any text. An empty list selects all rules. */
  names: readonly string[];
  skip: readonly string[];
  level: ShownLevel | undefined;
}

/** Returns the selected rules in the contract's order. Throws UsageError if a pattern matches no rule or no rule is left. */
export function select({ names, skip, level }: Selection): RuleName[] {
  const all = [...ruleTexts.keys()];
  const matches = (pattern: string): RuleName[] => {
    const expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    const found = all.filter((name) => expression.test(name));
    if (found.length > 0) return found;
    const groups = all.flatMap((name) => Array.from(name.matchAll(/\./g), ({ index }) => `${name.slice(0, index)}.*`));
    throw new UsageError(
      `No rule matches "${pattern}".${didYouMean(pattern, [...all, ...new Set(groups)])} See them all with: ${cliName} list`,
    );
  };
  const wanted = new Set(names.length === 0 ? all : names.flatMap(matches));
  for (const name of skip.flatMap(matches)) wanted.delete(name);
  const selected = all.filter((name) => wanted.has(name) && (level === undefined || levelOf(name) === level));
  if (selected.length === 0) throw new UsageError('The names, --skip and --level together leave no rule to run.');
  return selected;
}
