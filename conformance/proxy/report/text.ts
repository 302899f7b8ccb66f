import { levels } from '../../core/contract.ts';
import type { RunResult } from '../../core/result.ts';
import type { Watched } from '../watched.ts';
import { called, factsTold, grouped, groupText, headlineOf, meant, notSeen } from './told.ts';

/** The whole as people read it in a terminal: findings worst first, those of a clause together, what held, and the sum in the last line. */
export function watchedText(result: RunResult, watched: Watched): string {
  const found = grouped(result).map(
    ({ kind, groups }) => `${called[kind]}  ${meant[kind]}\n${groups.map((group) => groupText(group, watched)).join('')}`,
  );
  const level = new Map(result.clauses.map((clause) => [clause.name, clause.level]));
  const held = levels.flatMap((each) => {
    const those = watched.held.filter(({ clause }) => level.get(clause) === each);
    return those.length === 0
      ? []
      : [`HELD  ${each}\n${those.map(({ clause, times }) => `  ${clause.padEnd(60)} ${times}×\n`).join('')}`];
  });
  const facts = factsTold(watched);
  const told = facts ? [`FACTS  ${facts.sentence}\n${facts.rows.map((row) => `    ${row}\n`).join('')}`] : [];
  return `${[...found, ...held, ...told, `NOT SEEN  ${notSeen}\n`, headlineOf(result, watched)].join('\n')}\n`;
}
