import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Agent, request } from 'undici';
import type { Received } from './exchange.ts';
import type { Target } from './target.ts';

export interface Sent {
  /** Scheme, host and port, if the request goes to another server than the target. */
  elsewhere?: string | undefined;
  odd?: boolean | undefined;
  /** True for an out-of-band request. Its headers and body may contain secrets of the profile. */
  outside?: boolean;
  method: string;
  path: string;
  headers: Record<string, string>;
  text: string | undefined;
}

/** Largest body in bytes that is sent in one piece. */
const SINGLE_PIECE = 16_384;
/** Milliseconds before the rest of a large body is sent. In this time, a server may refuse the body because of the headers. */
const TIME_TO_REFUSE = 200;
/** Milliseconds to wait for a response. The specification states no limit. */
const RESPONSE_TIMEOUT = 30_000;
/** Bytes of the largest response that the client accepts. */
const LARGEST_BODY = 5_000_000;

/** Sends requests over sockets. If the target is in this process, calls its `fetch` instead. */
export class Transport {
  readonly #target: Pick<Target, 'url' | 'fetch'>;
  /** Milliseconds to wait for a response. */
  readonly #timeout: number;
  /**
   * The agent opens a new connection for each request. Some servers close idle connections without notice, and the next request would be lost.
   * New connections take time, and a burst must end long before a minute is over (scenarios/rate.ts). The agent therefore opens up to ten at a time.
   */
  readonly #agent = new Agent({ connections: 10, pipelining: 0, maxHeaderSize: 65_536, maxResponseSize: LARGEST_BODY });

  constructor(target: Pick<Target, 'url' | 'fetch' | 'responseTimeout'>) {
    this.#target = target;
    this.#timeout = target.responseTimeout ?? RESPONSE_TIMEOUT;
  }

  async send(sent: Sent): Promise<Received> {
    const signal = AbortSignal.timeout(this.#timeout);
    try {
      return await this.#sendBefore(sent, signal);
    } catch (error) {
      throw signal.aborted ? new Error(`no response within ${this.#timeout / 1_000} s`) : error;
    }
  }

  async #sendBefore({ elsewhere, odd = false, method, path, headers, text }: Sent, signal: AbortSignal): Promise<Received> {
    const url = (elsewhere ?? this.#target.url) + path;
    // The body is sent as bytes, so that no library adds a content type.
    const body = text === undefined ? null : Buffer.from(text);
    if (this.#target.fetch && elsewhere === undefined) {
      const response = this.#target.fetch(new Request(url, { method, headers, body }), { odd });
      return Promise.race([response.then(readResponse), rejectOnAbort(signal)]);
    }
    const isLarge = body !== null && body.length > SINGLE_PIECE;
    const response = await request(url, {
      method: method as 'GET',
      headers: isLarge ? { ...headers, 'content-length': String(body.length) } : headers,
      body: isLarge ? Readable.from(inTwoPieces(body)) : body,
      signal,
      dispatcher: this.#agent,
    });
    return toReceived(response.statusCode, response.headers, await buffer(response.body));
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/** Sends a large body in two pieces. A server may refuse the body and close the connection. If the client were still sending, it would lose the response. */
async function* inTwoPieces(body: Buffer): AsyncGenerator<Buffer> {
  yield body.subarray(0, SINGLE_PIECE);
  await sleep(TIME_TO_REFUSE);
  yield body.subarray(SINGLE_PIECE);
}

/** Reports whether an open connection was closed before the whole response was received. */
export function isCut(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return ['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'].includes(code ?? '');
}

/** Reports whether no connection was made, so that the target cannot have received the request. */
export function isRefusedConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'].includes(code ?? '');
}

function toReceived(status: number, named: Readonly<Record<string, string | string[] | undefined>>, bytes: Buffer): Received {
  const headers = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value ?? '')]));
  return { status, headers, contentType: headers['content-type'] ?? '', body: textOf(bytes, headers['content-encoding'] ?? '') };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

const readResponse = async (response: Response): Promise<Received> =>
  toReceived(response.status, Object.fromEntries(response.headers), Buffer.from(await response.arrayBuffer()));

/** Decodes a body. A server may compress a body although the client did not request it, and may send a byte order mark. */
function textOf(bytes: Buffer, encoding: string): string {
  const plain = decompress(bytes, encoding, LARGEST_BODY);
  if (plain === undefined) throw new Error(`the response is larger than ${LARGEST_BODY} bytes`);
  return new TextDecoder().decode(plain);
}

/** OpenSSL's error codes for a certificate of an unknown authority. */
const untrusted = /SELF_SIGNED|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/;

/** Returns why no response came, without a period, and with a remedy if there is one. */
export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', reason } = error as NodeJS.ErrnoException & { reason?: unknown };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'the port does not use TLS; it may use plain http';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'the response was cut off';
  const why = code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : error.message || code || error.name;
  return untrusted.test(code)
    ? `${why}; to trust the authority of the certificate, set NODE_EXTRA_CA_CERTS to the authority's PEM file`
    : why;
}

const decoders = new Map<string, typeof gunzipSync>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** Decompresses a body. Returns undefined for more than `most` bytes. If a gateway has already decompressed the body, returns the body unchanged. */
export function decompress(bytes: Buffer, encoding: string, most: number): Buffer | undefined {
  const decode = decoders.get(encoding.trim().toLowerCase());
  if (!decode || bytes.length === 0) return bytes;
  try {
    return decode(bytes, { maxOutputLength: most });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : bytes;
  }
}

/** Collects the bytes of a stream that has another reader. The returned function returns the bytes, or undefined for a body with more than `largest` bytes. */
export function collectBytes(stream: Readable, largest: number): () => Buffer | undefined {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on('data', (part: Buffer) => {
    size += part.length;
    if (size > largest) parts.length = 0;
    else parts.push(part);
  });
  // The listener above has started the stream. The pause keeps all bytes for the other reader, which resumes the stream.
  stream.pause();
  return () => (size > largest ? undefined : Buffer.concat(parts));
}
