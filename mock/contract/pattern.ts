import { createRequire } from 'node:module';

/** V8 refuses much longer patterns, but only when they are used. */
const LONGEST = 1000;

/** A compiled regular expression. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * Compiles a user's regular expression. With `isWhole`, the whole text must match. No text can block the process for long: a pattern with two or more
 * quantifiers, groups or alternatives, or with one that may begin anywhere in the text, runs on RE2, whose time is linear. Throws SyntaxError for an invalid pattern, and for look-arounds and
 * back-references, which RE2 does not support.
 */
export function patternOf(source: string, isWhole = false): Pattern {
  if (source.length > LONGEST) throw new SyntaxError(`The regular expression has more than ${LONGEST} characters.`);
  const native = new RegExp(isWhole ? `^(?:${source})$` : source, 'u');
  const steps = source.match(/[*+?{(|]/g) ?? [];
  if (steps.length === 0 || (steps.length === 1 && (isWhole || source.startsWith('^')))) return native;
  // Loading RE2 takes 20 ms, so it is loaded at its first use.
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  try {
    return RE2JS.compile(RE2JS.translateRegExp(native.source));
  } catch (error) {
    throw new SyntaxError(`The mock cannot use the regular expression ${source}: ${(error as Error).message}`);
  }
}
