import { Command, CommanderError } from 'commander';
import { defineFlags, type Flags, type Values, variableOf } from './flags.ts';
import type { Environment, Io } from './io.ts';
import { UsageError } from './usage-error.ts';

/** A command with its help. It has either `commands` or `run`. */
export interface CommandDefinition {
  /** The name, then its arguments as commander writes them: "run [clauses...]". */
  readonly usage: string;
  /** One line without a full stop, for the list of commands and the head of the command's own help. */
  readonly summary: string;
  readonly flags?: Flags;
  /** Values of flags that are not given, by `variableOf`. Default: none. */
  readonly environment?: Environment;
  /** Printed at the end of the help: environment variables, exit codes, an example. */
  readonly notes?: string;
  /** Flags of earlier versions without their hyphens, with a sentence that names the flag to use instead. */
  readonly removedFlags?: Readonly<Record<string, string>>;
  /** Commands of earlier versions, with a sentence that names the command to use instead. */
  readonly removedCommands?: Readonly<Record<string, string>>;
  readonly commands?: readonly CommandDefinition[];
  /** Resolves with the exit code. Throws UsageError for input that cannot be used. */
  run?(values: Values<Flags>, words: readonly string[]): number | Promise<number>;
}

/** Gives `run` of a definition the types of the definition's own flags. */
export function defineCommand<const F extends Flags>(
  definition: Omit<CommandDefinition, 'run' | 'flags'> & {
    readonly flags: F;
    run(values: Values<F>, words: readonly string[]): number | Promise<number>;
  },
): CommandDefinition {
  return definition as CommandDefinition;
}

/** Runs a command with its arguments; resolves with the exit code: the command's own, 2 for a usage error, 6 for a defect. Never throws. */
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
    .configureHelp({ helpWidth: 120 })
    .exitOverride();
  build(root, definition, version, (code) => {
    exitCode = code;
  });
  try {
    await root.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (error.code !== 'commander.help') stderr.write(`${sentenceOf(error, definition, argv)}\n`);
      return 2;
    }
    stderr.write(
      error instanceof UsageError ? `${error.message}\n` : `giftcard-sandbox failed: ${(error as Error)?.stack ?? error}\n`,
    );
    return error instanceof UsageError ? 2 : 6;
  }
}

function build(command: Command, definition: CommandDefinition, version: string, end: (exitCode: number) => void): void {
  const [name = '', ...words] = definition.usage.split(' ');
  const { flags = {}, environment = {}, commands = [], run, notes, summary } = definition;
  command.name(name).description(`${summary}.`).summary(summary).version(version, '-V, --version', 'print the version');
  command.helpOption('-h, --help', 'print this help');
  for (const word of words) command.argument(word);
  if (commands.length > 0) command.helpCommand('help [command]', 'print the help of a command');
  command.allowExcessArguments();
  for (const each of commands) build(command.command(each.usage.split(' ', 1)[0] ?? ''), each, version, end);
  if (notes !== undefined) command.addHelpText('after', `\n${notes.trimEnd()}`);
  const readFlags = defineFlags(command, flags, environment);
  if (!run) return;
  command.action(async () => {
    for (const [flag, sentence] of Object.entries(definition.removedFlags ?? {}))
      if (environment[variableOf(flag)]) throw new UsageError(`${variableOf(flag)}: ${sentence}`);
    refuseExcess(command);
    end(await run(readFlags(), command.args));
  });
}

/** Commander's own message does not name the argument. */
function refuseExcess(command: Command): void {
  const { args, registeredArguments: known } = command;
  const excess = known.at(-1)?.variadic ? undefined : args[known.length];
  if (excess !== undefined)
    throw new UsageError(`${command.name()} takes flags only, got "${excess}". See ${nameOf(command)} --help.`);
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** Commander's message as one sentence, or the sentence for a flag or command that an earlier version had. */
function sentenceOf({ message, code }: CommanderError, definition: CommandDefinition, argv: readonly string[]): string {
  const [path, last] = commandAt(definition, argv);
  const [, value = ''] = /'([^']*)'/.exec(message) ?? [];
  const flag = value.replace(/^--|=.*/g, '');
  // As a map, because an object would also have "constructor".
  const removedFlags = new Map(Object.entries(last.removedFlags ?? {}));
  const removedCommands = new Map(Object.entries(last.removedCommands ?? {}));
  const removed =
    code === 'commander.unknownOption'
      ? removedFlags.get(flag)
      : code === 'commander.unknownCommand'
        ? removedCommands.get(value)
        : undefined;
  if (removed !== undefined) return removed;
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.$/, '');
  return [`${sentence}.`, ...(suggestion ? [suggestion.slice(1, -1)] : []), `See ${path} --help.`].join(' ');
}

/** The innermost command that the arguments name, with its full name. */
function commandAt(definition: CommandDefinition, argv: readonly string[]): readonly [string, CommandDefinition] {
  const name = definition.usage.split(' ', 1)[0] ?? '';
  const [first, ...rest] = argv;
  const inner = definition.commands?.find(({ usage }) => usage.split(' ', 1)[0] === first);
  if (!inner) return [name, definition];
  const [path, last] = commandAt(inner, rest);
  return [`${name} ${path}`, last];
}
