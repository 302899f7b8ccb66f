import { cookieOf, isEqual } from '../control/guard.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';
import { plainResponse } from './page-response.ts';

export type SignIn = (request: ServiceRequest) => ServiceResponse;

/**
 * Returns a function that sets the cookie which page and event stream use in place of the header x-sandbox-token, or with DELETE removes it. The code of
 * the printed address works once, for a browser that opens a page: a program that only looks at the link does not use the code up. Later browsers send
 * the token, for which the page asks.
 */
export function signInHandler(token: string, code: string): SignIn {
  let isUsed = false;
  const attributes = 'Path=/__mock; HttpOnly; SameSite=Strict';
  const cookie = { 'set-cookie': `${cookieOf(token)}; ${attributes}` };
  const noCookie = { 'set-cookie': `${cookieOf(token).split('=', 1)}=; ${attributes}; Max-Age=0` };
  const page = { location: '/__mock/', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return ({ method, target, headers }) => {
    if (method === 'POST')
      return isEqual(headers['x-sandbox-token'], token)
        ? { status: 204, headers: cookie, body: '' }
        : plainResponse(401, 'This is not the token that the sandbox printed at its last start.');
    if (method === 'DELETE') return { status: 204, headers: noCookie, body: '' };
    const isPage = method === 'GET' && `${headers.accept}`.includes('text/html');
    const isCode = !isUsed && isPage && isEqual(new URLSearchParams(target.split('?', 2)[1]).get('code'), code);
    isUsed ||= isCode;
    return { status: 302, headers: { ...page, ...(isCode ? cookie : {}) }, body: '' };
  };
}
