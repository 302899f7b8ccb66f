import { text } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { exitCode } from '../core/exit.ts';
import { checkOutput, learnVariant, questions, writeVariant } from '../learn/learn.ts';
import { documentOf } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';
import { runOnTarget } from './connection.ts';
import type { CliContext } from './context.ts';
import { examplesOf, selectionFlags, targetFlags, testFlags, testNotes, webhookFlags } from './flags.ts';
import { codeAfter } from './output.ts';
import { selectedClauses, testTargetFrom } from './target.ts';

export const learnCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'learn [clauses...]',
    summary: 'Observes how a target answers open questions, and writes a variant file for the mock',
    flags: {
      ...targetFlags,
      ...webhookFlags,
      ...testFlags,
      ...selectionFlags,
      out: text('FILE', 'the variant file (default: variant.yaml)'),
    },
    examples: examplesOf(
      'learn',
      '--target http://127.0.0.1:8460',
      '--target https://api.example.com --mode read-only --out variant.yaml',
      "--target https://api.example.com --mode safe 'names.*'",
    ),
    notes: testNotes({
      0: 'at least one question is answered, and nothing is violated',
      1: 'a clause is violated',
      4: 'no question is answered',
    }),
    async run(values, words) {
      const { stdout } = context.io;
      const names = questions(selectedClauses(values, words));
      if (names.length === 0)
        throw new UsageError('No selected clause is open or ambiguous. See such clauses with list --level open.');
      const { out = 'variant.yaml' } = values;
      checkOutput(out);
      const test = await testTargetFrom(values, context);
      return runOnTarget(test, names, (result) => {
        const isAnswered = result.clauses.some(({ observation }) => observation);
        // Code 4 means that some clauses could not be tested. One answer is enough for a variant file.
        const code = isAnswered && exitCode(result) === 4 ? 0 : exitCode(result);
        stdout.write(textReport(documentOf([result], code), { verbose: true }));
        if (!isAnswered) return code;
        const { variant, conflicts } = learnVariant(result);
        return codeAfter(context.io.stderr, code, () => {
          writeVariant(out, variant, result, conflicts);
          const counts = `${Object.keys(variant.behaviors).length} behaviors and ${variant.overrides.length} overrides`;
          stdout.write(`Wrote ${counts} to ${out}. Try: giftcard-sandbox mock --variant ${out}\n`);
        });
      });
    },
  });
