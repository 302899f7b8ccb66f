import { type Flags, selecting } from '../command-line.ts';
import { shellWord } from '../report/escape.ts';

/** A command that does once more what these flags ask for, but for names of clauses, which go behind it; `without` those that bear on what is shown alone. */
export function againOf(command: string, flags: Flags, without: readonly (keyof Flags)[]): string {
  // Whoever repeats it on a live account is asked for themselves.
  const left: readonly string[] = [...selecting, ...without, 'yes'];
  const words = Object.entries(flags).flatMap(([flag, value]) => {
    if (left.includes(flag)) return [];
    return [value].flat().flatMap((each) => (each === true ? [`--${flag}`] : [`--${flag}`, String(each)]));
  });
  return [command, ...words.map(shellWord)].join(' ');
}
