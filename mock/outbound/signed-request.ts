import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { PostLimits, PostResult } from './post.ts';
import { SIGNATURE_HEADER, sign } from './signature.ts';

/** The HTTP request of a delivery; the body's bytes are its UTF-8. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signed with the token, or unsigned without one; the token itself is never sent (delivery.signed-with-token, delivery.unsigned-without-token, delivery.token-never-sent). */
export function signedRequest(body: string, token: string | null): SignedRequest {
  const headers = { 'content-type': 'application/json' };
  if (token === null) return { headers, body };
  return { headers: { ...headers, [SIGNATURE_HEADER]: sign(Buffer.from(body, 'utf8'), token) }, body };
}

/** delivery.time-out, delivery.redirects */
export function postLimits(behaviors: Behaviors): PostLimits {
  return { seconds: Number(behaviors['delivery.time-out']), followsRedirects: behaviors['delivery.redirects'] === 'followed' };
}

/** delivery.any-2xx-succeeds, delivery.failure */
export function isDelivered(result: PostResult, behaviors: Behaviors): boolean {
  if ('error' in result) return false;
  if (behaviors['delivery.failure'] === 'no-answer-or-5xx') return result.status < 500;
  return result.status >= 200 && result.status < 300;
}
