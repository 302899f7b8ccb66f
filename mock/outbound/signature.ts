import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Loads node:crypto at the first use, because loading would delay the start by 5 ms. */
const loadCrypto = () => require('node:crypto') as typeof import('node:crypto');

/** The header of a signed delivery (delivery.signature-header-case). */
const SIGNATURE_HEADER = 'HMAC-Signature-SHA256';

/** Returns the Base64 of the HMAC-SHA256 of these bytes, keyed with the token (delivery.signature-covers-raw-bytes). */
export function sign(body: Uint8Array, token: string): string {
  return loadCrypto().createHmac('sha256', token).update(body).digest('base64');
}

/**
 * Reports whether the signature of a received delivery is correct. `rawBody` is the body before any JSON parsing, as bytes or text. `header` is the
 * value of HMAC-Signature-SHA256.
 * @throws TypeError for a parsed body or a missing token.
 */
export function verifySignature(rawBody: Uint8Array | string, header: string | undefined | null, token: string): boolean {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError('rawBody must be the received body before any JSON parsing, as bytes or as text.');
  if (typeof token !== 'string') throw new TypeError("token must be the webhook's requestHeaderVerificationToken, a string.");
  if (typeof header !== 'string') return false;
  const bytes = typeof rawBody === 'string' ? Buffer.from(rawBody, 'utf8') : rawBody;
  const [given, right] = [Buffer.from(header), Buffer.from(sign(bytes, token))];
  return given.length === right.length && loadCrypto().timingSafeEqual(given, right);
}

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs a request if the webhook has a token (delivery.signed-with-token, delivery.unsigned-without-token, delivery.token-never-sent). */
export function signRequest(body: string, token: string | null): SignedRequest {
  const headers = { 'content-type': 'application/json' };
  if (token === null) return { headers, body };
  return { headers: { ...headers, [SIGNATURE_HEADER]: sign(Buffer.from(body, 'utf8'), token) }, body };
}

/** Returns the same JSON in other bytes, for a fault: only a receiver that checks the received bytes accepts the signature. */
export function reSerialize(body: string): string {
  const entries = Object.entries(JSON.parse(body) as Readonly<Record<string, unknown>>).reverse();
  const lines = entries.map(([name, value]) => `\t${JSON.stringify(name)} : ${JSON.stringify(value)}`);
  const text = `{\r\n${lines.join(' ,\r\n')}\r\n}\n`;
  return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
