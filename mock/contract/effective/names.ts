/** The wire's names of renamed properties and parameters, by the contract's name. */
export type Names = ReadonlyMap<string, string>;

/** Returns the sentence with the wire's names. */
export function withNames(sentence: string, names: Names | undefined): string {
  return names ? sentence.replaceAll(/\w+/g, (word) => names.get(word) ?? word) : sentence;
}
