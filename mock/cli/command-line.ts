import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What the commands share that run the mock or ask a running one. */

/** Where a command writes. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the mock listens, and is looked for, when nothing else is said. */
export const DEFAULT_PORT = 8460;

/** Input that cannot be used, in a sentence that names the thing, the value and the way out. */
export class UsageError extends Error {}

/** The values of a command's flags, without anything beside them. Throws UsageError, with the way to the command's help. */
export function parseFlags(command: string, options: NonNullable<ParseArgsConfig['options']>, argv: readonly string[]) {
  try {
    return parseArgs({ args: joined(options, argv), options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const sentence = (error as Error).message.split('. ', 1)[0]?.replace(/\.$/, '');
    throw new UsageError(`${sentence}. See giftcard-sandbox ${command} --help.`);
  }
}

/**
 * The arguments with each value joined to its flag, also one that begins with a hyphen: --seed -5 asks for a seed of -5, and is refused for that.
 * Throws UsageError for a flag without its value.
 */
function joined(options: NonNullable<ParseArgsConfig['options']>, argv: readonly string[]): string[] {
  const args: string[] = [];
  for (let n = 0; n < argv.length; n++) {
    const [flag, value] = [argv[n] as string, argv[n + 1]];
    const takesValue = flag.startsWith('--') && options[flag.slice(2)]?.type === 'string';
    if (takesValue && (value === undefined || value.startsWith('--')))
      throw new UsageError(`${flag} needs a value${value === undefined ? '' : ` before ${value}`}.`);
    args.push(takesValue ? `${flag}=${argv[++n]}` : flag);
  }
  return args;
}

/** The variable that stands for a flag. */
export function twin(flag: string): string {
  return `GIFTCARD_SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** What a flag's twin says; an empty variable is one that is not set. */
export function fromEnvironment(flag: string, env: Environment): string | undefined {
  return env[twin(flag)] || undefined;
}
