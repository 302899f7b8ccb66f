import { closestMatch } from 'leven';

/** Returns a hint such as ` Did you mean "x"?` for a misspelt word. If no candidate is similar, or the word is long, returns an empty text. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  if (word.length > 100) return ''; // The time is quadratic in the length of the word.
  const meant = closestMatch(word, candidates, { maxDistance: Math.max(2, Math.floor(word.length / 3)) });
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
