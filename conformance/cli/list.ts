import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { type Check, checks } from '../core/clause.ts';
import { levelOf } from '../core/contract.ts';
import { formatCount } from '../core/text.ts';
import { whyUntestable } from '../core/untestable.ts';
import { costOf, costOfShared, sum } from '../safety/cost.ts';
import type { CliContext } from './context.ts';
import { exitNotes, removedFlags, selectionFlags } from './flags.ts';
import { selectedClauses } from './target.ts';

export const listCommand = ({ io }: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'list [clauses...]',
    summary: 'Lists the clauses with their level, cost and needs; sends nothing',
    flags: selectionFlags,
    removedFlags,
    notes: exitNotes([0, 2], { 0: 'the clauses are listed', 2: 'the command cannot be used' }),
    run(values, words) {
      const tests = new Map(checks().map((check) => [check.name, check]));
      for (const name of selectedClauses(values, words)) io.stdout.write(clauseLine(name, tests.get(name)));
      return 0;
    },
  });

function clauseLine(name: ClauseName, test: Check | undefined): string {
  const head = `${levelOf(name).padEnd(12)}${name.padEnd(62)}`;
  if (!test) return `${head}untestable: ${whyUntestable(name).detail}\n`;
  const needs = [test.needs.join(', '), (test.needsOneOf ?? []).join(' or ')].filter(Boolean);
  return `${head}${costText(name).padEnd(33)} ${needs.length === 0 ? 'tested' : `needs ${needs.join(', ')}`}\n`;
}

/** The cost of the clause alone, with everything that it shares with others. */
function costText(name: ClauseName): string {
  const cost = costOf(name);
  if (!cost) return 'cost unknown';
  const { requests, cleaning, creates, faceValue } = sum([cost, ...(cost.shared ?? []).map(costOfShared)]);
  const cards = creates === 0 ? '' : `, ${formatCount(creates, 'card')} of ${faceValue.toFixed(2)}`;
  return `${formatCount(requests + cleaning, 'request')}${cards}`;
}
