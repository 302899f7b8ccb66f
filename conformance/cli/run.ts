import { text } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { type Baseline, baselineOf, readBaseline, withBaseline, writeBaseline } from '../core/baseline.ts';
import { type ExitCode, exitCode } from '../core/exit.ts';
import { mayWrite } from '../core/files.ts';
import { withVariant } from '../learn/compare-observations.ts';
import type { CliContext } from './context.ts';
import {
  exitNotes,
  policyFlags,
  quietFlag,
  removedFlags,
  reportFlags,
  seedFlag,
  selectionFlags,
  targetFlags,
  variantFlag,
  webhookFlags,
} from './flags.ts';
import { baselineRemark, unfitForBaseline } from './new-baseline.ts';
import { outputFrom, outputResults } from './output.ts';
import { rerunCommand } from './rerun.ts';
import { runOnTarget } from './run-clauses.ts';
import { ledgerFrom, policyFrom, selectedClauses, targetFrom, variantFrom } from './target.ts';

const baselineFlags = {
  baseline: text('FILE', 'known failures as JSON: { "clause": "reason" }'),
  'write-baseline': text('FILE', 'writes the baseline that fits this run; the exit code is that of the run with it'),
};

/** Flags that do not influence verdicts. */
const withoutInfluence = [...Object.keys(selectionFlags), ...Object.keys(reportFlags), ...Object.keys(baselineFlags), 'quiet'];

export const clausesCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'run [clauses...]',
    summary: 'Runs the clauses of the specification against a target',
    flags: {
      ...targetFlags,
      ...webhookFlags,
      ...policyFlags,
      ...selectionFlags,
      ...reportFlags,
      ...baselineFlags,
      variant: variantFlag,
      seed: seedFlag,
      quiet: quietFlag,
    },
    removedFlags,
    notes: `${exitNotes(0, 1, 2, 3, 4, 5, 6, 130)}\nExample: giftcard-sandbox conformance run --target http://127.0.0.1:8460 'adjustment.*' --out found`,
    async run(values, words) {
      const names = selectedClauses(values, words);
      const variant = await variantFrom(values.variant);
      const target = targetFrom(values, context, variant);
      const policy = policyFrom(values, target.url);
      const baseline: Baseline = values.baseline === undefined ? new Map() : readBaseline(values.baseline);
      const newBaseline = values['write-baseline'];
      if (newBaseline !== undefined) mayWrite(newBaseline, 'baseline');
      const output = outputFrom(values);
      const ledger = ledgerFrom(values, context);
      const again = rerunCommand('run', values, withoutInfluence);
      const run = { names, target, policy, ledger, values, seed: values.seed, again, baseline };
      return runOnTarget(context, run, async (found, session) => {
        const unfit = newBaseline === undefined ? undefined : await unfitForBaseline(found, session);
        const isFit = newBaseline !== undefined && unfit === undefined;
        const fitting = isFit ? baselineOf(found, baseline) : baseline;
        const fitted = withBaseline(found, fitting);
        const result = variant ? withVariant(fitted, variant) : fitted;
        const isWritten = outputResults(context.io, [result], output, () => {
          if (newBaseline !== undefined && isFit) writeBaseline(newBaseline, fitting);
        });
        const code = exitCode(result);
        if (!isWritten) return code === 5 ? code : 6;
        if (newBaseline !== undefined) context.io.stderr.write(baselineRemark(newBaseline, unfit, found));
        return unfit === undefined || strongerThanUnfit.includes(code) ? code : 4;
      });
    },
  });

const strongerThanUnfit: readonly ExitCode[] = [5, 6, 130];
