import { Command, CommanderError } from 'commander';
import { defineFlags, type Flags, type Values, variableOf } from './flags.ts';
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
  /** The end of the help: environment variables, exit codes, an example. */
  readonly notes?: string;
  /** Error messages for flags of earlier versions, by the flag's name without its leading hyphens. */
  readonly removedFlags?: Readonly<Record<string, string>>;
  readonly removedCommands?: Readonly<Record<string, string>>;
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
    .configureHelp({ helpWidth: 120 });
  build(root, definition, version, (code) => {
    exitCode = code;
  });
  try {
    await root.parseAsync([...argv], { from: 'user' });
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
  const [name = '', ...words] = definition.usage.split(' ');
  const { flags = {}, environment = {}, commands = [], removedFlags = {}, run, notes, summary } = definition;
  command.name(name).description(`${summary}.`).summary(summary).version(version, '-V, --version', 'print the version');
  command.helpOption('-h, --help', 'print this help');
  for (const word of words) command.argument(word);
  if (commands.length > 0) command.helpCommand('help [command]', 'print the help of a command');
  command.allowExcessArguments();
  command.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === 'commander.help'
      ? error
      : new UsageError(sentenceOf(error, definition, command));
  });
  for (const each of commands) build(command.command(each.usage.split(' ', 1)[0] ?? ''), each, version, end);
  if (notes !== undefined) command.addHelpText('after', `\n${notes.trimEnd()}`);
  const readFlags = defineFlags(command, flags, environment);
  if (!run) return;
  command.action(async () => {
    for (const [flag, sentence] of Object.entries(removedFlags))
      if (environment[variableOf(flag)]) throw new UsageError(`${variableOf(flag)}: ${sentence}`);
    refuseExcess(command);
    end(await run(readFlags(), command.args));
  });
}

/** Throws UsageError if the user gives too many arguments. The message names the first of them, which commander's own message does not do. */
function refuseExcess(command: Command): void {
  const { args, registeredArguments: known } = command;
  const excess = known.at(-1)?.variadic ? undefined : args[known.length];
  if (excess !== undefined)
    throw new UsageError(`${command.name()} takes flags only, got "${excess}". See ${nameOf(command)} --help.`);
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** Returns commander's message as a sentence, or the sentence about a flag or command of an earlier version. */
function sentenceOf({ message, code }: CommanderError, definition: CommandDefinition, command: Command): string {
  const [, value = ''] = /'([^']*)'/.exec(message) ?? [];
  const { removedFlags = {}, removedCommands = {} } = definition;
  const isFlag = code === 'commander.unknownOption';
  const [removed, name] = isFlag ? [removedFlags, value.replace(/^--|=.*/g, '')] : [removedCommands, value];
  if (Object.hasOwn(removed, name)) return `${removed[name]}`;
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.$/, '');
  return [`${sentence}.`, ...(suggestion ? [suggestion.slice(1, -1)] : []), `See ${nameOf(command)} --help.`].join(' ');
}
