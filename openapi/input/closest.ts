import { closestMatch } from 'leven';

/** Returns ` Did you mean "x"?` with the candidate nearest to a misspelt word. If no candidate is near, returns an empty text. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closestMatch(word, candidates, { maxDistance: Math.max(2, Math.floor(word.length / 3)) });
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
