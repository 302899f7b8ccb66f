import { checks } from '../clause.ts';
import { type Asked, type Command, say, selected, selecting } from '../command-line.ts';
import { clauseTexts, shownLevel } from '../contract.ts';

/** The clauses with their level and what they need, one a line. */
export const list: Command = { takes: selecting, run: listing };

export function listing(asked: Asked): number {
  const written = new Map(checks().map((check) => [check.name, check]));
  const lines = selected(asked).map((name) => {
    const clause = clauseTexts.get(name);
    const check = written.get(name);
    const state = check
      ? check.needs.length > 0
        ? `needs ${check.needs.join(', ')}`
        : 'tested'
      : `no test; seen: ${clause?.seen}`;
    return `${(clause ? shownLevel(clause) : '').padEnd(12)}${name.padEnd(62)}${state}`;
  });
  return say(asked.io, `${lines.join('\n')}\n`);
}
