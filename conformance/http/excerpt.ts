/** Escapes control characters, so that a target's answer cannot control a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** At most `length` characters on one line. */
export function excerpt(text: string, length = 160): string {
  const flat = printable(text.replace(/\s*\n\s*/g, ' '));
  return flat.length > length ? `${flat.slice(0, length - 1)}…` : flat;
}
