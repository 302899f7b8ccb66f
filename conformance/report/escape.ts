import { printable } from '../core/text.ts';

/** Escapes characters that control a terminal or change the direction of reading. */
export const visible = (text: string): string => text.split('\n').map(printable).join('\n');

export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns a Markdown code block. No text can close an indented block. */
export const codeBlock = (text: string): string => visible(text).replace(/^/gm, '    ');

/** Returns one word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
