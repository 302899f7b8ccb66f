import type { JournalExchange } from './entry.ts';
import { type JournalRedactor, MASK } from './redaction.ts';

/** The variables that `giftcard-sandbox env` sets. */
export const BASE_URL = 'GIFTCARD_BASE_URL';
export const API_KEY = 'GIFTCARD_API_KEY';

/** Headers that curl sets itself, or that belong to one connection. */
const SKIPPED =
  /^(?:host|connection|keep-alive|transfer-encoding|te|upgrade|expect|accept|accept-encoding|accept-language|user-agent|cookie|proxy-authorization|sec-fetch-mode)$/;

/**
 * Returns a line for a POSIX shell that repeats the request, or undefined if the body was cut or is not text. `$GIFTCARD_API_KEY` is the account's key.
 * In place of any other secret, the line has `$GIFTCARD_SECRET` in the URL and the body, and `(hidden)` in headers.
 */
export function curlLine(
  { method, target, headers, body, refusal }: JournalExchange,
  redactor: JournalRedactor,
): string | undefined {
  if (body === null || body?.cut || /[\0\uFFFD]/.test(body?.text ?? '')) return undefined;
  const parts = ['curl', method === 'HEAD' ? '-I' : '-i'];
  if (/[[\]{}]/.test(target)) parts.push('-g');
  if (method !== 'HEAD' && (method !== 'GET' || body)) parts.push('-X', method);
  const path = redactor.values(target).replace(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  parts.push(/["$`\\!]/.test(path) || path.includes(MASK) ? `"$${BASE_URL}"${quoted(path)}` : `"$${BASE_URL}${path}"`);
  for (const [name, value] of Object.entries(headers)) {
    if (SKIPPED.test(name)) continue;
    // A refused key does not become $GIFTCARD_API_KEY, because the line would then not repeat the refusal.
    if (name === 'x-api-key' && !refusal?.startsWith('auth.key-')) parts.push('-H', `"x-api-key: $${API_KEY}"`);
    else parts.push('-H', quoted(`${name}: ${redactor.values(value).replaceAll(MASK, '(hidden)')}`));
  }
  if (!body) return parts.join(' ');
  if (headers['content-type'] === undefined) parts.push('-H', "'content-type:'"); // Otherwise curl sends the content type of a form.
  return `${parts.join(' ')} --data-raw ${quoted(redactor.body(body.text))}`;
}

/** Quotes a text. A shell does not replace variables between single quotes, so the variable of a masked secret is outside of the quotes. */
function quoted(text: string): string {
  return shellQuoted(text).replaceAll(MASK, `'"$GIFTCARD_SECRET"'`);
}

/** Returns one word for a POSIX shell. Within single quotes, only the single quote itself needs escaping. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
