import { cliName } from '../core/text.ts';
import { shellWord } from '../report/escape.ts';

/** The command line with the same values, without the flags of `without`. `--yes` is left out, so that a repetition asks again. */
export function rerunCommand(
  command: string,
  values: Readonly<Record<string, unknown>>,
  without: readonly string[],
  words: readonly string[] = [],
): string {
  const given = Object.entries(values).flatMap(([flag, value]) => {
    if (value === undefined || value === false || flag === 'yes' || without.includes(flag)) return [];
    if (value === true) return [`--${flag}`];
    return [`--${flag}`, Array.isArray(value) ? value.join(',') : String(value)];
  });
  return [cliName, command, ...[...given, ...words].map(shellWord)].join(' ');
}
