import type { InformationEvent, ServerResponse } from 'node:http';
import { pairs, passedBack } from './headers.ts';

/** An answer before the answer, such as 103; leave to send a body is given elsewhere, and HTTP/1.0 has none. While an earlier answer is under way it is left out. */
export function passInterim({ statusCode, statusMessage, rawHeaders }: InformationEvent, response: ServerResponse): void {
  if (statusCode === 100 || response.req.httpVersion === '1.0' || response.headersSent) return;
  const lines = pairs(passedBack(rawHeaders, false)).map(([name, value]) => `${name}: ${value}\r\n`);
  response.socket?.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
}
