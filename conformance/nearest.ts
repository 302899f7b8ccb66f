/** The word of a list that somebody most likely meant; undefined where none is near. */
export function nearest<W extends string>(text: string, words: Iterable<W>): W | undefined {
  let best: { word: W; distance: number } | undefined;
  for (const word of words) {
    const distance = editsBetween(text.toLowerCase(), word.toLowerCase());
    if (distance <= Math.max(2, word.length / 4) && (!best || distance < best.distance)) best = { word, distance };
  }
  return best?.word;
}

/** A sentence that asks for it, or nothing. */
export function didYouMean(text: string, words: Iterable<string>): string {
  const word = nearest(text, words);
  return word === undefined ? '' : ` Did you mean ${word}?`;
}

/** Letters to put in, take out or change, row by row of the usual table. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const kept = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(kept, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
