import type { Answer } from '../pipeline/exchange.ts';

/** A page loads only files of the sandbox, sends only to the sandbox, and is in no frame of another page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function pageAnswer(status: number, html: string): Answer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'accept',
  };
  return { status, headers, body: html };
}

export function plainAnswer(status: number, sentence: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${sentence}\n` };
}
