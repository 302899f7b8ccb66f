/** Decodes a part of the address. A part that cannot be decoded stays as it is, so that the page can name it. */
export function decodedOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
