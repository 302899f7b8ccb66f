import { closestMatch } from 'leven';

/** Returns a hint such as ` Did you mean "x"?` for a misspelt word. If no candidate is similar, returns an empty text. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closestMatch(word, candidates, { maxDistance: Math.max(2, Math.floor(word.length / 3)) });
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
