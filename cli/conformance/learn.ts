import { endingOfRun } from '../../conformance/core/run-ending.ts';
import { checkOutput, learnedQuestions, learnVariant, writeVariant } from '../../conformance/learn/learn.ts';
import { buildDocument } from '../../conformance/report/build-document.ts';
import { textReport } from '../../conformance/report/text.ts';
import { text } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { runOnTarget } from './connection.ts';
import type { CliContext } from './context.ts';
import { examplesOf, selectionFlags, targetFlags, testFlags, testNotes, webhookFlags } from './flags.ts';
import { codeAfter } from './output.ts';
import { selectedRules, testTargetFrom } from './target.ts';

export const learnCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'learn [rules...]',
    summary: 'Observes the behaviors of a target, and writes a variant file for the mock',
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
      0: 'at least one behavior was observed, and nothing is violated',
      1: 'a rule is violated',
      4: 'no behavior was observed',
    }),
    async run(values, words) {
      const { stdout } = context.io;
      const names = learnedQuestions(selectedRules(values, words));
      if (names.length === 0)
        throw new UsageError('No question is selected. To see the questions, use list --level open or list --level ambiguous.');
      const { out = 'variant.yaml' } = values;
      checkOutput(out);
      const test = await testTargetFrom(values, context);
      return runOnTarget(test, names, (result) => {
        const hasObservation = result.rules.some(({ observation }) => observation);
        // Code 4 means that some questions could not be tested. One observed behavior is enough for a variant file.
        const { code: ending } = endingOfRun(result);
        const code = hasObservation && ending === 4 ? 0 : ending;
        stdout.write(textReport(buildDocument([result], code), { verbose: true }));
        if (!hasObservation) return code;
        const { variant, conflicts } = learnVariant(result);
        return codeAfter(context.io.stderr, code, () => {
          writeVariant(out, variant, result, conflicts);
          const counts = `${Object.keys(variant.behaviors).length} behaviors and ${variant.overrides.length} overrides`;
          stdout.write(`Wrote ${counts} to ${out}. Try: giftcard-sandbox mock --variant ${out}\n`);
        });
      });
    },
  });
