import { createHash, timingSafeEqual } from 'node:crypto';

/** What carries the token of a proxy that listens for other machines; it is not passed on. */
export const TOKEN_HEADER = 'x-giftcard-sandbox-proxy-token';

/** Marks an answer that the proxy gave itself, so that nobody takes it for the service's; its value says why. */
export const OWN_ANSWER = 'x-giftcard-sandbox-proxy';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compared in a time that says nothing of the token. */
export const isToken = (given: unknown, token: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
