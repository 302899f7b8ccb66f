import { isUtf8 } from 'node:buffer';
import type { Exchange } from './entry.ts';
import type { Held } from './held.ts';
import { hiddenInBody, hiddenInTarget, MASK } from './secrets.ts';

/** Control characters that no text of a request has, until the shell's variable takes their place. */
const VARIABLE = '\u0001';

/** Headers that curl has of its own, or that belong to one connection. */
const LEFT_OUT = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'upgrade',
  'expect',
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'cookie',
  'proxy-authorization',
  'sec-fetch-mode',
]);

/**
 * A line for a POSIX shell that makes the request again, with the key in `$GIFTCARD_KEY` (of another secret in `$GIFTCARD_SECRET`), or undefined where
 * the body was not kept whole, or could not be told without a secret in it. Without a host of its own, the mock is expected at `$GIFTCARD_URL`. What is `held` is shown nowhere.
 */
export function curlLine(exchange: Exchange, held: Held): string | undefined {
  const { method, target, headers, body } = exchange;
  if (body === null || body?.cut) return undefined;
  const parts = ['curl', '-i'];
  if (/[[\]{}]/.test(target)) parts.push('-g');
  if (/\/\.{1,2}(?:\/|$|\?)/.test(target)) parts.push('--path-as-is');
  if (method === 'HEAD') parts[1] = '-I';
  else if (method !== (body ? 'POST' : 'GET')) parts.push('-X', method);
  parts.push(`${base(headers.host)}${quoted(printable(held.hidden(hiddenInTarget(target, VARIABLE), VARIABLE)), 'KEY')}`);
  for (const [name, value] of Object.entries(headers)) {
    if (!LEFT_OUT.has(name))
      parts.push('-H', quoted(`${name}: ${held.hidden(value, VARIABLE).replaceAll(MASK, VARIABLE)}`, 'KEY'));
  }
  if (!body) return parts.join(' ');
  if (headers['content-type'] === undefined) parts.push('-H', "'content-type:'"); // or curl would say that it is a form
  const bytes = Buffer.from(body.text, 'latin1');
  if (!isUtf8(bytes) || bytes.includes(0)) {
    const isShown = held.hidden(hiddenInBody(body.text, MASK, held.names)) === body.text;
    if (!isShown) return undefined;
    return `printf ${octal(bytes)} | ${parts.join(' ')} --data-binary @-`;
  }
  const text = held.hidden(hiddenInBody(bytes.toString('utf8'), VARIABLE, held.names), VARIABLE);
  return `${parts.join(' ')} --data-raw ${quoted(text, 'SECRET')}`;
}

/** The address of the mock, which a request over a socket names itself. */
function base(host: string | undefined): string {
  const isReachable = host !== undefined && /^[\w.:[\]-]+$/.test(host) && !host.endsWith('.invalid');
  return isReachable ? `'http://${host}'` : '"$GIFTCARD_URL"';
}

function quoted(text: string, variable: 'KEY' | 'SECRET'): string {
  return `'${text.replaceAll("'", "'\\''")}'`.replaceAll(VARIABLE, `'"$GIFTCARD_${variable}"'`);
}

/** What came as a byte outside ASCII leaves as one. */
function printable(target: string): string {
  const escaped = (letter: string) =>
    letter.charCodeAt(0) < 256 ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : encodeURIComponent(letter);
  return target
    .split(VARIABLE)
    .map((part) => part.replace(/[^!-~]/g, escaped))
    .join(VARIABLE);
}

/** For printf, which reads octal numbers everywhere. */
function octal(bytes: Buffer): string {
  let text = "'";
  for (const byte of bytes) text += `\\${byte.toString(8).padStart(3, '0')}`;
  return `${text}'`;
}
