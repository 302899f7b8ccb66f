import { SIGNATURE_HEADER, sign } from './signature.ts';

/** The HTTP request of a delivery; the body's bytes are its UTF-8. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A request signed with the token, or unsigned without one (delivery.signed-with-token, delivery.unsigned-without-token). The token itself is
 * never sent (delivery.token-never-sent).
 */
export function signedRequest(body: string, token: string | null): SignedRequest {
  const headers = { 'content-type': 'application/json' };
  if (token === null) return { headers, body };
  return { headers: { ...headers, [SIGNATURE_HEADER]: sign(Buffer.from(body, 'utf8'), token) }, body };
}

/** The same JSON in other bytes: keys reversed, whitespace where JSON allows it, characters beyond ASCII escaped. */
export function reSerialized(body: string): string {
  const entries = Object.entries(JSON.parse(body) as Readonly<Record<string, unknown>>).reverse();
  const lines = entries.map(([name, value]) => `\t${JSON.stringify(name)} : ${JSON.stringify(value)}`);
  const text = `{\r\n${lines.join(' ,\r\n')}\r\n}\n`;
  return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
