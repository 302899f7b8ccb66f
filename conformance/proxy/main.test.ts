import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { command } from '../testing/command-fixture.ts';
import { OWN_ANSWER } from './door.ts';
import { Watch } from './watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (...flags: string[]) => ['--target', 'http://127.0.0.1:9', ...flags];

describe('what cannot be used is refused in a sentence', () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  test.each<[readonly string[], string]>([
    [[], 'No target is given'],
    [['--port', '1'], 'No target is given'],
    [['--target', 'example.com'], 'is not an http or https URL'],
    [['--target', 'http://example.com'], 'is not on this machine, and plain http would show the key'],
    [['--target', 'http://a:b@127.0.0.1'], 'must not carry'],
    [['--target', 'http://localhost:8461/', '--port', '8461'], 'is where this proxy would listen itself'],
    [at('--port', 'x'), '--port "x" is no port'],
    [at('--port', '65536'), '--port "65536" is no port'],
    [at('--host', '0.0.0.0'), '--token-env NAME'],
    [at('--host', '::'), '--token-env NAME'],
    [at('--host', '0.0.0.0', '--token-env', 'EMPTY'), 'variable EMPTY holds no token'],
    [at('--token-env', 'ODD'), 'variable ODD holds no token'],
    [at('--token-env', 'a b'), 'is no name of an environment variable'],
    [at('--host', 'no.such.host.invalid', '--token-env', 'TOKEN'), 'is no address of this machine'],
    [at('--token', 'let-me-in'), 'There is no flag --token, because'],
    [at('--key', 'the-key'), 'There is no flag --key, because'],
    [at('--tarjet', 'x'), 'Did you mean "--target"?'],
    [at('--quiet', '--quiet'), 'given twice'],
    [at('--port'), '--port needs a value'],
    [at('now'), '"now" is none'],
    [at('--reporter', 'xml'), 'Unknown reporter "xml"'],
    [at('--facts', join(folder, 'none.yaml')), 'there is no such file'],
    [at('--facts', file('wire.yaml', 'wire: [{ rename: GiftCard.colour, to: x }]')), 'has no property colour'],
    [at('--record', join(folder, 'none', 'x')), 'none/x cannot be written: there is no such folder.'],
    [at('--record', '/dev/null/x'), 'cannot be written: what stands there as its folder is none.'],
    [at('--record', folder), 'cannot be written: it is a folder.'],
    [at('--record', file('notes.txt', 'my notes')), 'is no record of this proxy'],
    [at('--replay', 'x'), '--replay reads a record'],
    [['--replay', join(folder, 'none')], 'none cannot be read: there is no such file.'],
    [['--replay', folder], 'cannot be read: it is a folder.'],
    [['--replay', file('other.json', '[]')], 'is no record of this proxy'],
  ])('%j', async (argv, says) => {
    const { code, out, err } = await command(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(says);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).not.toMatch(/the-key|let-me-in/);
  });

  test('a port that is in use', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const record = file('in-use.jsonl', '');
    expect(await command(at('--port', String(port), '--record', record))).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    });
    server.close();
    expect(readFileSync(record, 'utf8')).toBe('');
  });
});

describe('the command', () => {
  async function sold(url: string, key: string) {
    const ask = (path: string, body?: unknown) =>
      fetch(`${url}/api/${path}`, {
        headers: { 'x-api-key': key },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
    await ask('GiftCard/Create', { balance: 5, code: 'PROXY-1' });
    const adjustment = {
      giftCardCode: 'PROXY-1',
      adjustmentAmount: -2,
      actionedAtUtc: '2026-01-01T00:00:00Z',
      uniqueAdjustmentId: 'a',
    };
    await ask('GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment);
    await ask('GiftCard/GetByCode/PROXY-1');
    await ask('GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment);
  }

  test('says what it saw, and a record of it says the same', async () => {
    const mock = await startMock({ port: 0 });
    const record = join(folder, 'sold.jsonl');
    const live = await command(['--target', mock.url, '--record', record], (url) => sold(url, mock.apiKey));
    await mock.close();
    expect(live.code).toBe(0);
    expect(live.out).toMatch(/^Nothing is violated: \d+ stated clauses held\n[\s\S]*\n {2}4 exchanges\n/);
    expect(live.out + live.err).not.toMatch(/PROXY-1|not-a-real-key/);
    expect(await command(['--replay', record])).toMatchObject({ code: 0, out: live.out });
  });

  test('record and reports are for their owner only', async () => {
    const [record, out] = [join(folder, 'own.jsonl'), join(folder, 'own')];
    // One that is there already, too.
    writeFileSync(record, '');
    chmodSync(record, 0o644);
    await command(at('--record', record), async () => undefined);
    await command(['--replay', record, '--out', out]);
    const files = [record, ...readdirSync(out).map((name) => join(out, name))];
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600, 0o600, 0o600]);
  });

  test('a violation is told at once, and ends with 1', async () => {
    const server = await startBroken();
    const { code, out, err } = await command(['--target', server.url], (url) => sold(url, 'k'));
    await server.close();
    expect(code).toBe(1);
    expect(err).toMatch(/^VIOLATED adjustment.answers-200 \(stated\) #2: /m);
    expect(out).toMatch(/^VIOLATED {2}/m);
  });

  test('a target that is not there is told once, and ends with 3', async () => {
    const { code, out, err } = await command(at('--quiet'), async (url) => {
      for (let time = 0; time < 3; time += 1) expect((await fetch(`${url}/api/Company/Profile`)).status).toBe(502);
    });
    expect(code).toBe(3);
    expect(err.match(/ECONNREFUSED/g)).toHaveLength(1);
    expect(err).toMatch(/^#1: the target cannot be reached \(ECONNREFUSED\); /m);
    expect(out).toMatch(/\nExit code 3: 3 requests/);
  });

  test.each<[string, (url: string) => Promise<unknown>, RegExp]>([
    ['nothing at all', async () => undefined, /\nExit code 4: no request came\.\n$/],
    ['what is none of the service', (url) => fetch(`${url}/health`), /\nExit code 4: 1 request came, and none to the service/],
  ])('%s ends with 4, and says why', async (_, meanwhile, says) => {
    const mock = await startMock({ port: 0 });
    const { code, out } = await command(['--target', mock.url, '--quiet'], meanwhile);
    await mock.close();
    expect(code).toBe(4);
    expect(out).toMatch(says);
  });

  test('a target that takes and never answers ends with 3', async () => {
    const mute = await startMute();
    const { code, out, err } = await command(['--target', mute.url], async (url) => {
      const giving = new AbortController();
      const asked = fetch(`${url}/api/Company/Profile`, { signal: giving.signal }).catch(() => undefined);
      await mute.asked;
      giving.abort();
      await asked;
    });
    mute.close();
    expect(code).toBe(3);
    expect(err).toMatch(/^#1: the client gave up after \d+\.\d s, without a whole answer of the target\. /m);
    expect(out).toMatch(/\nExit code 3: 1 request/);
  });

  test('stopped with a request under way, it says what it waits for; stopped again, it answers that itself', async () => {
    const mute = await startMute();
    let asked: Promise<Response> | undefined;
    const { code, out, err } = await command(['--target', mute.url], async (url, stop) => {
      asked = fetch(`${url}/api/Company/Profile`);
      await mute.asked;
      stop();
    });
    const answer = await asked;
    mute.close();
    expect([answer?.status, answer?.headers.get(OWN_ANSWER)]).toEqual([502, 'stopped']);
    expect(err).toMatch(/^Stopping: waiting up to 10 s for the answer to 1 request under way; /m);
    expect(code).toBe(3);
    expect(out).toMatch(/1 exchange, 1 without an answer$/m);
  });

  test('a key that is always refused ends with 4: nothing that is stated was judged', async () => {
    const mock = await startMock({ port: 0 });
    const { code, out } = await command(['--target', mock.url, '--quiet'], async (url) => {
      for (const path of ['GiftCard/List', 'GiftCard/List', 'Company/Profile'])
        expect((await fetch(`${url}/api/${path}`, { headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
    });
    await mock.close();
    expect(out).toMatch(/\nExit code 4: 3 exchanges passed/);
    expect(code).toBe(4);
  });

  test('a fault of its own ends with 6, and everything else is told', async () => {
    const mock = await startMock({ port: 0 });
    const spy = vi.spyOn(Watch.prototype, 'ended').mockImplementationOnce(() => {
      throw new RangeError('too deep');
    });
    const { code, out, err } = await command(['--target', mock.url], (url) => sold(url, mock.apiKey));
    spy.mockRestore();
    await mock.close();
    expect(code).toBe(6);
    expect(err).toContain('Exchange 1 could not be judged (RangeError in the proxy itself)');
    expect(out).toMatch(/\nExit code 6: 1 exchange/);
    expect(out).toMatch(/4 exchanges, 1 with an unreadable body$/m);
  });

  test('help and version', async () => {
    expect(await command(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--only-client') });
    expect((await command(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

/** A target that takes what comes and never says anything. */
async function startMute() {
  let heard = () => {};
  const asked = new Promise<void>((done) => {
    heard = done;
  });
  const lines = new Set<Socket>();
  const server = createServer((line) => {
    lines.add(line);
    line.once('data', heard);
    line.on('error', () => {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const close = () => {
    for (const line of lines) line.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

/** A service that answers 201 to adjustments. */
async function startBroken() {
  const { createServer: serve } = await import('node:http');
  const links = {
    viewBalanceUrl: 'https://a.example',
    appleWalletUrl: 'https://a.example',
    googleWalletUrl: 'https://a.example',
  };
  const server = serve((request, response) => {
    const isAdjustment = request.url?.includes('AddAdjustment');
    request.resume();
    response.writeHead(isAdjustment ? 201 : 200, { 'content-type': 'application/json' });
    response.end(
      isAdjustment
        ? 'true'
        : JSON.stringify({ id: 'i', code: 'PROXY-1', balance: 5, currency: 'EUR', status: 'Active', ...links }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
