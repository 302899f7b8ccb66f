import { text } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { exitCode } from '../core/exit.ts';
import { checkOutput, learnVariant, questions, writeVariant } from '../learn/learn.ts';
import { documentOf } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';
import type { CliContext } from './context.ts';
import { exitNotes, policyFlags, quietFlag, removedFlags, selectionFlags, targetFlags, webhookFlags } from './flags.ts';
import { runOnTarget } from './run-clauses.ts';
import { ledgerFrom, policyFrom, selectedClauses, targetFrom } from './target.ts';

export const learnCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'learn [clauses...]',
    summary: 'Observes how a target answers open questions, and writes a variant file for the mock',
    flags: {
      ...targetFlags,
      ...webhookFlags,
      ...policyFlags,
      ...selectionFlags,
      out: text('FILE', 'the variant file (default: variant.yaml)'),
      quiet: quietFlag,
    },
    removedFlags,
    notes: exitNotes(0, 1, 2, 3, 4, 5, 6, 130),
    async run(values, words) {
      const names = questions(selectedClauses(values, words));
      if (names.length === 0) throw new UsageError('None of the selected clauses is open or ambiguous. See list --level open.');
      const target = targetFrom(values, context);
      const policy = policyFrom(values, target.url);
      const out = values.out ?? 'variant.yaml';
      checkOutput(out);
      const ledger = ledgerFrom(values, context);
      return runOnTarget(context, { names, target, policy, ledger, values }, async (result) => {
        context.io.stdout.write(textReport(documentOf([result])));
        if (!result.clauses.some(({ observation }) => observation)) return exitCode(result);
        const { variant, conflicts } = learnVariant(result);
        writeVariant(out, variant, result, conflicts);
        const [behaviors, overrides] = [Object.keys(variant.behaviors).length, variant.overrides.length];
        context.io.stdout.write(
          `Wrote ${behaviors} behaviors and ${overrides} overrides to ${out}. Try: giftcard-sandbox mock --variant ${out}\n`,
        );
        const code = exitCode(result);
        // Some questions may stay without an answer; one answer is a success.
        return code === 4 ? 0 : code;
      });
    },
  });
