/**
 * Stable names for what must not be read in a report: keys never, and codes are hard to follow besides.
 * Everything that leaves the suite as text goes through `mask`.
 */
export class Names {
  readonly #names = new Map<string, string>();

  learn(value: string, name: string): void {
    if (value.length >= 4) this.#names.set(value, name);
  }

  of(value: string): string | undefined {
    return this.#names.get(value);
  }

  mask(text: string): string {
    let masked = text;
    const longestFirst = [...this.#names].sort(([a], [b]) => b.length - a.length);
    for (const [value, name] of longestFirst) masked = masked.replaceAll(value, name);
    return masked;
  }
}

/** Control characters of a target's answer must not steer a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** At most `length` characters, so that a large answer does not bury the finding. */
export function excerpt(text: string, length = 160): string {
  const flat = printable(text.replace(/\s*\n\s*/g, ' '));
  return flat.length > length ? `${flat.slice(0, length - 1)}…` : flat;
}
