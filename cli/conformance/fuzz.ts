import { checks } from '../../conformance/core/rule.ts';
import { defaultSeed } from '../../conformance/core/run.ts';
import { endingOf, type Result } from '../../conformance/report/result.ts';
import { text, wholeNumber } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { Connection, withConnection } from './connection.ts';
import type { CliContext } from './context.ts';
import { examplesOf, inputFlags, reportFlags, rerunCommand, targetFlags, testFlags, testNotes } from './flags.ts';
import { confirmRemoteRun } from './interaction.ts';
import { finish, outputFrom } from './output.ts';
import { planOfTarget, planText } from './plan.ts';
import { testTargetFrom } from './target.ts';

const [defaultSequences, defaultSteps, maxSteps] = [100, 20, 40];
const needsFullMode = 'fuzz creates and voids hundreds of cards, which needs --mode full. Nothing was created.';

export const fuzzCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'fuzz [parts...]',
    summary: 'Sends malformed input ("inputs") and random sequences of requests ("sequences") to a target',
    flags: {
      ...targetFlags,
      ...testFlags,
      ...reportFlags,
      runs: wholeNumber('N', `number of sequences (default: ${defaultSequences})`, [1, 1_000_000]),
      steps: wholeNumber('N', `steps of the longest sequence (default: ${defaultSteps})`, [1, maxSteps]),
      path: text('PATH', 'repeats one sequence, with the --seed and --steps of its run'),
      ...inputFlags,
    },
    known: ['inputs', 'sequences'],
    notes: `During "sequences", no other client, user or automation may change the account, because the suite would report this.
${testNotes({ 1: 'a rule is violated' })}`,
    examples: examplesOf(
      'fuzz',
      '--target http://127.0.0.1:8460',
      'inputs --target http://127.0.0.1:8460 --reporter junit --out reports',
      'sequences --target http://127.0.0.1:8460 --seed 7 --runs 500',
    ),
    async run(values, words) {
      const { seed = defaultSeed, runs = defaultSequences, steps = defaultSteps, path } = values;
      const hasSequences = path !== undefined || words.length === 0 || words.includes('sequences');
      const hasInputs = (words.length === 0 || words.includes('inputs')) && path === undefined;
      const output = outputFrom(values);
      const again = (part: string) =>
        rerunCommand('fuzz', { ...values, seed }, [...Object.keys(reportFlags), 'path', 'runs', 'quiet'], [part]);
      const inputs = checks().flatMap((check) => (check.inputs ? [check.name] : []));
      // A static import would load fast-check and delay the start of all other commands.
      const { fuzzSequences, sequencesAt } = await import('../../conformance/fuzz/fuzz.ts');
      if (path !== undefined && sequencesAt({ seed, steps, path }).length === 0)
        throw new UsageError(
          `--path "${path}" leads to no sequence. Use the --seed and --steps that were printed with this --path. Nothing was sent.`,
        );
      const basis = await testTargetFrom({ ...values, seed }, context);
      const test = { ...basis, policy: { ...basis.policy, inputs: true } };
      const isFull = test.policy.mode === 'full';
      if (!isFull && test.trust.place === 'remote') throw new UsageError(needsFullMode);
      const sequencesText = `Up to ${runs} sequences of up to ${steps} steps. A step creates at most one card of at most 1.00.\n`;
      const inputsText = planText(planOfTarget(inputs, test), test);
      await confirmRemoteRun(test, (hasSequences ? sequencesText : '') + (hasInputs ? inputsText : ''));
      return withConnection(test, async (connection, signal) => {
        if (!isFull) throw new UsageError(needsFullMode);
        const { session, leftBefore } = connection;
        const results: Result[] = [];
        if (hasSequences) {
          const maxLeft = test.trust.place === 'mock' ? Infinity : (test.policy.leaveCards ?? 0);
          const options = { seed, runs, steps, path, session, leftBefore, signal, maxLeft, file: test.ledger };
          results.push(await fuzzSequences({ ...options, canary: connection.canary(), again: again('sequences') }));
        }
        if (hasInputs && results.every((result) => endingOf(result).code <= 1)) {
          // A new connection gives this part a budget of its own.
          const another = new Connection(test);
          const result = await another
            .run(inputs, signal, { again: again('inputs') })
            .finally(() => another.session.client.close());
          results.push({ ...result, failOn: 'robustness' });
        }
        return finish(context, results, output);
      });
    },
  });
