import { isUtf8 } from 'node:buffer';
import type { RefusalCode } from '../pipeline/problems.ts';
import type { Exchange } from './entry.ts';
import type { Held } from './redaction/held.ts';
import { hiddenInAddress } from './redaction/hide-in-address.ts';
import { hiddenInBody } from './redaction/hide-in-message.ts';
import { MASK } from './redaction/secret-names.ts';
import { API_KEY, BASE_URL } from './variables.ts';

/** Control characters that stand for the shell's variables until the line is whole; a body that has one itself is told in numbers. */
const [BASE, KEY, SECRET] = ['\u0001', '\u0002', '\u0003'];
const VARIABLES: Readonly<Record<string, string>> = { [BASE]: BASE_URL, [KEY]: API_KEY, [SECRET]: 'GIFTCARD_SECRET' };
const MARK = new RegExp(`[${BASE}${KEY}${SECRET}]`, 'g');
/** What a shell would read in double quotes, and what it would take for a part of a variable. */
const READ = new RegExp(`["$\`\\\\!\n]|[${BASE}${KEY}${SECRET}](?=[\\w[(:])`);

/** In the place of what nobody may see and no variable has: whoever was turned away with it is turned away again. */
const HIDDEN = '(hidden)';

/** Refused for a key that was no usable one of the account. */
const WITHOUT_KEY: ReadonlySet<RefusalCode | undefined> = new Set<RefusalCode>([
  'auth.key-missing',
  'auth.key-unknown',
  'auth.key-deleted',
]);

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
 * A line for a POSIX shell that makes the request again at `$GIFTCARD_BASE_URL`, or undefined where the body was not kept whole, or could not be told
 * without a secret in it. A key of `keys`, which are the account's usable ones, is `$GIFTCARD_API_KEY`; any other secret of the address or the body
 * is `$GIFTCARD_SECRET`, and one of a header `(hidden)`. Whoever came with no key of any account has no `keys`. What is `held` is shown nowhere.
 */
export function curlLine(exchange: Exchange, held: Held, keys: Held | undefined): string | undefined {
  const { method, target, headers, body } = exchange;
  if (body === null || body?.cut) return undefined;
  const parts = ['curl', '-i'];
  if (/[[\]{}]/.test(target)) parts.push('-g');
  if (/\/\.{1,2}(?:\/|$|\?)/.test(target)) parts.push('--path-as-is');
  if (method === 'HEAD') parts[1] = '-I';
  else if (method !== 'GET' || body) parts.push('-X', method);
  const address = addressOf(target, held, keys);
  parts.push(quoted(BASE + printable(address)));
  const keyIn = keys && keyHeader(exchange, address);
  for (const [name, value] of Object.entries(headers)) {
    if (LEFT_OUT.has(name)) continue;
    const text = held.hidden(value).replaceAll(MASK, () => (name === keyIn ? KEY : HIDDEN));
    parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${text}`)); // with the semicolon, curl sends it empty
  }
  if (!body) return parts.join(' ');
  if (headers['content-type'] === undefined) parts.push('-H', "'content-type:'"); // or curl would say that it is a form
  const bytes = Buffer.from(body.text, 'latin1');
  if (!isUtf8(bytes) || bytes.some((byte) => byte < 4)) {
    const isShown = held.hidden(hiddenInBody(body.text, MASK, held.names)) === body.text;
    if (!isShown) return undefined;
    return `printf ${octal(bytes)} | ${parts.join(' ')} --data-binary @-`;
  }
  const text = held.hidden(hiddenInBody(bytes.toString('utf8'), SECRET, held.names), SECRET);
  return `${parts.join(' ')} --data-raw ${quoted(text)}`;
}

function addressOf(target: string, held: Held, keys: Held | undefined): string {
  const known = keys ? keys.hidden(target, KEY) : target;
  const shown = hiddenInAddress(known, (secret) => (secret === KEY ? KEY : SECRET));
  return held.hidden(shown, SECRET);
}

/** The header that had a usable key of the account; undefined where it was not in a header, or none. */
function keyHeader({ headers, refusal }: Exchange, address: string): string | undefined {
  if (WITHOUT_KEY.has(refusal)) return undefined;
  if (headers['x-api-key']) return 'x-api-key';
  return address.includes(KEY) ? undefined : 'authorization'; // authentication.key-elsewhere
}

/** In double quotes where all that the shell reads in them is a variable, and otherwise in single quotes around it. */
function quoted(text: string): string {
  if (!READ.test(text)) {
    const named = text.replaceAll(MARK, (mark) => `$${VARIABLES[mark]}`);
    if (named !== text) return `"${named}"`;
  }
  const around = `'${text.replaceAll("'", "'\\''")}'`.replaceAll(MARK, (mark) => `'"$${VARIABLES[mark]}"'`);
  return around.replace(/^''(?=")|(?<=")''$/g, '');
}

/** What came as a byte outside ASCII leaves as one. */
function printable(target: string): string {
  const escaped = (letter: string) =>
    letter.charCodeAt(0) < 256 ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : encodeURIComponent(letter);
  return target.replace(/[^!-~]/g, (letter) => (letter in VARIABLES ? letter : escaped(letter)));
}

/** For printf, which reads octal numbers everywhere. */
function octal(bytes: Buffer): string {
  let text = "'";
  for (const byte of bytes) text += `\\${byte.toString(8).padStart(3, '0')}`;
  return `${text}'`;
}
