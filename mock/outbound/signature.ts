import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Loaded at the first use, since loading it takes 5 ms of a start. */
const loadCrypto = () => require('node:crypto') as typeof import('node:crypto');

/** The header of a signed delivery (delivery.signature-header-case). */
export const SIGNATURE_HEADER = 'HMAC-Signature-SHA256';

/** Base64 of the HMAC-SHA256 of exactly these bytes, keyed with the token (delivery.signature-covers-raw-bytes). */
export function sign(body: Uint8Array, token: string): string {
  return loadCrypto().createHmac('sha256', token).update(body).digest('base64');
}

/**
 * Whether a delivery's signature is right, for receivers. `rawBody` is the body as it came, before any JSON parsing: bytes, or the text that was
 * decoded from them. `header` is the value of HMAC-Signature-SHA256, or undefined when there was none. Lengths are compared first, then the
 * texts in constant time.
 * @throws TypeError for a body that was parsed already, and without a token: neither could ever be verified.
 */
export function verifySignature(rawBody: Uint8Array | string, header: string | undefined | null, token: string): boolean {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError('rawBody is the body as it came, as bytes or as text, before any JSON parsing.');
  if (typeof token !== 'string') throw new TypeError("token is the webhook's requestHeaderVerificationToken, a text.");
  if (typeof header !== 'string') return false;
  const bytes = typeof rawBody === 'string' ? Buffer.from(rawBody, 'utf8') : rawBody;
  const [given, right] = [Buffer.from(header), Buffer.from(sign(bytes, token))];
  return given.length === right.length && loadCrypto().timingSafeEqual(given, right);
}
