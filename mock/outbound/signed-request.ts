import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Letter } from './delivery.ts';
import type { Patience, Posted } from './post.ts';
import { SIGNATURE_HEADER, sign } from './signature.ts';

/** How an account's deliveries are sent, and what it makes of the answers. */

/** The letter as the service sends it (delivery.signed-with-token, delivery.unsigned-without-token, delivery.token-never-sent). */
export function letterOf(body: string, token: string | null, behaviors: Behaviors): Letter {
  return token === null ? unsigned(body, behaviors) : signed(body, sign(Buffer.from(body, 'utf8'), token), behaviors);
}

export function unsigned(body: string, behaviors: Behaviors): Letter {
  const withCharset = behaviors['delivery.content-type'] === 'with-charset';
  return { headers: { 'content-type': withCharset ? 'application/json; charset=utf-8' : 'application/json' }, body };
}

export function signed(body: string, signature: string, behaviors: Behaviors): Letter {
  const isLower = behaviors['delivery.signature-header-case'] === 'lower-case';
  const { headers } = unsigned(body, behaviors);
  return { headers: { ...headers, [isLower ? SIGNATURE_HEADER.toLowerCase() : SIGNATURE_HEADER]: signature }, body };
}

/** delivery.time-out, delivery.redirects */
export function patienceOf(behaviors: Behaviors): Patience {
  return { seconds: Number(behaviors['delivery.time-out']), followsRedirects: behaviors['delivery.redirects'] === 'followed' };
}

/** delivery.any-2xx-succeeds, delivery.failure */
export function isDelivered(posted: Posted, behaviors: Behaviors): boolean {
  if ('error' in posted) return false;
  if (behaviors['delivery.failure'] === 'no-answer-or-5xx') return posted.status < 500;
  return posted.status >= 200 && posted.status < 300;
}
