export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Columns as wide as their widest cell: the first to the left, numbers to the right. */
export function table(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return lines.map((line) => `${line.map(cell).join('  ').trimEnd()}\n`).join('');
}

export function word(holds: boolean): string {
  return holds ? 'holds' : 'MISSED';
}
