import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as listenTo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { passing } from '../proxy/forwarder.ts';
import type { Passed } from '../proxy/passed.ts';

/** What is to be ended after a test. */
export const endings: (() => unknown)[] = [];

/** A file that uses any of this does it after each of its tests. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}

export type Handler = (incoming: IncomingMessage, response: ServerResponse) => unknown;

export async function target(handler: Handler): Promise<string> {
  const server = createServer({ requireHostHeader: false, maxHeaderSize: 65_536 }, handler);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A target that says exactly that to each request. */
export async function spoken(answer: (asked: string) => string): Promise<string> {
  const server = listenTo((socket) => {
    socket.on('data', (asked) => socket.write(answer(asked.toString()), 'latin1'));
    socket.on('error', () => {});
    endings.push(() => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function proxyTo(url: string, token?: string) {
  const seen: Passed[] = [];
  const proxy = await passing({ target: url, host: '127.0.0.1', port: 0, token, seen: (passed) => seen.push(passed) });
  endings.push(() => proxy.close(0));
  return { url: proxy.url, port: Number(new URL(proxy.url).port), seen };
}

/** What a client says as it stands on the line, and all that comes back until nothing more does. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let told = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      told += part;
    });
    socket.on('close', () => done(told));
    socket.on('error', failed);
  });
}

/** The request as the target got it, said back. */
export const echo: Handler = async (incoming, response) => {
  const body = await buffer(incoming);
  response.sendDate = false;
  response.end(JSON.stringify([incoming.method, incoming.url, incoming.rawHeaders, body.toString('latin1')]));
};
export const bodyOf = (told: string) =>
  JSON.parse(told.slice(told.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ''));

export function withResolvers() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
