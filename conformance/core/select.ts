import { UsageError } from '../../command-line/usage-error.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { clauseTexts, levelOf, type ShownLevel } from './contract.ts';
import { cliName } from './text.ts';

interface Selection {
  /** Names or patterns, in which * matches any text. Empty: all clauses. */
  names: readonly string[];
  skip: readonly string[];
  level: ShownLevel | undefined;
}

/** The selected clauses in the contract's order. Throws UsageError for a pattern that matches no clause, and if no clause is selected. */
export function select({ names, skip, level }: Selection): ClauseName[] {
  const all = [...clauseTexts.keys()];
  for (const pattern of [...names, ...skip]) {
    if (!all.some(matching(pattern)))
      throw new UsageError(`No clause matches "${pattern}".${didYouMean(pattern, all)} See them all with: ${cliName} list`);
  }
  const selected = all.filter(
    (name) =>
      (names.length === 0 || names.some((pattern) => matching(pattern)(name))) &&
      !skip.some((pattern) => matching(pattern)(name)) &&
      (level === undefined || levelOf(name) === level),
  );
  if (selected.length === 0) throw new UsageError('The names, --skip and --level together leave no clause to run.');
  return selected;
}

function matching(pattern: string): (name: string) => boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const expression = new RegExp(`^${source}$`);
  return (name) => expression.test(name);
}
