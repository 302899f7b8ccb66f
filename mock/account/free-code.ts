import type { Chance } from './clock.ts';

/**
 * A code of the format that is not taken. A format that is nearly used up grows by a sign for every hundred codes that were taken, so that no
 * card is refused for it.
 */
export function freeCode(format: string, chance: Chance, taken: (code: string) => boolean): string {
  for (let attempt = 0, pattern = format; ; attempt++) {
    if (attempt > 0 && attempt % 100 === 0) pattern += 'X';
    const code = chance.code(pattern);
    if (!taken(code)) return code;
  }
}
