/** Maps the standard name of each renamed property or parameter to its name on the wire. */
export type Names = ReadonlyMap<string, string>;

/** Replaces the standard names in a sentence by the names on the wire. */
export function withNames(sentence: string, names: Names | undefined): string {
  return names ? sentence.replaceAll(/\w+/g, (word) => names.get(word) ?? word) : sentence;
}
