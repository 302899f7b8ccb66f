import { parseArgs } from 'node:util';
import { UsageError } from '../../command-line/usage-error.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { called } from '../core/cli-name.ts';
import { levels, type ShownLevel } from '../core/contract.ts';
import { select } from '../core/select.ts';
import type { InProcessFetch } from '../core/target.ts';
import { flagTable } from './flag-table.ts';
import { checkedFlags } from './flags.ts';
import type { Screen } from './progress.ts';

/** What a command writes to and, within a process, asks. */
export interface Io {
  stdout: { write(text: string): unknown };
  stderr: Screen;
  /** Answers the requests of the run instead of a socket. */
  fetch?: InProcessFetch;
  /** Where a question is answered, if somebody sits there. */
  stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** How somebody breaks a run off. */
  once?(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off?(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command was asked. */
export interface Asked {
  /** What stands behind the command's name. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly env: Environment;
  readonly io: Io;
}

export interface Command {
  /** Flags beside --help and --version. Any other is refused, because who gives it expects something of it. */
  readonly takes: readonly (keyof Flags)[];
  /** Resolves with the exit code. Throws UsageError before anything is sent. */
  run(asked: Asked): number | Promise<number>;
}

/** All flags of all commands are read, so that one that stands before the command's name is read right, too. */
const strictly = (argv: readonly string[]) =>
  parseArgs({ args: [...argv], options: flagTable, allowPositionals: true, strict: true });

export type Flags = ReturnType<typeof strictly>['values'];

const seeHelp = `See ${called} --help.`;

/** Throws UsageError for flags that cannot be used. */
export function parsed(argv: readonly string[]): { flags: Flags; words: string[] } {
  const { values, positionals } = strictly(checkedFlags(argv, { options: flagTable, seeHelp, unknown: unknownFlag }));
  return { flags: values, words: positionals };
}

function unknownFlag(name: string, rawName: string): string {
  if (/^(api-?)?key$|token|secret/i.test(name))
    return `There is no flag ${rawName}, because whoever is on this machine could read the key in the list of processes. Set the environment variable GIFTCARD_API_KEY, or name another one with --key-env NAME.`;
  return `There is no flag ${rawName}.${didYouMean(
    `--${name}`,
    Object.keys(flagTable).map((each) => `--${each}`),
  )} ${seeHelp}`;
}

/** For commands that take no words. Throws UsageError where there are some, because who writes them expects something of them. */
export function noWords({ words: [word] }: Pick<Asked, 'words'>, command: string): void {
  if (word !== undefined)
    throw new UsageError(`${command} takes flags only, and "${word}" is none. See ${called} ${command} --help.`);
}

/** Flags by which clauses are chosen, beside their names and globs. */
export const selecting = ['level', 'skip'] as const;

export function selected({ words, flags }: Pick<Asked, 'words' | 'flags'>) {
  return select({ names: words, skip: flags.skip ?? [], level: levelOf(flags.level) });
}

function levelOf(text: string | undefined): ShownLevel | undefined {
  const level = levels.find((each) => each === text);
  if (level || text === undefined) return level;
  throw new UsageError(`Unknown level "${text}". Known are ${levels.join(', ')}.`);
}

export function say({ stdout }: Io, text: string): number {
  stdout.write(text);
  return 0;
}
