import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Target } from '../../core/target.ts';

/** Lawful ways of answering that are not the stranger's own, each around a service that answers in its way. */

type Serve = NonNullable<Target['fetch']>;
type Handler = (request: Request) => Promise<Response>;

/** The same with every JSON answer put in another way. A body of true stays what it is. */
export const answering =
  (serve: Handler, put: (json: unknown, path: string) => unknown): Serve =>
  async (request) => {
    const response = await serve(request);
    if (!response.ok || !/json/.test(response.headers.get('content-type') ?? '')) return response;
    const { pathname } = new URL(request.url);
    return Response.json(put(await response.json(), pathname), { status: response.status });
  };

/** Every leaf put in another way, by the name that it stands under. */
function eachLeaf(json: unknown, put: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (typeof json !== 'object' || json === null) return put(json, name);
  if (Array.isArray(json)) return json.map((item) => eachLeaf(item, put, name));
  return Object.fromEntries(Object.entries(json).map(([inner, value]) => [inner, eachLeaf(value, put, inner)]));
}

/** Each object says more than anybody asked for. */
export function withMore(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(withMore);
  const own = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withMore(value)]));
  return { revision: 3, ...own, tags: [], links: { self: 'https://cards.example/self', help: null }, isNew: true };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Histories, of which no types are given: times as numbers since 1970, amounts as text. */
export const numbersAndTexts = (json: unknown, path: string): unknown =>
  !path.includes('/ListAdjustments')
    ? json
    : eachLeaf(json, (value, name) => {
        if (isTime(value)) return Date.parse(/Z$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
        return name === 'number' ? Number(value).toFixed(2) : value;
      });

/** IDs that end in what is neither letter nor figure. */
export const endedIds = (serve: Handler): Serve => {
  const ended = answering(serve, (json) =>
    eachLeaf(json, (value) => (typeof value === 'number' && isOwnId(value) ? `${value}-` : value)),
  );
  const plain = (text: string) => text.replace(/(\d{7,})-(?=["/?]|$)/g, '$1');
  return async (request, about) =>
    ended(
      new Request(plain(request.url), {
        method: request.method,
        headers: request.headers,
        ...(request.body === null ? {} : { body: plain(await request.text()) }),
      }),
      about,
    );
};
const isOwnId = (value: number) => value >= 7_000_000 && value < 8_000_000;

/**
 * The service at an address of this machine: answers packed unasked, in pieces, JSON with a mark of byte order before it, names of headers in capitals, a
 * clock that is minutes off, pages in HTML where the form of a refusal is not given, and the connection closed after each. `close` ends it.
 */
export async function overSockets(serve: Handler): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const body = parts.length > 0 ? { body: new Uint8Array(Buffer.concat(parts)) } : {};
    const { method = 'GET' } = request;
    await answered(await serve(new Request(`http://127.0.0.1${request.url}`, { method, headers, ...body })), response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function answered(answer: Response, response: ServerResponse): Promise<void> {
  const isPage = [401, 402, 404, 429].includes(answer.status);
  const text = isPage ? '<!doctype html><title>No</title><h1>No.</h1>' : await answer.text();
  const type = isPage ? 'text/html' : (answer.headers.get('content-type') ?? '');
  const isJson = /json/.test(type);
  response.sendDate = false;
  response.writeHead(answer.status, {
    'CONTENT-TYPE': type,
    'CONTENT-ENCODING': 'gzip',
    CONNECTION: 'close',
    DATE: new Date(Date.now() - 7 * 60_000).toUTCString(),
  });
  const bytes = gzipSync(isJson ? `\uFEFF${text}` : text);
  for (let start = 0; start < bytes.length; start += 100) response.write(bytes.subarray(start, start + 100));
  response.end();
}
