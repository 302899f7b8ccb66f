import { isDeepStrictEqual } from 'node:util';

/** Returns a violation for each pair whose values are not equal. */
export function differences(
  what: string,
  compared: Readonly<Record<string, readonly [found: unknown, expected: unknown]>>,
): string[] {
  return Object.entries(compared).flatMap(([name, [found, expected]]) =>
    isDeepStrictEqual(found, expected)
      ? []
      : [`${what}: ${name} must be ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`],
  );
}
