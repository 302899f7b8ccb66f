import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

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
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', [OWN_ANSWER]: reason });
  response.end(`${sentence}\n`);
}

/** Headers of one connection (RFC 9110, 7.6.1), which a proxy does not forward. */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The headers that a proxy forwards: not those of the connection, and not the given ones. */
export function forwardedHeaders(headers: IncomingHttpHeaders, ...without: string[]): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const left = new Set([...ofConnection, ...named, ...without]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name)));
}
