import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { checks } from '../core/clause.ts';
import { levelOf } from '../core/contract.ts';
import { counted } from '../core/counted.ts';
import { whyUntestable } from '../core/untestable.ts';
import { costOf, costOfShared, sum } from '../safety/cost.ts';
import { type Asked, type Command, say, selected, selecting } from './command-line.ts';

/** The clauses with their level, what they need and what each costs alone, one a line. */
export const list: Command = { takes: selecting, run: listing };

export function listing(asked: Asked): number {
  const written = new Map(checks().map((check) => [check.name, check]));
  const lines = selected(asked).map((name) => {
    const check = written.get(name);
    const state = check
      ? check.needs.length > 0
        ? `needs ${check.needs.join(', ')}`
        : (check.needsOneOf ?? []).length > 0
          ? `needs ${check.needsOneOf?.join(' or ')}`
          : 'tested'
      : `not from outside: ${whyUntestable(name).detail}`;
    return `${levelOf(name).padEnd(12)}${name.padEnd(62)}${check ? costTold(name).padEnd(34) : ''}${state}`;
  });
  return say(asked.io, `${lines.join('\n')}\n`);
}

/** With all that it shares with others: what the clause costs when nothing else is judged. */
function costTold(name: ClauseName): string {
  const cost = costOf(name);
  if (!cost) return 'cost unknown';
  const { requests, cleaning, creates, faceValue } = sum([cost, ...(cost.shared ?? []).map(costOfShared)]);
  const cards = creates === 0 ? '' : `, ${counted(creates, 'card')} of ${faceValue.toFixed(2)}`;
  return `${counted(requests + cleaning, 'request')}${cards}`;
}
