/** What the wire calls a property or a parameter, by the contract's name; only what is called otherwise. */
export type Names = ReadonlyMap<string, string>;

/** A sentence that calls things as the wire does. */
export function withNames(sentence: string, names: Names | undefined): string {
  return names ? sentence.replaceAll(/\w+/g, (word) => names.get(word) ?? word) : sentence;
}
