import { UsageError } from '../../command-line/usage-error.ts';
import { checks } from '../core/clause.ts';
import { calledAnywhere } from '../core/cli-name.ts';
import { usualRuns, usualSeed, usualSteps } from '../core/defaults.ts';
import { exitCode } from '../core/exit.ts';
import { openSession } from '../core/session.ts';
import { isLocal, type Target } from '../core/target.ts';
import { maxSteps } from '../fuzz/steps.ts';
import { realTime } from '../http/rate.ts';
import { knownWire } from '../learn/known.ts';
import { documentOf } from '../report/build-document.ts';
import { shellWord } from '../report/escape.ts';
import { textReport } from '../report/text.ts';
import type { Policy } from '../safety/policy.ts';
import { agreed, interruptible, toldWaiting } from './asking.ts';
import type { Asked, Command } from './command-line.ts';
import { prepared, suite } from './judging.ts';
import { outputOf, rendered, reporting, writeReports, written } from './output.ts';
import { noProgress, progress } from './progress.ts';
import { factsOf, ledgerOf, limitsOf, targetOf, wholeNumber } from './targeting.ts';
import { wholeRun } from './whole-run.ts';

/** Flags that the command for repeating a sequence keeps. */
const repeated = [
  'target',
  'key-env',
  'profile',
  'rate',
  'ledger',
  'facts',
  'mode',
  'max-creates',
  'max-requests',
  'max-face-value',
] as const;

const parts = ['inputs', 'sequences'] as const;

/** Sends odd input to every operation, and random sequences of requests that the oracle checks. */
export const fuzz: Command = {
  takes: [...repeated, 'seed', 'steps', 'runs', 'path', ...reporting, 'quiet', 'yes'],
  async run(asked) {
    const { flags, words } = asked;
    const unknown = words.find((word) => !(parts as readonly string[]).includes(word));
    if (unknown !== undefined) throw new UsageError(`fuzz takes inputs or sequences, not "${unknown}".`);
    const seed = wholeNumber(flags.seed, '--seed') ?? usualSeed;
    const options = sequenceOptions(asked);
    const target = { ...targetOf(asked), wire: knownWire(await factsOf(asked)) };
    const policy = limitsOf(asked, target.url);
    if (policy.mode !== 'full')
      throw new UsageError('fuzz creates and voids hundreds of cards, which needs --mode full. Nothing was sent.');
    const isWanted = (part: (typeof parts)[number]) => words.length === 0 || words.includes(part);
    const hasPath = flags.path !== undefined;
    const codes = [
      isWanted('sequences') ? await fuzzSequences(asked, target, policy, seed, options) : 0,
      isWanted('inputs') && !hasPath ? await fuzzInputs(asked, target, { ...policy, inputs: true }, seed) : 0,
    ];
    return codes.includes(5) ? 5 : Math.max(...codes);
  },
};

/** Runs the clauses of level robustness that send odd input. Unlike in a run, a failing one fails the command. */
function fuzzInputs(asked: Asked, target: Target, policy: Policy, seed: number): Promise<number> {
  const names = checks().flatMap(({ name, inputs }) => (inputs ? [name] : []));
  const again = [...againWords(asked, seed), 'inputs'].join(' ');
  return wholeRun(asked, { names, target, policy, file: ledgerOf(asked), seed, again }, (result) => {
    asked.io.stdout.write(textReport(documentOf([result])));
    return exitCode(result) || (result.clauses.some(({ verdict }) => verdict === 'fail') ? 1 : 0);
  });
}

type SequenceOptions = ReturnType<typeof sequenceOptions>;

function sequenceOptions({ flags }: Asked) {
  return {
    steps: between(flags.steps, '--steps', maxSteps) ?? usualSteps,
    runs: between(flags.runs, '--runs', 1_000_000) ?? usualRuns,
    path: pathOf(flags.path),
    output: outputOf(flags, 'text'),
  };
}

async function fuzzSequences(
  asked: Asked,
  target: Target,
  policy: Policy,
  seed: number,
  { steps, runs, path, output }: SequenceOptions,
): Promise<number> {
  const { flags, io } = asked;
  const file = ledgerOf(asked);
  file.ready();
  const number = path === undefined ? `Up to ${runs} sequences` : 'One sequence';
  const cost = `${number} of up to ${steps} steps; a step creates at most one card of at most 1.00.\n`;
  await agreed(asked, target.url, policy, cost);
  const shown = flags.quiet ? noProgress : progress([], io.stderr, realTime.now);
  const session = openSession(target, toldWaiting(shown.waits), policy);
  const { signal, done } = interruptible(io);
  try {
    const { leftBefore, trouble } = await prepared(asked, file, session);
    if (trouble !== undefined) {
      io.stderr.write(`${trouble}\n`);
      return leftBefore.length > 0 ? 5 : 3;
    }
    const module = await import('../fuzz/fuzz.ts');
    const again = [...againWords(asked, seed), '--steps', String(steps)].join(' ');
    const where = { session, file, signal, stopsAtLeft: !isLocal(target.url), suite, leftBefore };
    const result = await module.fuzzSequences({ ...where, seed, runs, steps, path, again });
    io.stdout.write(rendered([result], output.printed, output.out));
    const isWritten = written(io, () => {
      if (output.out !== undefined) writeReports([result], output.named, output.out);
    });
    const code = exitCode(result);
    return isWritten || code === 5 ? code : 6;
  } finally {
    done();
    await session.client.close();
    file.close();
  }
}

function between(text: string | undefined, flag: string, most: number): number | undefined {
  const number = wholeNumber(text, flag);
  if (number !== undefined && !(number >= 1 && number <= most))
    throw new UsageError(`${flag} must be from 1 to ${most}, got ${number}.`);
  return number;
}

function pathOf(text: string | undefined): string | undefined {
  if (text === undefined || /^\d{1,9}(:\d{1,9})*$/.test(text)) return text;
  throw new UsageError(`--path must be printed by an earlier run, such as 12:0:3, got "${text}".`);
}

/** The words of the command that repeats a run. */
function againWords({ flags }: Asked, seed: number): string[] {
  const given = repeated.flatMap((flag) => (flags[flag] === undefined ? [] : [`--${flag}`, String(flags[flag])]));
  return [calledAnywhere, 'fuzz', ...[...given, '--seed', String(seed)].map(shellWord)];
}
