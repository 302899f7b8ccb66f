import { applyBaseline, buildBaseline, leaveCardsOf, readBaseline, writeBaseline } from '../../conformance/core/baseline.ts';
import type { ExitCode } from '../../conformance/core/exit.ts';
import { count, type RunResult } from '../../conformance/core/result.ts';
import { withVariant } from '../../conformance/learn/learn.ts';
import { choice, text } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { mayWrite } from '../user-files.ts';
import { runOnTarget } from './connection.ts';
import type { CliContext } from './context.ts';
import {
  examplesOf,
  inputFlags,
  reportFlags,
  rerunCommand,
  selectionFlags,
  targetFlags,
  testFlags,
  testNotes,
  webhookFlags,
} from './flags.ts';
import { codeAfter, finish, outputFrom } from './output.ts';
import { selectedRules, testTargetFrom } from './target.ts';

const verdictFlags = {
  baseline: text('FILE', 'known failures as JSON: { "rule": "reason" }'),
  'write-baseline': text('FILE', 'writes the failures of this run as a baseline, and accepts them'),
  'fail-on': choice(['stated', 'robustness'], 'robustness: such failures also fail the run (default: stated)', 'LEVEL'),
};

const notWritable = { code: 6, because: 'no baseline was written, because the file could not be written' } as const;
const notEnough = { code: 4, because: 'no baseline was written, because the run was interrupted or no rule passed' } as const;

/** Flags that do not change verdicts. The command that repeats a rule omits these flags. */
const withoutInfluence = [...Object.keys({ ...selectionFlags, ...reportFlags, ...verdictFlags }), 'quiet'];

export const rulesCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'run [rules...]',
    summary: 'Runs the rules of the specification against a target',
    flags: {
      ...targetFlags,
      ...webhookFlags,
      ...testFlags,
      ...selectionFlags,
      ...reportFlags,
      ...verdictFlags,
      ...inputFlags,
    },
    notes: testNotes(),
    examples: examplesOf(
      'run',
      "--target http://127.0.0.1:8460 'adjustment.*'",
      '--target https://api.example.com --mode safe --out reports',
      '--target http://127.0.0.1:8460 --baseline known.json',
    ),
    async run(values, words) {
      const { stderr } = context.io;
      const names = selectedRules(values, words);
      const before = values.baseline === undefined ? new Map() : readBaseline(values.baseline);
      const newFile = values['write-baseline'];
      if (newFile !== undefined) mayWrite(newFile, 'baseline');
      const output = outputFrom(values);
      const { 'leave-cards': leaveCards = leaveCardsOf(before) } = values;
      const { variant, ...basis } = await testTargetFrom(values, context);
      const test = { ...basis, policy: { ...basis.policy, leaveCards } };
      const failOn = values['fail-on'] === 'robustness' ? { failOn: 'robustness' as const } : {};
      const again = rerunCommand('run', { ...values, 'leave-cards': leaveCards }, withoutInfluence);
      const report = (tested: RunResult): ExitCode => {
        // A baseline must not excuse the failures of an incomplete run or a broken target.
        const hasNew = newFile !== undefined && !tested.interrupted && count(tested, 'pass') > 0;
        const baseline = hasNew ? buildBaseline(tested, before) : before;
        // The reports contain the exit code, so the baseline is written first.
        const isWritten = hasNew && codeAfter(stderr, 0, () => writeBaseline(newFile, baseline)) === 0;
        const noBaseline = newFile === undefined || isWritten ? undefined : hasNew ? notWritable : notEnough;
        const known = { ...applyBaseline(tested, baseline), ...failOn, noBaseline };
        return finish(context, [variant ? withVariant(known, variant) : known], output);
      };
      return runOnTarget(test, names, report, { again, baseline: before });
    },
  });
