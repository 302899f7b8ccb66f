/** A piece of a path, decoded once. What is no valid percent-encoding is looked up as it stands, and names nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
