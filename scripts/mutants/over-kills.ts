import { type Check, checks } from '../../conformance/core/clause.ts';
import { clauseTexts } from '../../conformance/core/contract.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Judge } from './judge.ts';
import type { NamedMutant } from './mutant.ts';

/** Which clauses fail under a mutant of one. Those beside its own are no mistake; many of them say that the mutant breaks more than it means to. */
export interface OverKill {
  readonly mutant: NamedMutant;
  readonly own: boolean;
  readonly others: readonly ClauseName[];
}

/** All tests of statements that do not use up the rate, which would need a mock of its own for each. */
export function together(): Check[] {
  return checks().filter(({ name, burst }) => !burst && clauseTexts.get(name)?.level === 'stated');
}

export async function overKillOf(judge: Judge, mutant: NamedMutant): Promise<OverKill> {
  const failed = (await judge.run(together(), mutant)).flatMap(({ name, verdict }) => (verdict === 'fail' ? [name] : []));
  return { mutant, own: failed.includes(mutant.clause), others: failed.filter((name) => name !== mutant.clause) };
}

/** The table, most first. */
export function overKillsTold(found: readonly OverKill[]): string {
  const sorted = [...found].sort((a, b) => b.others.length - a.others.length);
  const lines = sorted.map(({ mutant, others }) => {
    const shown = others.slice(0, 6).join(', ');
    const rest = others.length > 6 ? `, and ${others.length - 6} more` : '';
    return `${String(others.length).padStart(4)}  ${mutant.name}${others.length > 0 ? `\n        ${shown}${rest}` : ''}`;
  });
  return `Clauses that fail under a mutant of another:\n${lines.join('\n')}\n`;
}
