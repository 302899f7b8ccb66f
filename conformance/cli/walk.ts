import { UsageError } from '../../command-line/usage-error.ts';
import { calledAnywhere } from '../core/cli-name.ts';
import { usualRuns, usualSeed, usualSteps } from '../core/defaults.ts';
import { preflight } from '../core/preflight.ts';
import { openSession, type Session } from '../core/session.ts';
import { isLocal } from '../core/target.ts';
import { TransportError, Untested } from '../core/verdict.ts';
import { mostSteps } from '../fuzz/stateful/steps.ts';
import type { Walked } from '../fuzz/stateful/walk.ts';
import { realTime } from '../http/rate.ts';
import { knownWire } from '../learn/known.ts';
import { shellWord } from '../report/escape.ts';
import { cleanupTold } from '../report/text.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { describeDamage, leftoversIn } from '../safety/leftovers.ts';
import { agreed, interruptible, toldWaiting } from './asking.ts';
import { type Asked, type Command, noWords } from './command-line.ts';
import { noProgress, progress } from './progress.ts';
import { swept } from './sweep.ts';
import { factsOf, ledgerOf, limitsOf, targetOf, wholeNumber } from './targeting.ts';

/** Flags that bear on the stories that are told; with the path, they tell one of them again. */
const again = [
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

/** Tells stories made from a seed, and holds every answer against a model of what is stated. */
export const walk: Command = {
  takes: [...again, 'seed', 'steps', 'runs', 'path', 'reporter', 'quiet', 'yes'],
  async run(asked) {
    noWords(asked, 'walk');
    const { flags, io } = asked;
    const seed = wholeNumber(flags.seed, '--seed') ?? usualSeed;
    const steps = between(flags.steps, '--steps', mostSteps) ?? usualSteps;
    const runs = between(flags.runs, '--runs', 1_000_000) ?? usualRuns;
    const path = pathOf(flags.path);
    const reporter = reporterOf(flags.reporter);
    const target = { ...targetOf(asked), wire: knownWire(await factsOf(asked)) };
    const policy = limitsOf(asked, target.url);
    if (policy.mode !== 'full')
      throw new UsageError(
        'A walk creates hundreds of cards and voids them again, which only --mode full does. Nothing was sent.',
      );
    const file = ledgerOf(asked);
    file.ready();
    const number = path === undefined ? `up to ${runs} stories` : 'one story';
    await agreed(
      asked,
      target.url,
      policy,
      `A walk of ${number} of up to ${steps} steps; a step creates at most one card of at most 1.00.\n`,
    );
    const session = openSession(
      target,
      toldWaiting((flags.quiet ? noProgress : progress([], io.stderr, realTime.now)).waits),
      policy,
    );
    const { signal, done } = interruptible(io);
    try {
      const left = await leftBefore(asked, file, session);
      const trouble = await preflight(session);
      if (trouble !== undefined) {
        io.stderr.write(`${trouble}\n`);
        return left > 0 ? 5 : 3;
      }
      const module = await import('../fuzz/stateful/walk.ts');
      const { asJson, asText } = await import('../fuzz/stateful/found.ts');
      const walked = await module.walk({ session, file, signal, seed, runs, steps, path, stopsAtLeft: !isLocal(target.url) });
      if (walked.trouble !== undefined) io.stderr.write(`${session.names.mask(troubleTold(walked.trouble))}\n`);
      for (const sentence of cleanupTold(walked.cleanupFault)) io.stderr.write(`LEFT BEHIND  ${sentence}\n`);
      const about = { target: target.url, seed, steps, again: againOf(asked, seed, steps) };
      io.stdout.write((reporter === 'json' ? asJson : asText)(walked, about));
      return exitCode(walked, left, signal.aborted);
    } finally {
      done();
      await session.client.close();
      file.close();
    }
  },
};

/** How much earlier runs may have left, once it was swept. */
async function leftBefore(asked: Asked, file: LedgerFolder, session: Session): Promise<number> {
  const damage = describeDamage(file.damage());
  for (const sentence of damage) asked.io.stderr.write(`${sentence}\n`);
  return damage.length + (await swept(asked, file, await leftoversIn(file, session.target), session));
}

function exitCode({ found, trouble, cleanupFault, left, stories }: Walked, before: number, aborted: boolean): number {
  if (left.length + before > 0) return 5;
  if (cleanupFault !== undefined) return 6;
  if (found) return 1;
  if (aborted) return 130;
  if (trouble === undefined) return stories > 0 ? 0 : 4;
  if (trouble instanceof TransportError) return 3;
  return trouble instanceof Untested ? 4 : 6;
}

function troubleTold(trouble: unknown): string {
  if (trouble instanceof TransportError || trouble instanceof Untested) return trouble.message;
  return `The suite itself broke: ${trouble instanceof Error ? trouble.stack : String(trouble)}`;
}

function between(text: string | undefined, flag: string, most: number): number | undefined {
  const number = wholeNumber(text, flag);
  if (number !== undefined && !(number >= 1 && number <= most))
    throw new UsageError(`${flag} goes from 1 to ${most}, not ${number}.`);
  return number;
}

function pathOf(text: string | undefined): string | undefined {
  if (text === undefined || /^\d{1,9}(:\d{1,9})*$/.test(text)) return text;
  throw new UsageError(
    `--path "${text}" is none that a walk has printed. Give one such as 12:0:3, with the --seed and the --steps of that walk.`,
  );
}

function reporterOf(names: readonly string[] = []): 'text' | 'json' {
  const [name = 'text', ...more] = names;
  if ((name === 'text' || name === 'json') && more.length === 0) return name;
  throw new UsageError('A walk has the reporters text and json. Name one of them.');
}

/** The command that tells the story once more, but for its path. */
function againOf({ flags }: Asked, seed: number, steps: number): string {
  const given = again.flatMap((flag) => (flags[flag] === undefined ? [] : [`--${flag}`, String(flags[flag])]));
  const words = [...given, '--seed', String(seed), '--steps', String(steps)];
  return [`${calledAnywhere} walk`, ...words.map(shellWord)].join(' ');
}
