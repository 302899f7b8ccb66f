import type { Variant } from '../../openapi/variant/variant.ts';
import type { RunResult } from '../core/result.ts';

/** Marks each observation as new, the same as in the variant, or changed. It fails no clause. */
export function withVariant(result: RunResult, { behaviors }: Pick<Variant, 'behaviors'>): RunResult {
  const known = new Map<string, string>(Object.entries(behaviors));
  const clauses = result.clauses.map((clause) => {
    const { observation } = clause;
    if (!observation) return clause;
    const was = known.get(clause.name);
    if (was === undefined) return { ...clause, observation: { ...observation, since: 'new' as const } };
    if (was === observation.option) return { ...clause, observation: { ...observation, since: 'same' as const } };
    return { ...clause, observation: { ...observation, since: 'changed' as const, was } };
  });
  return { ...result, clauses };
}
