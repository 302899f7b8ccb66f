import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** The header with the token of a proxy that listens for other machines; the proxy does not forward it. */
export const TOKEN_HEADER = 'x-giftcard-sandbox-proxy-token';

/** The header that marks an answer of the proxy itself; its value is the reason. */
export const OWN_ANSWER = 'x-giftcard-sandbox-proxy';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares the token in constant time. */
export const isToken = (given: unknown, token: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(token));

/** Answers in place of the target. */
export function answerInsteadOfTarget(response: ServerResponse, status: number, reason: string, sentence: string): void {
  const body = `${sentence}\n`;
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    [OWN_ANSWER]: reason,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Headers of one connection (RFC 9110, 7.6.1), which a proxy does not forward. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of an answer without those of the connection. */
export const keepAnswerHeaders = (raw: readonly string[]): string[] => without(raw, ofConnection);

/** The headers of a request without those of the connection, the host and the proxy's own token. */
export const keepRequestHeaders = (raw: readonly string[]): string[] =>
  without(raw, new Set([...ofConnection, 'host', 'expect', TOKEN_HEADER]));

/** Raw headers of node alternate names and values. */
function without(raw: readonly string[], names: ReadonlySet<string>): string[] {
  const all = pairs(raw);
  const named = all
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','));
  const left = new Set([...names, ...named.map((name) => name.trim())]);
  return all.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

/** By name in lower case. A repeated header has its last value. */
export const headersOf = (raw: readonly string[]): Record<string, string> =>
  Object.fromEntries(pairs(raw).map(([name, value]) => [name.toLowerCase(), value]));

function pairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}
