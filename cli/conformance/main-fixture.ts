import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { main } from './main.ts';

export const env = {
  XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'conformance-state-')),
  GIFTCARD_API_KEY: 'the-secret-key',
  OTHER_KEY: 'another-key',
};
const endings: (() => unknown)[] = [];

/** Each test file calls this function after each test. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0)) await end();
}

export async function serveFixture(listener: RequestListener): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`);
    listener(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Runs a command. With --mode full, a server of a test counts as the user's own. */
export async function command(argv: string[], environment: Record<string, string | undefined> = env) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { stdout: { write: (part: string) => out.push(part) }, stderr: { write: (part: string) => err.push(part) } };
  const code = await main(argv, environment, io);
  expect([...out, ...err].join('')).not.toContain('the-secret-key');
  return { code, out: out.join(''), err: err.join('') };
}

export const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'conformance-'));
  endings.push(() => rmSync(path, { recursive: true }));
  return path;
};

/** A service that creates, finds, lists and voids cards by code. */
export function fewCards(unknownStatus: number): RequestListener {
  const statuses = new Map<string, string>();
  return async (request, response) => {
    const respond = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    const { method, url = '' } = request;
    if (url.startsWith('/api/GiftCard/List')) return respond(200, { giftCards: [], totalCount: 0 });
    const sent = method === 'POST' ? (JSON.parse(await text(request)) as { code: string }) : undefined;
    const code = sent?.code ?? url.split('/').at(-1) ?? '';
    if (!sent && !statuses.has(code)) return respond(method === 'DELETE' ? 404 : unknownStatus, 'none');
    if (method !== 'GET') statuses.set(code, sent ? 'Active' : 'Voided');
    return respond(200, { id: `id-${code}`, code, balance: 1, status: statuses.get(code) });
  };
}

export const unknownCode = 'gift-card.get-by-code.unknown-is-404';
