import type { ServerResponse } from 'node:http';
import { pause } from '../account/clock.ts';
import { type ServiceResponse, TEXT } from '../pipeline/exchange.ts';
import type { MatchedRequest } from './faults.ts';
import { WAITED } from './verdicts.ts';

/** Returns the response of a status fault. A reset sends no response, so the log shows the status 0. */
export function responseOf({ rule }: MatchedRequest): ServiceResponse {
  if (rule.fault !== 'status') return { status: 0, headers: {}, body: '' };
  return { status: rule.status ?? 500, headers: TEXT, body: rule.body ?? '' };
}

interface HandledWithFault {
  readonly response: ServiceResponse;
  readonly cause: unknown;
  readonly refusal: unknown;
  readonly fault: MatchedRequest | undefined;
}

/** For a fault after the handling, records if the request changed something. A status fault also replaces the response, but the change stays. */
export function withFault<H extends HandledWithFault>(handled: H): H {
  const { fault, cause, refusal } = handled;
  if (fault?.rule.when !== 'after') return handled;
  fault.match.changed = cause !== undefined && refusal === undefined;
  return fault.rule.fault === 'status' ? { ...handled, response: responseOf(fault) } : handled;
}

/** Sends a response with its fault over a socket. `writeHead` writes status and headers, `send` writes the whole response. */
export async function sendBroken(
  matchedFault: MatchedRequest,
  { body }: ServiceResponse,
  response: ServerResponse,
  writeHead: () => void,
  send: () => void,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  if (!(await waits(matchedFault, closed.signal))) return;
  const { fault } = matchedFault.rule;
  if (fault === 'reset') response.socket?.resetAndDestroy();
  else if (fault === 'truncate') {
    writeHead();
    response.write(firstHalf(body), () => response.socket?.destroy());
  } else send();
}

/** Sends a response with its fault to a caller in this process. Throws the same errors as a fetch over a socket. */
export async function fetchBroken(
  matchedFault: MatchedRequest,
  { body }: ServiceResponse,
  whole: () => Response,
  signal: AbortSignal,
): Promise<Response> {
  if (!(await waits(matchedFault, signal))) throw signal.reason;
  const { fault } = matchedFault.rule;
  if (fault === 'reset') throw networkError('fetch failed', 'ECONNRESET', 'read ECONNRESET');
  return fault === 'truncate' ? truncated(whole(), firstHalf(body)) : whole();
}

/** Returns the error of a fetch whose server has closed the connection. */
export function connectionClosed(): TypeError {
  return networkError('fetch failed', 'UND_ERR_SOCKET', 'other side closed');
}

/** Waits for the rule's delay. Returns false if the client disconnected or the sandbox was closed before the delay ended. */
async function waits({ match, rule: { fault, milliseconds } }: MatchedRequest, signal: AbortSignal): Promise<boolean> {
  if (milliseconds > 0) await pause(milliseconds, signal).catch(() => {});
  if (signal.aborted) return false;
  if (fault === 'delay' && match.verdict === 'waiting') Object.assign(match, WAITED);
  return true;
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

function firstHalf(body: ServiceResponse['body']): Buffer {
  const bytes = Buffer.from(body as string);
  return bytes.subarray(0, bytes.length >> 1);
}
