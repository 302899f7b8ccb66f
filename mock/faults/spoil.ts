import type { ServerResponse } from 'node:http';
import { later } from '../account/clock.ts';
import type { Answer } from '../pipeline/exchange.ts';
import type { Strike } from './faults.ts';

/** How a fault shows: in the answer itself, or in what becomes of it on its way. */

/** No answer at all, as in a log. */
const NONE: Answer = { status: 0, headers: {}, body: '' };

/** What a fault answers in the service's place; the service's own 429 is not made here. */
export function answerOf({ rule }: Strike): Answer {
  if (rule.fault !== 'status') return NONE;
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { status: rule.status ?? 500, headers, body: rule.body ?? '' };
}

/** What was handled, with the fault's answer in place of the service's where it has one of its own; `heldBack` as in a strike. */
export function spoilt<H extends { readonly answer: Answer; readonly cause: unknown; readonly fault: Strike | undefined }>(
  handled: H,
  heldBack: Set<() => void>,
): H {
  if (!handled.fault) return handled;
  const fault: Strike = { ...handled.fault, heldBack };
  if (fault.rule.when !== 'after') return { ...handled, fault };
  fault.trial.done = handled.cause !== undefined;
  return fault.rule.fault === 'status' ? { ...handled, fault, answer: answerOf(fault) } : { ...handled, fault };
}

/** Sends what is left of an answer over a socket; `head` writes status and headers as for the whole, `whole` all of it. */
export function sendSpoilt(
  strike: Strike,
  { body }: Answer,
  response: ServerResponse,
  head: () => void,
  whole: () => void,
): void {
  const { fault, milliseconds } = strike.rule;
  const send = () => {
    if (fault === 'reset') response.socket?.resetAndDestroy();
    else if (fault === 'truncate') {
      head();
      response.write(half(body), () => response.socket?.destroy());
    } else whole();
  };
  const callOff = held(strike, milliseconds, send);
  response.once('close', callOff);
}

/**
 * The same for an answer to fetch, which never sees a connection: what breaks, breaks as with fetch over one. Rejects with the signal's reason
 * when the caller does not wait, and as over a connection when the sandbox closes.
 */
export function fetchSpoilt(strike: Strike, { body }: Answer, whole: () => Response, signal: AbortSignal): Promise<Response> {
  const { fault, milliseconds } = strike.rule;
  return new Promise((resolve, reject) => {
    const over = () => {
      signal.removeEventListener('abort', leave);
      strike.heldBack?.delete(close);
    };
    const breakOff = (reason: unknown) => {
      over();
      callOff();
      reject(reason);
    };
    const leave = () => breakOff(signal.reason);
    const close = () => breakOff(broken('fetch failed', 'UND_ERR_SOCKET', 'other side closed'));
    signal.addEventListener('abort', leave);
    strike.heldBack?.add(close);
    const callOff = held(strike, milliseconds, () => {
      over();
      if (fault === 'reset') reject(broken('fetch failed', 'ECONNRESET', 'read ECONNRESET'));
      else if (fault === 'truncate') resolve(cutOff(whole(), half(body)));
      else resolve(whole());
    });
    if (signal.aborted) leave();
  });
}

/** Calls `send` when its time has come; what is returned calls it off, and notes that the caller left. */
function held({ trial }: Strike, milliseconds: number, send: () => void): () => void {
  let waits = true;
  const go = () => {
    waits = false;
    send();
  };
  if (milliseconds === 0) {
    go();
    return () => {};
  }
  const callOff = later(milliseconds, go);
  return () => {
    if (waits) trial.left = true;
    waits = false;
    callOff();
  };
}

function cutOff({ status, headers }: Response, bytes: Uint8Array): Response {
  const body = new ReadableStream(
    {
      start: (controller) => controller.enqueue(bytes),
      pull: (controller) => controller.error(broken('terminated', 'UND_ERR_SOCKET', 'other side closed')),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}

function broken(message: string, code: string, reason: string): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });
}

/** The first half of a body, in bytes. */
function half(body: Answer['body']): Buffer {
  const bytes = Buffer.from(body as string);
  return bytes.subarray(0, bytes.length >> 1);
}
