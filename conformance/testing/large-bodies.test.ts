import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import '../questions/index.ts';
import { Transport } from '../http/transport.ts';

const source = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((line) => {
    line.on('error', () => {});
    line.once('data', () => {
      line.pause();
      line.write('HTTP/1.1 413 Content Too Large\\r\\nConnection: close\\r\\nContent-Length: 3\\r\\n\\r\\nno!');
      line.destroySoon();
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** A server that returns 413 after the headers, and closes the connection while the client is still writing. The server runs in its own thread. */
async function startEarlyRefusing(): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = new Worker(source, { eval: true });
  const [port] = await once(server, 'message');
  return { url: `http://127.0.0.1:${port}`, close: () => server.terminate() };
}

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => new Promise<void>((done) => server.close(() => done())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an early rejection of a large request is read, although the connection closes', async () => {
  const { url, close } = await startEarlyRefusing();
  ends.push(close);
  const transport = new Transport({ url });
  const text = ' '.repeat(8_000_000);
  const sent = { method: 'POST', path: '/api', headers: {}, text };
  for (let time = 0; time < 12; time += 1) expect(await transport.send(sent)).toMatchObject({ status: 413, body: 'no!' });
  await transport.close();
});

test('a large body arrives complete, with its length', async () => {
  const url = await listening(
    createServer(async (request, response) => {
      const { length } = await buffer(request);
      response.end(`${request.headers['content-length']} ${length}`);
    }),
  );
  const transport = new Transport({ url });
  const sent = { method: 'POST', path: '/api', headers: {}, text: 'é'.repeat(30_000) };
  expect(await transport.send(sent)).toMatchObject({ body: '60000 60000' });
  await transport.close();
});
