/** The deepest accepted nesting of a value. Deeper values would exceed the stack of recursive functions. */
export const DEEPEST = 100;

export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
}
