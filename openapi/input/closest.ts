import { closestMatch } from 'leven';

/** ` Did you mean "x"?` with the candidate that a misspelt word most likely meant, or nothing when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closestMatch(word, candidates, { maxDistance: Math.max(2, Math.floor(word.length / 3)) });
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
