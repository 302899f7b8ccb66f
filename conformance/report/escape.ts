import { printable } from '../core/text.ts';

/** Escapes characters that control a terminal or change the direction of reading. */
export const visible = (text: string): string => text.split('\n').map(printable).join('\n');

export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns a Markdown code block. No text can close an indented block. */
export const codeBlock = (text: string): string => visible(text).replace(/^/gm, '    ');

/** Returns one word for a shell. Only `$'…'` of bash and zsh has escapes, which line breaks and other control characters need. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!control.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n');
  return `$'${escaped.replace(/[\p{Cc}\p{Cf}]/gu, (c) => `\\U${(c.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`)}'`;
}

const control = /[\p{Cc}\p{Cf}]/u;
