import { Command, CommanderError, Help, type HelpConfiguration, Option } from 'commander';
import { closestTo } from '../openapi/input/closest.ts';
import { defineFlags, type Flags, oneOf, type Values } from './flags.ts';
import type { Environment, Io } from './io.ts';
import { isUsageError, UsageError } from './usage-error.ts';

/** A command. It has either inner `commands` or a function `run`. */
export interface CommandDefinition {
  /** The name and the arguments as in commander: "run [rules...]". */
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
    new Help().visibleOptions(command).filter(({ long }) => !command.parent || (long !== '--version' && long !== '--help')),
};

/** Runs a command and resolves with its exit code: 2 for a usage error, 6 for a defect. Never throws. */
export async function runCommand(
  definition: CommandDefinition,
  argv: readonly string[],
  { stdout, stderr }: Io,
  version: string,
): Promise<number> {
  const program = { version, exitCode: 0 };
  // Commands inherit these settings.
  const root = new Command()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (message, write) => write(withoutControl(sentenceOf(message))),
    })
    .configureHelp(helpPages)
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .allowExcessArguments()
    .exitOverride();
  build(root, definition, wordOf(definition), program);
  try {
    await root.parseAsync(withKnownCommands(root, argv), { from: 'user' });
    return program.exitCode;
  } catch (error) {
    // Commander has already printed the help, the version or the error. If the user gave no command, the exit code is 2.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { problems, stack = error } = (error ?? {}) as Partial<Error> & { readonly problems?: readonly string[] };
    const isUsage = isUsageError(error);
    // An error with problems is about a file or a value of the user (UnusableInput).
    const sentences = isUsage ? [error.message] : (problems ?? [`giftcard-sandbox failed: ${stack}`]);
    stderr.write(`${withoutControl(sentences.join('\n'))}\n`);
    return isUsage ? error.exitCode : problems ? 2 : 6;
  }
}

function build(command: Command, definition: CommandDefinition, path: string, program: { version: string; exitCode: number }) {
  const words = definition.usage.split(' ').slice(1);
  const { flags = {}, environment = {}, commands = [], known, run, notes, examples, summary, refusedFlags = {} } = definition;
  command.name(wordOf(definition)).summary(summary).version(program.version, '-V, --version', 'print the version');
  command.showHelpAfterError(`See ${path} --help.`);
  for (const word of words) command.argument(word);
  for (const each of commands) build(command.command(wordOf(each)), each, `${path} ${wordOf(each)}`, program);
  for (const text of [notes, examples && ['Examples:', ...examples].join('\n  ')])
    if (text !== undefined) command.addHelpText('after', `\n${new Help().boxWrap(text, WIDTH)}`);
  const readFlags = defineFlags(command, flags, environment);
  for (const [flag, sentence] of Object.entries(refusedFlags))
    command.addOption(new Option(`--${flag} [value]`).hideHelp()).on(`option:${flag}`, () => {
      throw new UsageError(sentence);
    });
  if (!run) return;
  command.action(async () => {
    const { args, registeredArguments } = command;
    const excess = registeredArguments.at(-1)?.variadic ? undefined : args[registeredArguments.length];
    // Commander's own message does not name the word.
    if (excess !== undefined) command.error(`"${excess}" is one word too many`);
    if (known) for (const word of args) oneOf(known, word, 'The argument');
    program.exitCode = await run(readFlags(), args);
  });
}

/**
 * Returns the arguments, with `COMMAND --help` in place of `help COMMAND`. Reports a word that is not a command. Commander itself would accept a wrong
 * word before --help.
 */
function withKnownCommands(command: Command, argv: readonly string[]): string[] {
  const [word = '-', ...rest] = argv;
  if (command.commands.length === 0 || word.startsWith('-')) return [...argv];
  if (word === 'help') return [...withKnownCommands(command, rest), '--help'];
  const inner = command.commands.find((each) => each.name() === word);
  if (inner) return [word, ...withKnownCommands(inner, rest)];
  const inside = command.commands.flatMap((outer) =>
    outer.commands.map((each) => [each.name(), `${outer.name()} ${each.name()}`]),
  );
  const paths = new Map([...inside, ...command.commands.map((each) => [each.name(), each.name()])] as [string, string][]);
  const meant = paths.get(closestTo(word, [...paths.keys()]) ?? '');
  command.error(`unknown command '${word}'${meant === undefined ? '' : `\n(Did you mean ${meant}?)`}`);
}

/** Removes the characters that control a terminal, because arguments and files of others may have them. */
function withoutControl(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ');
}

export function wordOf({ usage }: CommandDefinition): string {
  return usage.split(' ', 1)[0] as string;
}

/** Returns commander's message as a sentence, which the name of the command's help follows. */
function sentenceOf(message: string): string {
  const [first = '', suggestion] = message
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.$/, '');
  return `${sentence}. ${suggestion ? `${suggestion.slice(1, -1)} ` : ''}`;
}
