import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { startHasty } from '../http/hasty-fixture.ts';
import { echo, endAll, endings, proxyTo, raw, spoken, target, withResolvers } from '../testing/passing-fixture.ts';
import { OWN_ANSWER, TOKEN_HEADER } from './door.ts';
import { passing } from './forwarder.ts';

afterEach(endAll);

describe('what goes wrong', () => {
  test('a target that changes the protocol all the same is answered with 501, marked as our own', async () => {
    const { url, seen } = await proxyTo(
      await spoken(() => 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
    );
    const answer = await fetch(`${url}/api/x`);
    expect([answer.status, answer.headers.get(OWN_ANSWER)]).toEqual([501, 'upgrade']);
    expect(seen[0]?.lost).toEqual({ why: 'broken off by the target', unsent: false, code: 'UPGRADE' });
  });

  test.each(['099 Odd', '000 Odd', '200 O\x01K'])('a target that answers %j is answered for with 502', async (line) => {
    const { port, seen } = await proxyTo(await spoken(() => `HTTP/1.1 ${line}\r\nContent-Length: 5\r\n\r\nok`));
    const told = await raw(port, 'GET /api/x HTTP/1.1\r\n\r\n');
    expect(told).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\n[\s\S]*x-giftcard-sandbox-proxy: no-answer\r\n/);
    expect(told).toContain('cannot pass on');
    expect(seen.map(({ lost }) => lost)).toEqual([{ why: 'broken off by the target', unsent: false, code: 'HEAD' }]);
  });

  test.each([
    ['of no known method', 'FETCH /api/x HTTP/1.1\r\n\r\n', '400'],
    ['with a path of raw bytes', 'GET /api/\xff\xfe HTTP/1.1\r\n\r\n', '400'],
    ['with headers without end', `GET /api/x HTTP/1.1\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, '431'],
  ])('a request %s is refused, marked as our own', async (_, text, status) => {
    let asked = 0;
    const { port, seen } = await proxyTo(
      await target(() => {
        asked += 1;
      }),
    );
    const told = await raw(port, text);
    expect(told).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\n${OWN_ANSWER}: unreadable\r\n`));
    expect([asked, seen.length]).toEqual([0, 0]);
  });

  test('an answer that is given on sight of the head of a large request, with the line closed, is passed back', async () => {
    const hasty = await startHasty();
    endings.push(hasty.close);
    const { url, seen } = await proxyTo(hasty.url);
    for (let time = 0; time < 12; time += 1)
      await new Promise((done) => {
        const asked = request(`${url}/api/x`, { method: 'POST' });
        asked.on('response', (answer) => answer.resume());
        // Our own line is closed, too.
        asked.on('error', () => {});
        asked.on('close', done);
        asked.end(Buffer.alloc(8_000_000, ' '));
      });
    expect(seen.map(({ answer, lost }) => answer?.status ?? lost)).toEqual(Array(12).fill(413));
  });

  test('stopped while a request is under way, it is over with the answer', async () => {
    const arrived = withResolvers();
    let answer = () => {};
    const url = await target((_, response) => {
      answer = () => response.end('done');
      arrived.resolve(undefined);
    });
    const proxy = await passing({ target: url, host: '127.0.0.1', port: 0, seen: () => {} });
    const agent = new Agent({ keepAlive: true });
    endings.push(() => agent.destroy());
    const told = new Promise<string>((done) => {
      request(`${proxy.url}/api/x`, { agent }, (response) => void buffer(response).then((body) => done(body.toString()))).end();
    });
    await arrived.promise;
    let isOver = false;
    const closed = proxy.close(60_000).then(() => {
      isOver = true;
    });
    // Closing that breaks off is over a few turns later.
    await pause(20);
    expect(isOver).toBe(false);
    answer();
    expect(await told).toBe('done');
    // The client keeps its connection, and nobody waits for that.
    await closed;
  });

  test('a target that is not there is answered with 502, marked as our own', async () => {
    const { url, seen } = await proxyTo('http://127.0.0.1:9');
    const answer = await fetch(`${url}/api/x`);
    expect([answer.status, answer.headers.get(OWN_ANSWER)]).toEqual([502, 'no-answer']);
    expect(await answer.text()).toMatch(/^The target gave no answer \(ECONNREFUSED\)/);
    expect(seen[0]?.lost).toEqual({ why: 'unreachable', unsent: true, code: 'ECONNREFUSED' });
  });

  test('what another proxy says in the place of the target is passed back, and is no answer of the target', async () => {
    const far = await proxyTo('http://127.0.0.1:9', 'let me in');
    const { url, seen } = await proxyTo(far.url);
    expect((await fetch(`${url}/api/x`)).status).toBe(403);
    expect(seen[0]).toMatchObject({
      answer: undefined,
      lost: { why: 'answered by another proxy', unsent: true, code: 'token' },
    });
    const near = await proxyTo((await proxyTo('http://127.0.0.1:9')).url);
    const answer = await fetch(`${near.url}/api/x`);
    expect([answer.status, answer.headers.get(OWN_ANSWER)]).toEqual([502, 'no-answer']);
    expect(near.seen[0]?.lost).toEqual({ why: 'answered by another proxy', unsent: false, code: 'no-answer' });
  });

  test('a target that breaks off within an answer breaks the client off', async () => {
    const url = await target((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('some');
      setTimeout(() => response.destroy(), 10);
    });
    const { url: proxy, seen } = await proxyTo(url);
    await expect(fetch(`${proxy}/api/x`).then((answer) => answer.text())).rejects.toThrow();
    expect(seen[0]).toMatchObject({ answer: undefined, lost: { why: 'broken off by the target', unsent: false } });
  });

  test('a client that gives up ends the request at the target', async () => {
    const ended = withResolvers();
    const arrived = withResolvers();
    const url = await target((incoming) => {
      incoming.socket.once('close', () => ended.resolve(undefined));
      arrived.resolve(undefined);
    });
    const { url: proxy, seen } = await proxyTo(url);
    const giving = new AbortController();
    const asked = fetch(`${proxy}/api/x`, { signal: giving.signal }).catch(() => 'given up');
    await arrived.promise;
    giving.abort();
    expect(await asked).toBe('given up');
    await ended.promise;
    expect(seen[0]?.lost).toMatchObject({ why: 'broken off by the client', unsent: false });
  });

  test('a connection that the target closes is closed for the client', async () => {
    const url = await target((_, response) => response.end('once'));
    const { port } = await proxyTo(url);
    const told = await new Promise<string>((done) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /api/x HTTP/1.1\r\n\r\n'));
      let got = '';
      socket.on('data', (part) => {
        got += part;
        if (got.includes('once')) endings[0]?.();
      });
      socket.on('close', () => done(got));
    });
    expect(told).toContain('once');
  });

  test('without the token nothing is passed on, and with it the token is not', async () => {
    let asked = 0;
    const url = await target((incoming, response) => {
      asked += 1;
      return echo(incoming, response);
    });
    const { url: proxy, seen } = await proxyTo(url, 'let me in');
    for (const headers of [{}, { [TOKEN_HEADER]: 'let me' }]) {
      const answer = await fetch(`${proxy}/api/x`, { headers });
      expect([answer.status, answer.headers.get(OWN_ANSWER), asked, seen.length]).toEqual([403, 'token', 0, 0]);
    }
    const answer = await fetch(`${proxy}/api/x`, { headers: { [TOKEN_HEADER]: 'let me in', 'x-api-key': 'k' } });
    expect(await answer.text()).not.toContain('let me in');
    expect([answer.status, asked]).toEqual([200, 1]);
  });
});
