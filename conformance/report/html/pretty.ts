import { applyEdits, format } from 'jsonc-parser';

/** Indents JSON and keeps every token as it was sent: 25.00 stays 25.00, and a repeated property stays repeated. */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text;
  const edits = format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' });
  return applyEdits(text, edits);
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
