import type { Command } from 'commander';
import { closestTo, didYouMean } from '../openapi/input/closest.ts';
import type { Environment } from './io.ts';
import { UsageError } from './usage-error.ts';

export interface Flag<T> {
  /** The name of the value in the help, such as FILE. A flag without a placeholder takes no value. */
  readonly placeholder?: string;
  readonly help: string;
  /** True if the flag may be repeated. Other repeated flags are refused, because a repetition is likely a mistake. */
  readonly isList?: boolean;
  /** The values that a shell completes. */
  readonly known?: readonly string[];
  /** Parses the text of a flag. `name` is the flag or its environment variable. Throws UsageError. */
  read(text: string, name: string): T;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of the flags. A flag that the user did not give is undefined. */
export type Values<F extends Flags> = { readonly [name in keyof F]: F[name] extends Flag<infer T> ? T | undefined : never };

export const text = (placeholder: string, help: string): Flag<string> => ({ placeholder, help, read: (value) => value });

export const texts = (placeholder: string, help: string): Flag<readonly string[]> => ({
  placeholder,
  help,
  isList: true,
  read: (value) => value.split(','),
});

export const files = (help: string): Flag<readonly string[]> => texts('FILE', `${help}; may be repeated`);

export const toggle = (help: string): Flag<boolean> => ({
  help,
  read: (value, name) => ['1', 'true'].includes(oneOf(['1', 'true', '0', 'false'], value, name)),
});

export const jsonFlag = { json: toggle('prints JSON for scripts') };

export const choice = <const T extends string>(known: readonly T[], help: string, placeholder = known.join('|')): Flag<T> => ({
  placeholder,
  help,
  known,
  read: (value, name) => oneOf(known, value, name),
});

export const choices = <const T extends string>(known: readonly T[], help: string, placeholder: string): Flag<readonly T[]> => ({
  placeholder,
  help,
  isList: true,
  known,
  read: (value, name) => value.split(',').map((each) => oneOf(known, each, name)),
});

export const wholeNumber = (placeholder: string, help: string, range: readonly [number, number]): Flag<number> => ({
  placeholder,
  help,
  read: (value, name) => wholeNumberIn(range, value, name),
});

/** Parses a whole number. Throws UsageError. `orElse` adds other accepted values to the message, such as ` or off`. */
export function wholeNumberIn([from, to]: readonly [number, number], value: string, name: string, orElse = ''): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw new UsageError(`${name} must be a whole number from ${from} to ${to}${orElse}, got "${value}".`);
}

export function oneOf<const T extends string>(known: readonly T[], value: string, name: string): T {
  const match = known.find((each) => each === value);
  if (match === undefined) throw new UsageError(`${name} must be ${orList(known)}, got "${value}".${didYouMean(value, known)}`);
  return match;
}

const orList = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');

export const variableOf = (flag: string): string => `GIFTCARD_SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`;

/**
 * Returns the value of a flag's variable, or undefined if the variable is empty or not set. Kubernetes sets GIFTCARD_SANDBOX_PORT=tcp://10.0.0.1:8460 for
 * a service with the name giftcard-sandbox; such a value is ignored.
 */
export function valueIn(environment: Environment, flag: string): string | undefined {
  const value = environment[variableOf(flag)];
  return value === '' || value?.startsWith('tcp://') ? undefined : value;
}

/** Returns a sentence for each variable that is not known, but whose name is similar to the variable of a flag. */
export function misspeltVariables(environment: Environment, flags: readonly string[]): string[] {
  const known = flags.map(variableOf);
  const wordOf = (variable: string) => variable.slice(variableOf('').length);
  const words = known.map(wordOf);
  return Object.keys(environment).flatMap((name) => {
    const meant = name.startsWith(variableOf('')) && !known.includes(name) && closestTo(wordOf(name), words);
    return meant ? [`${name} has no effect. Did you mean ${variableOf('')}${meant}?`] : [];
  });
}

export const optionOf = (flag: string): string => flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

type OptionOf<T> = T extends `${infer Word}-${infer Rest}` ? `${Word}${Capitalize<OptionOf<Rest>>}` : T & string;

/** Returns the values of flags by the names of options in code: `rateLimit` for `rate-limit`. */
export function byOption<V extends object>(values: V): { readonly [name in keyof V as OptionOf<name>]: V[name] } {
  return Object.fromEntries(Object.entries(values).map(([flag, value]) => [optionOf(flag), value])) as never;
}

/** Adds flags to a command. Returns a function that reads the values after commander has parsed the arguments, and throws UsageError. */
export function defineFlags<F extends Flags>(command: Command, flags: F, environment: Environment): () => Values<F> {
  const textsByFlag = new Map<string, string[]>();
  for (const [name, { placeholder, help }] of Object.entries(flags)) {
    command.option(`--${name}${placeholder === undefined ? '' : ` <${placeholder}>`}`, help);
    // The values that commander collects are not used, because commander renames flags and merges --no-x into --x.
    command.on(`option:${name}`, (value: string | null) =>
      textsByFlag.set(name, [...(textsByFlag.get(name) ?? []), value ?? 'true']),
    );
  }
  const readValue = (name: string, flag: Flag<unknown>) => {
    const texts = textsByFlag.get(name);
    if (texts) return flag.read(argumentOf(name, flag, texts), `--${name}`);
    const variable = valueIn(environment, name);
    return variable === undefined ? undefined : flag.read(variable, variableOf(name));
  };
  return () => Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, readValue(name, flag)])) as Values<F>;
}

function argumentOf(name: string, { isList }: Flag<unknown>, texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  if (last === '') throw new UsageError(`--${name} is empty; give it a value, or leave it out.`);
  if (last.startsWith('--')) throw new UsageError(`--${name} needs a value before ${last}.`);
  if (texts.length > 1 && !isList) throw new UsageError(`--${name} is given twice; give it once.`);
  return texts.join(',');
}
