import type { ServiceResponse } from '../pipeline/exchange.ts';

/** `policy` is the Content-Security-Policy. */
export function pageResponse(html: string, policy: string): ServiceResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'accept',
  };
  return { status: 200, headers, body: html };
}

export function plainResponse(status: number, sentence: string): ServiceResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: `${sentence}\n`,
  };
}
