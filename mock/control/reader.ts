import { createHash } from 'node:crypto';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import type { Guard } from './guard.ts';
import { isSecret } from './same-secret.ts';

/** Who reads the documents in a browser, which cannot send the token in a header: it gives the token once, in the address, and has a cookie from then on. */

const COOKIE = 'giftcard-sandbox-reader';
const PAGES = ['/__mock/reference', '/__mock/control-reference'];
const READ = [...PAGES, '/__mock/openapi.json', '/__mock/openapi.yaml', '/__mock/control.json', '/__mock/redoc.standalone.js'];

/** The way in, for a page that is asked for with the right token in its address: the same address without it, and a cookie. */
export function entryOf({ method, target }: ServiceRequest, { token }: Guard): Answer | undefined {
  const [path, query] = target.split('?', 2) as [string, string?];
  if (token === undefined || query === undefined || method !== 'GET' || !PAGES.includes(path)) return undefined;
  if (!isSecret(new URLSearchParams(query).get('token') ?? undefined, token)) return undefined;
  const cookie = `${COOKIE}=${passOf(token)}; Path=/__mock/; HttpOnly; SameSite=Strict`;
  return { status: 303, headers: { location: path, 'set-cookie': cookie, 'referrer-policy': 'no-referrer' }, body: '' };
}

/** Whether a request reads one of the documents, and carries the cookie of somebody who had the token. */
export function isReader({ method, target, headers }: ServiceRequest, token: string): boolean {
  if (method !== 'GET' || !READ.includes(target.split('?', 1)[0] as string)) return false;
  const cookies = typeof headers.cookie === 'string' ? headers.cookie.split(/; */) : [];
  return cookies.some((cookie) => isSecret(cookie, `${COOKIE}=${passOf(token)}`));
}

/** What the cookie holds: nothing from which the token could be had, which opens everything. */
function passOf(token: string): string {
  return createHash('sha256').update(`${COOKIE}\n${token}`).digest('hex');
}
