import { shellWord } from '../report/escape.ts';
import type { Flags } from './command-line.ts';

/** A command that does once more what these flags, but for those `without`, and these words ask for. */
export function againOf(command: string, flags: Flags, without: readonly (keyof Flags)[], words: readonly string[] = []): string {
  // Whoever repeats it on a live account is asked for themselves.
  const left: readonly string[] = [...without, 'yes'];
  const given = Object.entries(flags).flatMap(([flag, value]) => {
    if (left.includes(flag)) return [];
    return [value].flat().flatMap((each) => (each === true ? [`--${flag}`] : [`--${flag}`, String(each)]));
  });
  return [command, ...[...given, ...words].map(shellWord)].join(' ');
}
