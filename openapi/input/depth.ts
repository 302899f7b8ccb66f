/** The deepest accepted nesting of a value. Deeper values would exceed the stack of recursive functions. */
export const DEEPEST = 100;

export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // A list of the values would take most of the time for a large value.
  for (const key in value) if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[key])) return true;
  return false;
}
