import { timingSafeEqual } from 'node:crypto';

/** Whether what came is the secret, in a time that tells nothing of how much of it was right. */
export function isSecret(given: unknown, secret: string): boolean {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
