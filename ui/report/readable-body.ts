import { applyEdits, format } from 'jsonc-parser';
import { parsedJson } from '../components/json-view.tsx';

/** A pseudonym in place of a value that is not a text, such as card#3.id. */
const bare = /(?<=[[:,]\s*)([a-z]+#\d+[.\w]*|«[^»"]*»)(?=\s*[,\]}])/g;

/**
 * Indents JSON without changes to its tokens: 25.00 stays 25.00, and a repeated property stays repeated. In every text, escapes characters that
 * control a terminal or change the direction of reading.
 */
export function readableBody(text: string): string {
  const quoted = text.replace(bare, '"\uE000$1"');
  const isJson = typeof parsedJson(quoted) === 'object';
  const edits = isJson ? format(quoted, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }) : [];
  const indented = applyEdits(quoted, edits).replace(/"\uE000([^"]*)"/g, '$1');
  return indented.replace(/[\p{Cc}\p{Cf}]/gu, (c) => (c === '\n' ? c : `\\u${c.codePointAt(0)?.toString(16).padStart(4, '0')}`));
}
