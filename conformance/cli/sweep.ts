import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { describeDamage, leftoversIn } from '../safety/leftovers.ts';
import { unguarded } from '../safety/policy.ts';
import { Connection } from './connection.ts';
import type { CliContext } from './context.ts';
import { exitNotes, removedFlags, targetFlags } from './flags.ts';
import { sweepAndReport } from './leftovers.ts';
import { ledgerFrom, targetFrom } from './target.ts';

export const sweepCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'sweep',
    summary: 'Voids and deletes what earlier runs left on the target',
    flags: targetFlags,
    removedFlags,
    notes: exitNotes([0, 2, 5, 6], { 0: 'nothing is left', 6: 'a defect of the suite' }),
    async run(values) {
      const { io } = context;
      const target = targetFrom(values, context);
      const ledger = ledgerFrom(values, context);
      ledger.ready();
      const connection = new Connection({ io, target, ledger, policy: unguarded });
      try {
        const leftovers = await leftoversIn(ledger, target);
        const damage = describeDamage(ledger.damage());
        for (const sentence of damage) io.stderr.write(`${sentence}\n`);
        const left = await sweepAndReport(connection, leftovers);
        if (leftovers.entries.length === 0) io.stderr.write(`The ledger ${ledger.path} lists no leftovers of ended runs.\n`);
        return left + damage.length > 0 ? 5 : 0;
      } finally {
        await connection.close();
      }
    },
  });
