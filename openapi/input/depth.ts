/** The deepest accepted nesting of a value. Deeper values would exceed the stack of recursive functions. */
export const DEEPEST = 100;

export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const each of Array.isArray(value) ? value : Object.values(value)) if (isDeeperThan(levels - 1, each)) return true;
  return false;
}
