import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { InProcessFetch } from '../core/target.ts';
import { unpacked } from './unpacked.ts';

/** A request as it leaves. */
export interface Sent {
  base: string;
  /** Whether it is for the target itself, which may be asked without a socket. */
  own: boolean;
  odd: boolean;
  /** It is no request of the service: what it carries may be secret, and only the profile knows what. */
  outside?: boolean;
  method: string;
  path: string;
  headers: Record<string, string>;
  text: string | undefined;
}

/** An answer as it came. */
export interface Received {
  status: number;
  /** By name in small letters. */
  headers: Readonly<Record<string, string>>;
  contentType: string;
  body: string;
}

/** Bytes up to which a body is sent at once. */
const atOnce = 16_384;
/** Milliseconds that a server has to refuse a larger one by its head. */
const leaveToRefuse = 200;
/** Milliseconds: some servers close a connection that was idle for two seconds, which a request that leaves just then finds out too late. */
const usedAgainWithin = 1_000;
/** Milliseconds: how soon a service answers is not given. */
const requestTimeout = 30_000;
const largestBody = 5_000_000;
/** As much as the proxy takes; what stands in front of a service adds long cookies and traces. */
const largestHead = 65_536;

/** Carries requests over sockets or, to a target in this process, without one. */
export class Transport {
  readonly #fetch: InProcessFetch | undefined;
  readonly #timeout: number;
  readonly #lasting = new Agent({ connections: 4, keepAliveTimeout: usedAgainWithin, maxHeaderSize: largestHead });
  /** A connection for each request. */
  readonly #passing = new Agent({ connections: 4, pipelining: 0, maxHeaderSize: largestHead });
  #agent = this.#lasting;

  /** `timeout` is in milliseconds. */
  constructor(fetch: InProcessFetch | undefined, timeout = requestTimeout) {
    this.#fetch = fetch;
    this.#timeout = timeout;
  }

  /** Throws where no answer comes, or one that is too large. */
  async carry(sent: Sent): Promise<Received> {
    const signal = AbortSignal.timeout(this.#timeout);
    try {
      return await this.#carried(sent, signal);
    } catch (error) {
      throw signal.aborted ? new Error(`nothing came within ${this.#timeout / 1_000} s`) : error;
    }
  }

  async #carried({ base, own, odd, method, path, headers, text }: Sent, signal: AbortSignal): Promise<Received> {
    const url = base + path;
    // As bytes, of which no library guesses a content type.
    const body = text === undefined ? null : Buffer.from(text);
    if (this.#fetch && own) {
      const asked = this.#fetch(new Request(url, { method, headers, body }), { odd });
      return Promise.race([asked.then(wholly), aborted(signal)]);
    }
    const isLarge = body !== null && body.length > atOnce;
    const ask = async (dispatcher: Agent) => {
      const response = await request(url, {
        method: method as 'GET',
        headers: isLarge ? { ...headers, 'content-length': String(body.length) } : headers,
        body: isLarge ? Readable.from(hesitantly(body)) : body,
        signal,
        dispatcher,
      });
      return received(response.statusCode, response.headers, await bounded(response.body));
    };
    const agent = this.#agent;
    try {
      return await ask(agent);
    } catch (error) {
      if (agent === this.#passing || isLarge || !isCut(error)) throw error;
      // Some servers close a connection that they have answered on and do not say so; from now on none is used twice.
      this.#agent = this.#passing;
      if (method !== 'GET') throw error;
      return ask(this.#passing);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#lasting.close(), this.#passing.close()]);
  }
}

/** A server may refuse a large body by its head and close; who is still writing then finds the line broken before the answer is read. */
async function* hesitantly(body: Buffer): AsyncGenerator<Buffer> {
  yield body.subarray(0, atOnce);
  await sleep(leaveToRefuse);
  yield body.subarray(atOnce);
}

/** Whether a connection that stood was closed in place of an answer, or of the rest of one. */
export function isCut(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return ['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'].includes(code ?? '');
}

function received(status: number, named: Readonly<Record<string, string | string[] | undefined>>, bytes: Buffer): Received {
  const headers = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value ?? '')]));
  return { status, headers, contentType: headers['content-type'] ?? '', body: textOf(bytes, headers['content-encoding'] ?? '') };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

const wholly = async ({ status, headers, body }: Response): Promise<Received> =>
  received(status, Object.fromEntries(headers), await bounded(body ?? []));

async function bounded(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > largestBody) throw new Error(`the answer is larger than ${largestBody} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A server may pack what nobody asked it to pack, and may mark the order of bytes. */
function textOf(bytes: Buffer, encoding: string): string {
  const plain = unpacked(bytes, encoding, largestBody);
  if (plain === undefined) throw new Error(`the answer is larger than ${largestBody} bytes`);
  return new TextDecoder().decode(plain);
}
