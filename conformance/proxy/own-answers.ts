import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** The header with the token of a proxy that listens for other machines; the proxy does not forward it. */
export const TOKEN_HEADER = 'x-giftcard-sandbox-proxy-token';

/** The header that marks an answer of the proxy itself; its value is the reason. */
export const OWN_ANSWER = 'x-giftcard-sandbox-proxy';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export const isToken = (given: unknown, token: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(token));

/** Answers in place of the target. */
export function answerOurselves(response: ServerResponse, status: number, reason: string, sentence: string): void {
  const body = `${sentence}\n`;
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    [OWN_ANSWER]: reason,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
