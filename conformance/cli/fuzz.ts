import { type Flag, wholeNumber } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { checks } from '../core/clause.ts';
import { exitCode } from '../core/exit.ts';
import type { FuzzResult, Result } from '../core/result.ts';
import { openSession } from '../core/session.ts';
import { defaultSeed, defaultSequences, defaultSteps } from '../core/settings.ts';
import { isLocal, type Target } from '../core/target.ts';
import type { FuzzOptions } from '../fuzz/fuzz.ts';
import { maxSteps } from '../fuzz/steps.ts';
import type { Policy } from '../safety/policy.ts';
import type { CliContext } from './context.ts';
import { exitNotes, policyFlags, quietFlag, removedFlags, reportFlags, seedFlag, targetFlags, variantFlag } from './flags.ts';
import { confirmRemoteRun, interruptible } from './interaction.ts';
import { outputFrom, outputResults } from './output.ts';
import { noProgress, progress, waitingOn } from './progress.ts';
import { rerunCommand } from './rerun.ts';
import { prepareTarget, runOnTarget, suite } from './run-clauses.ts';
import { ledgerFrom, policyFrom, targetFrom, variantFrom } from './target.ts';

const path: Flag<string> = {
  placeholder: 'PATH',
  help: 'sends only the sequence that an earlier run with the same --seed and --steps printed',
  read: (value, name) => {
    if (/^\d{1,9}(:\d{1,9})*$/.test(value)) return value;
    throw new UsageError(`${name} must be a path that fuzz printed, such as 12:0:3, got "${value}".`);
  },
};

const sequenceFlags = {
  runs: wholeNumber('N', `number of sequences (default: ${defaultSequences})`, [1, 1_000_000]),
  steps: wholeNumber('N', `steps of the longest sequence (default: ${defaultSteps})`, [1, maxSteps]),
  path,
};

const parts = ['inputs', 'sequences'] as const;

export const fuzzCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'fuzz [parts...]',
    summary: 'Sends malformed input ("inputs") and random sequences of requests ("sequences") to a target',
    flags: {
      ...targetFlags,
      ...policyFlags,
      ...reportFlags,
      ...sequenceFlags,
      variant: variantFlag,
      seed: seedFlag,
      quiet: quietFlag,
    },
    removedFlags,
    notes: `${exitNotes(0, 1, 2, 3, 4, 5, 6, 130)}\nExample: giftcard-sandbox conformance fuzz sequences --target http://127.0.0.1:8460 --seed 7`,
    async run(values, words) {
      const unknown = words.find((word) => !(parts as readonly string[]).includes(word));
      if (unknown !== undefined) throw new UsageError(`fuzz takes ${parts.join(' or ')}, got "${unknown}".`);
      const isSelected = (part: (typeof parts)[number]) => words.length === 0 || words.includes(part);
      const target = targetFrom(values, context, await variantFrom(values.variant));
      const policy = policyFrom(values, target.url);
      if (policy.mode !== 'full')
        throw new UsageError('fuzz creates and voids hundreds of cards, which needs --mode full. Nothing was sent.');
      const output = outputFrom(values);
      const seed = values.seed ?? defaultSeed;
      const again = (part: string) =>
        rerunCommand('fuzz', { ...values, seed }, [...Object.keys(reportFlags), 'path', 'runs', 'quiet'], [part]);
      const results: Result[] = [];
      const codes: number[] = [];
      if (isSelected('sequences')) {
        const options = { seed, runs: values.runs ?? defaultSequences, steps: values.steps ?? defaultSteps, path: values.path };
        const result = await fuzzSequences(context, values, target, policy, { ...options, again: again('sequences') });
        if (typeof result === 'number') return result;
        results.push(result);
        codes.push(exitCode(result));
      }
      if (isSelected('inputs') && values.path === undefined) {
        const names = checks().flatMap(({ name, inputs }) => (inputs ? [name] : []));
        const ledger = ledgerFrom(values, context);
        const run = { names, target, policy: { ...policy, inputs: true }, ledger, values, seed, again: again('inputs') };
        const code = await runOnTarget(context, run, (result) => {
          results.push(result);
          // Unlike in a run, a failed robustness expectation fails the command.
          return exitCode(result) || (result.clauses.some(({ verdict }) => verdict === 'fail') ? 1 : 0);
        });
        codes.push(code);
      }
      const isWritten = results.length === 0 || outputResults(context.io, results, output);
      const code = codes.includes(5) ? 5 : Math.max(...codes);
      return isWritten || code === 5 ? code : 6;
    },
  });

type SequenceRun = Pick<FuzzOptions, 'seed' | 'runs' | 'steps' | 'path' | 'again'>;

interface Values {
  readonly target: string | undefined;
  readonly ledger: string | undefined;
  readonly quiet: boolean | undefined;
  readonly yes: boolean | undefined;
}

/** Returns the exit code instead if the target cannot be tested. */
async function fuzzSequences(
  context: CliContext,
  values: Values,
  target: Target,
  policy: Policy,
  options: SequenceRun,
): Promise<FuzzResult | number> {
  const { io } = context;
  const ledger = ledgerFrom(values, context);
  ledger.ready();
  const number = options.path === undefined ? `Up to ${options.runs} sequences` : 'One sequence';
  const plan = `${number} of up to ${options.steps} steps; a step creates at most one card of at most 1.00.\n`;
  await confirmRemoteRun({ io, yes: values.yes }, target.url, policy, plan);
  const session = openSession(target, waitingOn(values.quiet ? noProgress : progress([], io.stderr)), policy);
  const { signal, done } = interruptible(io);
  try {
    const { leftBefore, trouble } = await prepareTarget({ io, folder: values.ledger }, ledger, session);
    if (trouble !== undefined) {
      io.stderr.write(`${trouble}\n`);
      return leftBefore.length > 0 ? 5 : 3;
    }
    // fast-check is loaded only here, since it delays the start of other commands.
    const module = await import('../fuzz/fuzz.ts');
    const stopsAtLeft = !isLocal(target.url);
    return await module.fuzzSequences({ ...options, session, file: ledger, signal, stopsAtLeft, suite, leftBefore });
  } finally {
    done();
    await session.client.close();
    ledger.close();
  }
}
