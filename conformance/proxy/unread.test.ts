import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { command } from '../testing/command-fixture.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** Answers each request so, and takes whatever it is asked. */
async function answering(encoding: string, body: Buffer | string, status = 200): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** As zstd begins: no JSON, whoever reads it. */
const packed = Buffer.from('28b52ffd045801007b7d', 'hex');

async function watched(target: string, headers: Record<string, string> = {}, asked: string | Buffer = '{"balance":1}') {
  const { out } = await command(['--target', target, '--only-client', '--quiet'], async (url) => {
    const key = { 'x-api-key': 'a key' };
    await fetch(`${url}/api/GiftCard/Create`, { method: 'POST', headers: { ...key, ...headers }, body: asked }).then((_) =>
      _.text(),
    );
    await fetch(`${url}/api/GiftCard/GetByCode/A`, { headers: key }).then((_) => _.text());
  });
  return out;
}

test('an answer that is packed in an unknown way is judged by its status alone, and the last line says so', async () => {
  const out = await watched(await answering('x-own', packed));
  expect(out).not.toMatch(/^(VIOLATED|UNEXPECTED|CANNOT TELL|CLIENT)/m);
  expect(out).toMatch(/gift-card\.create\.answers-200 +1×/);
  expect(out).not.toMatch(/http\.json-bodies|answers-true/);
  expect(out).toMatch(/2 exchanges, 2 with a body that cannot be read here\n$/);
});

test('an answer in which everything is missing is one violation', async () => {
  expect(await watched(await answering('identity', '{}'))).toMatch(/^stated \d+ held, 1 violated/m);
});

test('with another status it is one violation', async () => {
  const out = await watched(await answering('x-own', packed, 201));
  expect(out).toMatch(/^stated \d+ held, 2 violated/m);
});

test('what says that it is packed, and is JSON all the same, is read', async () => {
  expect(await watched(await answering('x-own', '{}'))).toMatch(/gift-card\.response\.has-named-fields/);
  expect(await watched(await answering('x-own', '{}'))).not.toContain('cannot be read here');
});

test('what is packed in a way that is known is read, and what is no JSON then is said so once for each answer', async () => {
  const out = await watched(await answering('br', brotliCompressSync('no JSON')));
  expect(out).toMatch(/http\.json-bodies {2}/);
  expect(out).toMatch(/^stated \d+ held, 1 violated/m);
  expect(out).not.toContain('cannot be read here');
});

test('nor is a client told that it sent no JSON', async () => {
  const out = await watched(await answering('x-own', packed), { 'content-encoding': 'zstd' }, packed);
  expect(out).not.toContain('CLIENT');
  expect(out).toMatch(/2 exchanges, 2 with a body that cannot be read here\n$/);
});

test('what stands too deep within itself is not judged, and passes', async () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const out = await watched(await answering('identity', deep(4_000)), {}, deep(4_000));
  expect(out).not.toMatch(/^(VIOLATED|UNEXPECTED|CANNOT TELL|CLIENT)/m);
  expect(out).toMatch(/2 exchanges, 2 with a body that cannot be read here\n$/);
  expect(await watched(await answering('identity', deep(150)))).toMatch(/VIOLATED[\s\S]+gift-card\.create\.returns-the-card/);
});
