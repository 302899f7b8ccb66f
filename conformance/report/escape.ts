import { printable } from '../http/excerpt.ts';

/** Text of several lines, in which nothing steers a terminal or turns the direction of reading. */
export const visible = (text: string): string => text.split('\n').map(printable).join('\n');

/** For element content and for attributes in double or single quotes, of HTML and of XML. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"'\uFFFE\uFFFF]/g, (c) => entities[c] ?? '\uFFFD');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A block of code in markdown, whose fence is longer than any in the text. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${visible(text)}\n${fence}`;
}

/** One word for a shell that reads it as it stands. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
