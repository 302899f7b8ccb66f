import { printable } from '../core/text.ts';

/** Text of several lines without characters that control a terminal or change the direction of reading. */
export const visible = (text: string): string => text.split('\n').map(printable).join('\n');

/** For HTML element content and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A Markdown code block with a fence longer than any in the text. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${visible(text)}\n${fence}`;
}

/** Markdown inline code. */
export function inlineCode(text: string): string {
  const flat = visible(text).replaceAll('\n', ' ');
  const fence = '`'.repeat(longestRun(flat) + 1);
  const gap = flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${flat}${gap}${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A Markdown table. A bar ends a cell even within code, so it is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** One word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
