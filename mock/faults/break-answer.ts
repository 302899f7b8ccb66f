import type { ServerResponse } from 'node:http';
import { later } from '../account/clock.ts';
import type { Answer } from '../pipeline/exchange.ts';
import type { StruckRequest } from './faults.ts';

/** The answer that a fault gives in place of the service; status 0 if there is none, as in logs. The service's own 429 is not made here. */
export function answerOf({ rule }: StruckRequest): Answer {
  if (rule.fault !== 'status') return { status: 0, headers: {}, body: '' };
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { status: rule.status ?? 500, headers, body: rule.body ?? '' };
}

interface Answered {
  readonly answer: Answer;
  readonly cause: unknown;
  readonly fault: StruckRequest | undefined;
}

/** The handled request with the fault's answer, if the fault has one; `heldBack` as in StruckRequest. */
export function withFault<H extends Answered>(handled: H, heldBack: Set<() => void>): H {
  if (!handled.fault) return handled;
  const fault: StruckRequest = { ...handled.fault, heldBack };
  if (fault.rule.when !== 'after') return { ...handled, fault };
  fault.strike.changed = handled.cause !== undefined;
  return fault.rule.fault === 'status' ? { ...handled, fault, answer: answerOf(fault) } : { ...handled, fault };
}

/** Sends an answer with its fault over a socket; `writeHead` writes status and headers, `send` the whole answer. */
export function sendBroken(
  struck: StruckRequest,
  { body }: Answer,
  response: ServerResponse,
  writeHead: () => void,
  send: () => void,
): void {
  const cancel = afterDelay(struck, () => {
    const { fault } = struck.rule;
    if (fault === 'reset') response.socket?.resetAndDestroy();
    else if (fault === 'truncate') {
      writeHead();
      response.write(firstHalf(body), () => response.socket?.destroy());
    } else send();
  });
  response.once('close', cancel);
}

/**
 * Answers an in-process fetch with a fault. It fails as fetch over a connection does: with the signal's reason if the caller aborts, and as a closed
 * socket if the sandbox closes.
 */
export function fetchBroken(
  struck: StruckRequest,
  { body }: Answer,
  whole: () => Response,
  signal: AbortSignal,
): Promise<Response> {
  const { fault } = struck.rule;
  return new Promise((resolve, reject) => {
    const release = () => {
      signal.removeEventListener('abort', abort);
      struck.heldBack?.delete(close);
    };
    const breakOff = (reason: unknown) => {
      release();
      cancel();
      reject(reason);
    };
    const abort = () => breakOff(signal.reason);
    const close = () => breakOff(networkError('fetch failed', 'UND_ERR_SOCKET', 'other side closed'));
    signal.addEventListener('abort', abort);
    struck.heldBack?.add(close);
    const cancel = afterDelay(struck, () => {
      release();
      if (fault === 'reset') reject(networkError('fetch failed', 'ECONNRESET', 'read ECONNRESET'));
      else if (fault === 'truncate') resolve(truncated(whole(), firstHalf(body)));
      else resolve(whole());
    });
    if (signal.aborted) abort();
  });
}

/** Calls `send` after the rule's delay. The returned function cancels it, and records that the client did not wait. */
function afterDelay({ strike, rule: { milliseconds } }: StruckRequest, send: () => void): () => void {
  if (milliseconds === 0) {
    send();
    return () => {};
  }
  let isWaiting = true;
  const cancel = later(milliseconds, () => {
    isWaiting = false;
    send();
  });
  return () => {
    if (isWaiting) strike.abandoned = true;
    isWaiting = false;
    cancel();
  };
}

function truncated({ status, headers }: Response, bytes: Uint8Array): Response {
  const body = new ReadableStream(
    {
      start: (controller) => controller.enqueue(bytes),
      pull: (controller) => controller.error(networkError('terminated', 'UND_ERR_SOCKET', 'other side closed')),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}

function networkError(message: string, code: string, reason: string): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });
}

function firstHalf(body: Answer['body']): Buffer {
  const bytes = Buffer.from(body as string);
  return bytes.subarray(0, bytes.length >> 1);
}
