import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { OWN_ANSWER } from './door.ts';
import type { Headers, Lost } from './passed.ts';

/** Answers in the place of the target, marked as our own; `why` is the mark. */
export function answerOurselves(response: ServerResponse, status: number, why: string, sentence: string): void {
  const body = `${sentence}\n`;
  // In words of its own, since those of an answer that could not be passed on may be there still.
  response.writeHead(status, STATUS_CODES[status], {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    [OWN_ANSWER]: why,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The same to what cannot be read as a request, so that there is nothing to answer through. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, isAnswering: boolean): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = 'The proxy cannot read this as an HTTP request; nothing was passed on.\n';
  const headers = [
    `${OWN_ANSWER}: unreadable`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** An answer with that mark is of another proxy on the way, or of this one where its target leads back to it: none of the service. */
export function lostOnTheWay(headers: Headers | undefined): Lost | undefined {
  const mark = headers?.get(OWN_ANSWER);
  if (mark === undefined) return undefined;
  return { why: 'answered by another proxy', unsent: mark === 'token' || mark === 'unreadable', code: mark.slice(0, 20) };
}
