import type { DeliveryRule } from '../faults/rules.ts';
import { type SignedRequest, signedRequest } from './signed-request.ts';

/** The request that a fault posts before the delivery, and that the receiver must reject; undefined for other faults. */
export function decoyRequest(fault: DeliveryRule['fault'], body: string, token: string | null): SignedRequest | undefined {
  if (token === null) return undefined;
  if (fault === 'wrong-signature') return signedRequest(body, `not ${token}`);
  return fault === 'unsigned' ? signedRequest(body, null) : undefined;
}

/** The request that a fault posts in place of the delivery's own; undefined for other faults. */
export function faultyRequest(fault: DeliveryRule['fault'], body: string, token: string | null): SignedRequest | undefined {
  return fault === 're-serialized' ? signedRequest(reSerialized(body), token) : undefined;
}

/** The same JSON in other bytes: keys reversed, whitespace where JSON allows it, characters beyond ASCII escaped. */
function reSerialized(body: string): string {
  const entries = Object.entries(JSON.parse(body) as Readonly<Record<string, unknown>>).reverse();
  const lines = entries.map(([name, value]) => `\t${JSON.stringify(name)} : ${JSON.stringify(value)}`);
  const text = `{\r\n${lines.join(' ,\r\n')}\r\n}\n`;
  return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
