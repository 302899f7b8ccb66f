import { Command, CommanderError, Help, type HelpConfiguration } from 'commander';
import { closestTo } from '../openapi/input/closest.ts';
import { defineFlags, type Flags, oneOf, type Values } from './flags.ts';
import type { Environment, Io } from './io.ts';
import { isUsageError, UsageError } from './usage-error.ts';

/** A command. It has either inner `commands` or a function `run`. */
export interface CommandDefinition {
  /** The name and the arguments as in commander: "run [clauses...]". */
  readonly usage: string;
  /** One sentence for the help, without a period. */
  readonly summary: string;
  readonly flags?: Flags;
  /** The environment variables. A variable can give the value of a flag that is not given. */
  readonly environment?: Environment;
  /** The known arguments, if the command takes only these. */
  readonly known?: readonly string[];
  /** The end of the help: environment variables and exit codes. Long lines are wrapped. */
  readonly notes?: string;
  /** Command lines for the help. */
  readonly examples?: readonly string[];
  /** Error messages for flags that users expect but that do not exist, by the flag's name without its leading hyphens. */
  readonly refusedFlags?: Readonly<Record<string, string>>;
  readonly commands?: readonly CommandDefinition[];
  /** Returns the exit code. Throws UsageError. */
  run?(values: Values<Flags>, words: readonly string[]): number | Promise<number>;
}

/** Checks at compile time that `run` takes the values of the definition's flags. Returns the definition. */
export function defineCommand<const F extends Flags>(
  definition: Omit<CommandDefinition, 'run' | 'flags'> & {
    readonly flags: F;
    run(values: Values<F>, words: readonly string[]): number | Promise<number>;
  },
): CommandDefinition {
  return definition as CommandDefinition;
}

/** The width of help pages in columns. */
const WIDTH = 100;

const helpPages: HelpConfiguration = {
  helpWidth: WIDTH,
  // Usage and description are one paragraph, so that more flags are on one screen.
  commandUsage: (command) => `${new Help().commandUsage(command)}\n${command.summary()}.`,
  // The help of the program explains --version and --help.
  visibleOptions: (command) =>
    command.parent ? command.options.filter(({ long }) => long !== '--version') : new Help().visibleOptions(command),
};

/** Runs a command and resolves with its exit code: 2 for a usage error, 6 for a defect. Never throws. */
export async function runCommand(
  definition: CommandDefinition,
  argv: readonly string[],
  { stdout, stderr }: Io,
  version: string,
): Promise<number> {
  let exitCode = 0;
  const root = new Command()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
    })
    .configureHelp(helpPages);
  build(root, definition, version, (code) => {
    exitCode = code;
  });
  try {
    await root.parseAsync(withKnownCommands(definition, argv), { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed the help or the version. If the user gave no command, the exit code is 2.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isUsage = isUsageError(error);
    stderr.write(isUsage ? `${error.message}\n` : `giftcard-sandbox failed: ${(error as Error)?.stack ?? error}\n`);
    return isUsage ? error.exitCode : 6;
  }
}

function build(command: Command, definition: CommandDefinition, version: string, end: (exitCode: number) => void): void {
  const words = definition.usage.split(' ').slice(1);
  const { flags = {}, environment = {}, commands = [], known, run, notes, examples, summary } = definition;
  command.name(wordOf(definition)).summary(summary).version(version, '-V, --version', 'print the version');
  command.helpOption('-h, --help', 'print this help');
  for (const word of words) command.argument(word);
  if (commands.length > 0) command.helpCommand('help [command]', 'print the help of a command');
  command.allowExcessArguments();
  command.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === 'commander.help'
      ? error
      : new UsageError(sentenceOf(error, definition, command));
  });
  for (const each of commands) build(command.command(wordOf(each)), each, version, end);
  for (const text of [notes, examples && ['Examples:', ...examples].join('\n  ')])
    if (text !== undefined) command.addHelpText('after', `\n${new Help().boxWrap(text, WIDTH)}`);
  const readFlags = defineFlags(command, flags, environment);
  if (!run) return;
  command.action(async () => {
    refuseExcess(command);
    if (known) for (const word of command.args) oneOf(known, word, 'The argument');
    end(await run(readFlags(), command.args));
  });
}

/** Throws UsageError if the user gives too many arguments. The message names the first of them, which commander's own message does not do. */
function refuseExcess(command: Command): void {
  const { args, registeredArguments: known } = command;
  const excess = known.at(-1)?.variadic ? undefined : args[known.length];
  if (excess !== undefined) throw new UsageError(`"${excess}" is one word too many. See ${nameOf(command)} --help.`);
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/**
 * Returns the arguments, with `COMMAND --help` in place of `help COMMAND`. Throws UsageError for a word that is not a command. Commander itself would
 * accept a wrong word before --help.
 */
function withKnownCommands(definition: CommandDefinition, argv: readonly string[], name = wordOf(definition)): string[] {
  const { commands = [] } = definition;
  const [word = '-', ...rest] = argv;
  if (commands.length === 0 || word.startsWith('-')) return [...argv];
  if (word === 'help') return [...withKnownCommands(definition, rest, name), '--help'];
  const inner = commands.find((each) => wordOf(each) === word);
  if (inner) return [word, ...withKnownCommands(inner, rest, `${name} ${word}`)];
  const inside = commands.flatMap((outer) =>
    (outer.commands ?? []).map((each) => [wordOf(each), `${wordOf(outer)} ${wordOf(each)}`]),
  );
  const paths = new Map([...inside, ...commands.map((each) => [wordOf(each), wordOf(each)])] as [string, string][]);
  const meant = paths.get(closestTo(word, [...paths.keys()]) ?? '');
  throw new UsageError(`Unknown command '${word}'.${meant === undefined ? '' : ` Did you mean ${meant}?`} See ${name} --help.`);
}

export function wordOf({ usage }: CommandDefinition): string {
  return usage.split(' ', 1)[0] as string;
}

/** Returns commander's message as a sentence, or the sentence about a refused flag. */
function sentenceOf({ message, code }: CommanderError, { refusedFlags = {} }: CommandDefinition, command: Command): string {
  const [, flag = ''] = /'--([^'=]*)/.exec(message) ?? [];
  if (code === 'commander.unknownOption' && Object.hasOwn(refusedFlags, flag)) return `${refusedFlags[flag]}`;
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.$/, '');
  return [`${sentence}.`, ...(suggestion ? [suggestion.slice(1, -1)] : []), `See ${nameOf(command)} --help.`].join(' ');
}
