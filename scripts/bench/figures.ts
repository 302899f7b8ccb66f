export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns a row of a table: the name, two values, their ratio, its upper limit, and the verdict. `value` is compared with `base`. */
export function ratioRow(name: string, base: number, value: number, limit: number, digits = 0): string[] {
  const ratio = value / base;
  return [name, base.toFixed(digits), value.toFixed(digits), ratio.toFixed(2), `<= ${limit}`, verdict(ratio <= limit)];
}

export const verdict = (isWithinLimit: boolean): string => (isWithinLimit ? 'ok' : 'MISSED');

/** Returns a row of a table: the name, a value, its upper limit, and the verdict. */
export function limitRow(name: string, value: number, limit: number, digits = 0): string[] {
  return [name, value.toFixed(digits), `<= ${limit}`, verdict(value <= limit)];
}
