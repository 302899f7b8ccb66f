import { cookieOf, isEqual } from '../control/guard.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import { plainAnswer } from './page-answer.ts';

/** Sets the cookie that page and event stream use in place of the header x-sandbox-token. Without a token, the page needs no cookie. */
export function signIn({ target }: ServiceRequest, token: string | undefined): Answer {
  const given = new URLSearchParams(target.split('?', 2)[1]).get('token') ?? '';
  const headers = { location: '/__mock/', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  if (token === undefined) return { status: 302, headers, body: '' };
  if (!isEqual(given, token))
    return plainAnswer(401, 'This is not the token of the sandbox. Open the address that the sandbox printed at its last start.');
  const cookie = `${cookieOf(token)}; Path=/__mock; HttpOnly; SameSite=Strict`;
  return { status: 302, headers: { ...headers, 'set-cookie': cookie }, body: '' };
}
