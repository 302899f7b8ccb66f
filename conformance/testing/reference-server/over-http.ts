import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * Serves at a local address in unusual lawful ways: gzip that no client requested, small chunks, a byte order mark before JSON, header names in
 * capitals, a clock that is seven minutes slow, HTML for refusals whose form is open, one connection per request.
 */
export async function overHttp(fetch: (request: Request) => Promise<Response>): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const body = parts.length > 0 ? { body: new Uint8Array(Buffer.concat(parts)) } : {};
    const { method = 'GET' } = request;
    await write(await fetch(new Request(`http://127.0.0.1${request.url}`, { method, headers, ...body })), response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function write(answer: Response, response: ServerResponse): Promise<void> {
  const isPage = [401, 402, 404, 429].includes(answer.status);
  const text = isPage ? '<!doctype html><title>No</title><h1>No.</h1>' : await answer.text();
  const type = isPage ? 'text/html' : (answer.headers.get('content-type') ?? '');
  response.sendDate = false;
  response.writeHead(answer.status, {
    'CONTENT-TYPE': type,
    'CONTENT-ENCODING': 'gzip',
    CONNECTION: 'close',
    DATE: new Date(Date.now() - 7 * 60_000).toUTCString(),
  });
  const bytes = gzipSync(/json/.test(type) ? `\uFEFF${text}` : text);
  for (let start = 0; start < bytes.length; start += 100) response.write(bytes.subarray(start, start + 100));
  response.end();
}
