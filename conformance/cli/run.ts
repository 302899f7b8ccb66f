import { text } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { applyBaseline, buildBaseline, readBaseline, writeBaseline } from '../core/baseline.ts';
import type { ExitCode } from '../core/exit.ts';
import { mayWrite } from '../core/files.ts';
import { withVariant } from '../learn/learn.ts';
import { runOnTarget } from './connection.ts';
import type { CliContext } from './context.ts';
import {
  inputFlags,
  removedFlags,
  reportFlags,
  rerunCommand,
  selectionFlags,
  targetFlags,
  testFlags,
  testNotes,
  webhookFlags,
} from './flags.ts';
import { baselineRemark, unfitForBaseline } from './new-baseline.ts';
import { finish, outputFrom } from './output.ts';
import { selectedClauses, testTargetFrom, variantFrom } from './target.ts';

const baselineFlags = {
  baseline: text('FILE', 'known failures as JSON: { "clause": "reason" }'),
  'write-baseline': text('FILE', 'writes the failures of this run as a baseline; the exit code is that of the run with it'),
};

/** Flags that do not influence verdicts. */
const withoutInfluence = [...Object.keys({ ...selectionFlags, ...reportFlags, ...baselineFlags }), 'quiet'];

export const clausesCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'run [clauses...]',
    summary: 'Runs the clauses of the specification against a target',
    flags: {
      ...targetFlags,
      ...webhookFlags,
      ...testFlags,
      ...selectionFlags,
      ...reportFlags,
      ...baselineFlags,
      ...inputFlags,
    },
    removedFlags,
    notes: testNotes("run --target http://127.0.0.1:8460 'adjustment.*' --out reports"),
    async run(values, words) {
      const names = selectedClauses(values, words);
      const variant = await variantFrom(values.variant);
      const test = testTargetFrom(values, context, variant);
      const baseline = values.baseline === undefined ? new Map() : readBaseline(values.baseline);
      const newFile = values['write-baseline'];
      if (newFile !== undefined) mayWrite(newFile, 'baseline');
      const output = outputFrom(values);
      const { seed, yes } = values;
      const again = rerunCommand('run', values, withoutInfluence);
      return runOnTarget(test, names, { seed, yes, again, baseline }, async (tested, session) => {
        const unfit = newFile === undefined ? undefined : await unfitForBaseline(tested, session);
        const isWritten = newFile !== undefined && unfit === undefined;
        const fitting = isWritten ? buildBaseline(tested, baseline) : baseline;
        const known = applyBaseline(tested, fitting);
        const code = finish(context.io, [variant ? withVariant(known, variant) : known], output, {
          more: () => void (isWritten && writeBaseline(newFile, fitting)),
        });
        if (newFile === undefined || code === 6) return code;
        context.io.stderr.write(baselineRemark(newFile, unfit, tested));
        return unfit === undefined || strongerThanUnfit.includes(code) ? code : 4;
      });
    },
  });

const strongerThanUnfit: readonly ExitCode[] = [5, 130];
