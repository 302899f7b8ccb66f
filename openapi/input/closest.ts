/** The candidate that a misspelt word most likely meant, or undefined when none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closest(word, candidates);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** The fewest letters to insert, remove, replace or swap with their neighbour. */
function editsBetween(a: string, b: string): number {
  const edits = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => row + column),
  );
  const at = (row: number, column: number) => edits[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const throughSwap = swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      (edits[row] as number[])[column] = Math.min(replaced, at(row - 1, column) + 1, at(row, column - 1) + 1, throughSwap);
    }
  }
  return at(a.length, b.length);
}
