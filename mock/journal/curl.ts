import { isUtf8 } from 'node:buffer';
import type { RefusalCode } from '../pipeline/problems.ts';
import type { Exchange } from './entry.ts';
import { MASK, type Redactor } from './redaction.ts';

/** The variables that `giftcard-sandbox env` sets. */
export const BASE_URL = 'GIFTCARD_BASE_URL';
export const API_KEY = 'GIFTCARD_API_KEY';

/** Control characters are placeholders for the shell's variables until the line is complete. */
const [BASE, KEY, SECRET] = ['\u0001', '\u0002', '\u0003'];
const VARIABLES: Readonly<Record<string, string>> = { [BASE]: BASE_URL, [KEY]: API_KEY, [SECRET]: 'GIFTCARD_SECRET' };
const MARK = new RegExp(`[${BASE}${KEY}${SECRET}]`, 'g');
/** Characters that a shell interprets within double quotes, or would read as part of a variable's name. */
const NEEDS_SINGLE_QUOTES = new RegExp(`["$\`\\\\!\n]|[${BASE}${KEY}${SECRET}](?=[\\w[(:])`);

/** Refusals of a request that did not have a usable key of the account. */
const WITHOUT_KEY: ReadonlySet<RefusalCode | undefined> = new Set<RefusalCode>([
  'auth.key-missing',
  'auth.key-unknown',
  'auth.key-deleted',
]);

/** Headers that curl sets itself, or that belong to one connection. */
const SKIPPED = new Set(
  'host connection keep-alive transfer-encoding te upgrade expect accept accept-encoding accept-language user-agent cookie proxy-authorization sec-fetch-mode'.split(
    ' ',
  ),
);

/**
 * A line for a POSIX shell that repeats the request at `$GIFTCARD_BASE_URL`; undefined if the body was not kept whole, or if it is not text and has a
 * secret. The account's key is `$GIFTCARD_API_KEY`; other secrets are `$GIFTCARD_SECRET` in the URL and the body, and `(hidden)` in headers.
 */
export function curlLine(exchange: Exchange, redactor: Redactor, hasKey: boolean): string | undefined {
  const { method, target, headers, body, refusal } = exchange;
  if (body === null || body?.cut) return undefined;
  const parts = ['curl', method === 'HEAD' ? '-I' : '-i'];
  if (/[[\]{}]/.test(target)) parts.push('-g');
  if (/\/\.{1,2}(?:\/|$|\?)/.test(target)) parts.push('--path-as-is');
  if (method !== 'HEAD' && (method !== 'GET' || body)) parts.push('-X', method);
  parts.push(quoted(BASE + printable(redactor.values(target).replaceAll(MASK, SECRET))));
  for (const [name, value] of Object.entries(headers)) {
    if (SKIPPED.has(name)) continue;
    const secret = name === 'x-api-key' && hasKey && !WITHOUT_KEY.has(refusal) ? KEY : '(hidden)';
    const text = redactor.values(value).replaceAll(MASK, secret);
    parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${text}`)); // with the semicolon, curl sends it empty
  }
  if (!body) return parts.join(' ');
  if (headers['content-type'] === undefined) parts.push('-H', "'content-type:'"); // or curl would send that of a form
  const bytes = Buffer.from(body.text, 'latin1');
  if (isUtf8(bytes) && !bytes.some((byte) => byte < 4))
    return `${parts.join(' ')} --data-raw ${quoted(redactor.body(bytes.toString('utf8'), SECRET))}`;
  if (redactor.body(body.text) !== body.text) return undefined;
  return `printf ${octal(bytes)} | ${parts.join(' ')} --data-binary @-`;
}

/** In double quotes if the shell interprets only variables there, else in single quotes around each variable. */
function quoted(text: string): string {
  if (!NEEDS_SINGLE_QUOTES.test(text)) {
    const named = text.replaceAll(MARK, (mark) => `$${VARIABLES[mark]}`);
    if (named !== text) return `"${named}"`;
  }
  const around = `'${text.replaceAll("'", "'\\''")}'`.replaceAll(MARK, (mark) => `'"$${VARIABLES[mark]}"'`);
  return around.replace(/^''(?=")|(?<=")''$/g, '');
}

/** Each byte outside printable ASCII is percent-encoded. */
function printable(target: string): string {
  const encoded = (letter: string) =>
    letter.charCodeAt(0) < 256 ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : encodeURIComponent(letter);
  return target.replace(/[^!-~]/g, (letter) => (letter in VARIABLES ? letter : encoded(letter)));
}

/** For printf: every POSIX shell reads octal numbers. */
function octal(bytes: Buffer): string {
  return `'${Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;
}
