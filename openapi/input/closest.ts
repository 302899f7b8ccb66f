import { closestMatch } from 'leven';

/** Returns the candidate that is most similar to a misspelt word. If no candidate is similar, or the word is long, returns undefined. */
export function closestTo(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 100) return undefined; // The time is quadratic in the length of the word.
  return closestMatch(word, candidates, { maxDistance: Math.max(2, Math.floor(word.length / 3)) });
}

/** Returns a hint such as ` Did you mean "x"?` for a misspelt word, or an empty text. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closestTo(word, candidates);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
