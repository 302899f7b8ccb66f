import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Letter } from '../outbound/delivery.ts';
import { sign } from '../outbound/signature.ts';
import { letterOf, signed } from '../outbound/signed-request.ts';

/** Deliveries as a receiver must be ready for, and as it must not fall for. */

/** Signed by somebody who does not know the token. */
export function wronglySigned(body: string, token: string, behaviors: Behaviors): Letter {
  return signed(body, sign(Buffer.from(body, 'utf8'), `not ${token}`), behaviors);
}

/** The same JSON in other bytes, rightly signed: keys the other way round, blanks where JSON allows them, letters beyond ASCII escaped. */
export function unusual(body: string, token: string | null, behaviors: Behaviors): Letter {
  return letterOf(inOtherBytes(body), token, behaviors);
}

/** Other bytes, with the signature of what comes of parsing them and writing them anew: right only for a receiver that does so before it checks. */
export function signedAfterParsing(body: string, token: string, behaviors: Behaviors): Letter {
  const other = inOtherBytes(body);
  return signed(other, sign(Buffer.from(JSON.stringify(JSON.parse(other)), 'utf8'), token), behaviors);
}

function inOtherBytes(body: string): string {
  const entries = Object.entries(JSON.parse(body) as Readonly<Record<string, unknown>>).reverse();
  const lines = entries.map(([name, value]) => `\t${JSON.stringify(name)} : ${JSON.stringify(value)}`);
  const text = `{\r\n${lines.join(' ,\r\n')}\r\n}\n`;
  return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
