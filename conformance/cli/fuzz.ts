import { UsageError } from '../../command-line/usage-error.ts';
import { checks } from '../core/clause.ts';
import { calledAnywhere } from '../core/cli-name.ts';
import { usualRuns, usualSeed, usualSteps } from '../core/defaults.ts';
import { exitCode } from '../core/exit.ts';
import { preflight } from '../core/preflight.ts';
import { openSession, type Session } from '../core/session.ts';
import { isLocal, type Target } from '../core/target.ts';
import { TransportError, Untested } from '../core/verdict.ts';
import type { FuzzResult } from '../fuzz/fuzz.ts';
import { maxSteps } from '../fuzz/steps.ts';
import { realTime } from '../http/rate.ts';
import { knownWire } from '../learn/known.ts';
import { documentOf } from '../report/build-document.ts';
import { shellWord } from '../report/escape.ts';
import { textReport } from '../report/text.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { describeDamage, leftoversIn } from '../safety/leftovers.ts';
import type { Policy } from '../safety/policy.ts';
import { agreed, interruptible, toldWaiting } from './asking.ts';
import type { Asked, Command } from './command-line.ts';
import { noProgress, progress } from './progress.ts';
import { swept } from './sweep.ts';
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
  takes: [...repeated, 'seed', 'steps', 'runs', 'path', 'reporter', 'quiet', 'yes'],
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
    reporter: reporterOf(flags.reporter),
  };
}

async function fuzzSequences(
  asked: Asked,
  target: Target,
  policy: Policy,
  seed: number,
  { steps, runs, path, reporter }: SequenceOptions,
): Promise<number> {
  const { flags, io } = asked;
  const file = ledgerOf(asked);
  file.ready();
  const number = path === undefined ? `Up to ${runs} sequences` : 'One sequence';
  await agreed(
    asked,
    target.url,
    policy,
    `${number} of up to ${steps} steps; a step creates at most one card of at most 1.00.\n`,
  );
  const shown = flags.quiet ? noProgress : progress([], io.stderr, realTime.now);
  const session = openSession(target, toldWaiting(shown.waits), policy);
  const { signal, done } = interruptible(io);
  try {
    const leftBefore = await sweptBefore(asked, file, session);
    const trouble = await preflight(session);
    if (trouble !== undefined) {
      io.stderr.write(`${trouble}\n`);
      return leftBefore > 0 ? 5 : 3;
    }
    const module = await import('../fuzz/fuzz.ts');
    const { fuzzJson, fuzzText } = await import('../fuzz/report.ts');
    const stopsAtLeft = !isLocal(target.url);
    const result = await module.fuzzSequences({ session, file, signal, seed, runs, steps, path, stopsAtLeft });
    if (result.trouble !== undefined) io.stderr.write(`${session.names.mask(troubleText(result.trouble))}\n`);
    if (result.cleanupFault !== undefined)
      io.stderr.write(`LEFT BEHIND  Cleanup failed (${result.cleanupFault}). Run sweep to check what is left.\n`);
    const again = [...againWords(asked, seed), '--steps', String(steps)].join(' ');
    io.stdout.write((reporter === 'json' ? fuzzJson : fuzzText)(result, { target: target.url, seed, steps, again }));
    return sequencesExitCode(result, leftBefore);
  } finally {
    done();
    await session.client.close();
    file.close();
  }
}

/** Voids what earlier runs left. Returns how much is still left. */
async function sweptBefore(asked: Asked, file: LedgerFolder, session: Session): Promise<number> {
  const damage = describeDamage(file.damage());
  for (const sentence of damage) asked.io.stderr.write(`${sentence}\n`);
  return damage.length + (await swept(asked, file, await leftoversIn(file, session.target), session));
}

function sequencesExitCode({ failing, trouble, cleanupFault, left, sequences, interrupted }: FuzzResult, before: number): number {
  if (left.length + before > 0) return 5;
  if (cleanupFault !== undefined) return 6;
  if (failing) return 1;
  if (interrupted) return 130;
  if (trouble === undefined) return sequences > 0 ? 0 : 4;
  if (trouble instanceof TransportError) return 3;
  return trouble instanceof Untested ? 4 : 6;
}

function troubleText(trouble: unknown): string {
  if (trouble instanceof TransportError || trouble instanceof Untested) return trouble.message;
  return `The suite itself broke: ${trouble instanceof Error ? trouble.stack : String(trouble)}`;
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

function reporterOf(names: readonly string[] = []): 'text' | 'json' {
  const [name = 'text', ...more] = names;
  if ((name === 'text' || name === 'json') && more.length === 0) return name;
  throw new UsageError(`fuzz has the reporters text and json. Name one of them, not "${names.join(', ')}".`);
}

/** The words of the command that repeats a run. */
function againWords({ flags }: Asked, seed: number): string[] {
  const given = repeated.flatMap((flag) => (flags[flag] === undefined ? [] : [`--${flag}`, String(flags[flag])]));
  return [calledAnywhere, 'fuzz', ...[...given, '--seed', String(seed)].map(shellWord)];
}
