import type { Exchange } from '../http/exchange.ts';
import { shellWord } from './escape.ts';

/** Matches pseudonyms of keys and of values of a run: «key», «run», card#1, card#1.recipient. */
const pseudonym = /«([\w .]+)»|\b([a-z]+)#(\d+(?:\.(?:id|mark|recipient))?)/g;

/** Returns a line for a POSIX shell that repeats the request. Pseudonyms are variables to set first. */
export function curlOfExchange({ method, elsewhere, path, requestHeaders, requestBody }: Exchange, target: string): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`);
  // Without a content-type header, curl adds the type of a form. An empty header prevents this.
  const isTyped = Object.keys(requestHeaders).some((name) => name.toLowerCase() === 'content-type');
  const isPrinted = escapes.test(requestBody ?? '');
  return [
    ...(isPrinted ? [`printf %b ${word(requestBody ?? '', (part) => shellWord(escaped(part)))} |`] : []),
    'curl -sSg',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    word((elsewhere ?? target) + path),
    ...headers,
    ...(requestBody === undefined || isTyped ? [] : [`-H 'content-type:'`]),
    ...(isPrinted ? ['--data-binary @-'] : requestBody === undefined ? [] : [`--data-raw ${word(requestBody)}`]),
  ].join(' ');
}

const escapes = /[\p{Cc}\p{Cf}]/u;

/** Escapes line breaks and other control characters for `printf`, because a word of a POSIX shell has no escapes. */
function escaped(text: string): string {
  const octal = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`;
  return text.replace(/[\p{Cc}\p{Cf}\\]/gu, (c) =>
    c === '\n' ? '\\n' : c === '\\' ? '\\\\' : [...Buffer.from(c)].map(octal).join(''),
  );
}

/** Returns one word for a shell. Replaces each pseudonym by a quoted variable. */
function word(text: string, quote = shellWord): string {
  const quoted = (part: string) => (part === '' ? '' : quote(part));
  let shell = '';
  let end = 0;
  for (const { 0: whole, 1: name, 2: kind, 3: rest = '', index } of text.matchAll(pseudonym)) {
    const variable = name === undefined ? `${kind}_${rest.replace('.', '_')}` : variableFor(name);
    shell += `${quoted(text.slice(end, index))}"$${variable}"`;
    end = index + whole.length;
  }
  return shell + quoted(text.slice(end));
}

function variableFor(name: string): string {
  if (name === 'run') return name;
  return name === 'key' ? 'GIFTCARD_API_KEY' : name.replace(/[A-Z .]/g, (c) => `_${c.replace(/[ .]/, '')}`).toUpperCase();
}
