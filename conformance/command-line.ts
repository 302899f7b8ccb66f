import { parseArgs } from 'node:util';
import type { ShownLevel } from './contract.ts';
import type { Screen } from './progress.ts';
import { select } from './select.ts';
import { type InProcessFetch, UsageError } from './target.ts';

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

/** All flags of all commands, so that one that stands before the command's name is read right, too. */
const options = {
  target: { type: 'string' },
  'key-env': { type: 'string' },
  profile: { type: 'string' },
  'webhook-listen': { type: 'string' },
  'webhook-url': { type: 'string' },
  level: { type: 'string' },
  skip: { type: 'string', multiple: true },
  rate: { type: 'string' },
  reporter: { type: 'string', multiple: true },
  out: { type: 'string' },
  baseline: { type: 'string' },
  'write-baseline': { type: 'string' },
  facts: { type: 'string' },
  quiet: { type: 'boolean' },
  list: { type: 'boolean' },
  mode: { type: 'string' },
  allow: { type: 'string', multiple: true },
  'max-creates': { type: 'string' },
  'max-requests': { type: 'string' },
  'max-face-value': { type: 'string' },
  ledger: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

const parse = (argv: readonly string[]) => parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });

export type Flags = ReturnType<typeof parse>['values'];

export function parsed(argv: readonly string[]): { flags: Flags; words: string[] } {
  try {
    const { values, positionals } = parse(argv);
    return { flags: values, words: positionals };
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ', 1);
    throw new UsageError(`${sentence.replace(/\.$/, '')}. See giftcard-sandbox conformance --help.`);
  }
}

/** Flags by which clauses are chosen, beside their names and globs. */
export const selecting = ['level', 'skip'] as const;

export function selected({ words, flags }: Pick<Asked, 'words' | 'flags'>) {
  return select({ names: words, skip: flags.skip ?? [], level: levelOf(flags.level) });
}

function levelOf(text: string | undefined): ShownLevel | undefined {
  if (text === undefined || text === 'stated' || text === 'ambiguous' || text === 'open' || text === 'robustness') return text;
  throw new UsageError(`Unknown level "${text}". Known are stated, ambiguous, open and robustness.`);
}

export function say({ stdout }: Io, text: string): number {
  stdout.write(text);
  return 0;
}
