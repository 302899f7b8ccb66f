import packageFile from '../../package.json' with { type: 'json' };
import { called } from '../core/cli-name.ts';
import '../clauses/index.ts';
import '../probes/index.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { Interrupted } from '../core/verdict.ts';
import { type Command, type Environment, type Flags, type Io, parsed, say } from './command-line.ts';
import { compare } from './compare.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { facts } from './facts.ts';
import { fuzz } from './fuzz.ts';
import { groupHelpOf, helpOf, overview, type Takes } from './help.ts';
import type { toldOf } from './help-texts.ts';
import { ledger } from './ledger.ts';
import { list } from './list.ts';
import { refuseMisplaced } from './misplaced.ts';
import { plan } from './plan.ts';
import { replay } from './replay.ts';
import { report } from './report.ts';
import { run } from './run.ts';
import { sweep } from './sweep.ts';

export type { Io } from './command-line.ts';

const commands: Readonly<Record<keyof typeof toldOf, Command>> = {
  run,
  list,
  plan,
  doctor,
  replay,
  fuzz,
  sweep,
  ledger,
  report,
  diff,
  compare,
  'facts learn': facts.learn,
  'facts write': facts.write,
  'facts show': facts.show,
  'facts diff': facts.diff,
  'facts pin': facts.pin,
  'facts unpin': facts.unpin,
};

/** The flags that each command takes beside --help and --version. */
export const takes = Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, command.takes])) as Takes;

/** Runs the command and resolves with its exit code; never throws and never exits by itself. */
export async function main(argv: string[], env: Environment = process.env, io: Io = process): Promise<number> {
  try {
    const { flags, words } = parsed(argv);
    if (flags.version) return say(io, `${packageFile.version}\n`);
    const isHelp = flags.help || words[0] === 'help';
    const named = words[0] === 'help' ? words.slice(1) : words;
    if (isHelp) return say(io, named.length === 0 ? overview(takes) : (helpOf(named, takes) ?? unknown(named)));
    const withoutCommand = words.length === 0 ? overview(takes) : words.length === 1 ? groupHelpOf(words[0] ?? '') : undefined;
    if (withoutCommand !== undefined) throw new UsageError(`${withoutCommand}\nNo command is given.`);
    const { name, rest } = chosen(words);
    const unwanted = (Object.keys(flags) as (keyof Flags)[]).find((flag) => !commands[name].takes.includes(flag));
    if (unwanted) throw new UsageError(`${name} has no flag --${unwanted}. See ${called} ${name} --help.`);
    refuseMisplaced(name, commands[name].takes, rest);
    return await commands[name].run({ words: rest, flags, env, io });
  } catch (error) {
    if (error instanceof Interrupted) {
      io.stderr.write('Broken off before anything was sent.\n');
      return 130;
    }
    const usage = error instanceof UsageError;
    io.stderr.write(
      usage ? `${error.message}\n` : `The suite itself broke: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    return usage ? 2 : 6;
  }
}

/** The command, whose name may be two words, and what stands behind it. */
function chosen(words: readonly string[]): { name: keyof typeof toldOf; rest: readonly string[] } {
  const length = [1, 2].find((each) => Object.hasOwn(commands, words.slice(0, each).join(' ')));
  if (length === undefined) return unknown(words);
  return { name: words.slice(0, length).join(' ') as keyof typeof toldOf, rest: words.slice(length) };
}

function unknown([first = '', second = '']: readonly string[]): never {
  const known = [...new Set(Object.keys(commands).map((name) => name.split(' ')[0] ?? ''))];
  if (first === 'walk') throw new UsageError(`walk is now ${called} fuzz sequences. See ${called} fuzz --help.`);
  if (!known.includes(first))
    throw new UsageError(`Unknown command "${first}". Known are ${known.join(', ')}.${didYouMean(first, known)} See --help.`);
  const behind = Object.keys(commands).flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
  throw new UsageError(
    `${first} takes ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(behind)}, not "${second}".${didYouMean(second, behind)} See ${called} ${first} --help.`,
  );
}
