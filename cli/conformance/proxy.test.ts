import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { runCommand } from '../run-command.ts';
import { proxyCommand } from './proxy.ts';

const folder = mkdtempSync(join(tmpdir(), 'proxy-main-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const server of servers) server.close();
});

/** Runs the command. Without --replay, calls `meanwhile` with the proxy's URL, and then interrupts the command. */
async function run(argv: readonly string[], meanwhile = async (_: string): Promise<unknown> => undefined) {
  const [out, err]: [string[], string[]] = [[], []];
  const stops: (() => void)[] = [];
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: {
      write(text: string) {
        err.push(text);
        const url = /^Forwarding (\S+)/.exec(text)?.[1];
        if (url) void meanwhile(url).finally(() => stops[0]?.());
      },
    },
    once: (_: string, stop: () => void) => stops.push(stop),
    off: () => {},
  };
  const env = { TOKEN: 'let-me-in', EMPTY: '', ODD: 'a b' };
  const code = await runCommand(proxyCommand(env, io), argv, io, '');
  return { code, out: out.join(''), err: err.join('') };
}

async function serviceOf(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const to = (...flags: string[]) => ['--target', 'http://127.0.0.1:9', ...flags];
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('input that cannot be used is refused', () => {
  test.each<[readonly string[], RegExp]>([
    [[], /--target URL.*--replay/],
    [['--target', 'example.com'], /example\.com/],
    [['--target', 'http://example.com'], /example\.com.*https/],
    [['--target', 'http://localhost:8461/', '--port', '8461'], /proxy itself/],
    [to('--port', 'x'), /--port.*65535.*"x"/],
    [to('--port', '65536'), /--port.*65535.*"65536"/],
    [to('--host', '0.0.0.0'), /0\.0\.0\.0.*--token-env/],
    [to('--host', '::'), /--token-env/],
    [to('--host', '0.0.0.0', '--token-env', 'EMPTY'), /EMPTY/],
    [to('--token-env', 'ODD'), /ODD/],
    [to('--host', 'no.such.host.invalid', '--token-env', 'TOKEN'), /no\.such\.host\.invalid/],
    [to('--token', 'let-me-in'), /--token-env/],
    [to('--key', 'the-key'), /client sends/],
    [to('--tarjet', 'x'), /--target/],
    [to('now'), /"now"/],
    [to('--reporter', 'xml'), /xml/],
    [to('--variant', join(folder, 'none.yaml')), /none\.yaml/],
    [to('--record', join(folder, 'none', 'x')), /cannot be written/],
    [to('--record', file('notes.txt', 'my notes')), /not a record/],
    [to('--replay', 'x'), /--target.*--replay/],
    [['--replay', join(folder, 'none')], /cannot be read/],
    [['--replay', file('other.json', '[]')], /proxy --record/],
  ])('%j', async (argv, message) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/the-key|let-me-in|\n.*\n/);
  });

  test('a port in use', async () => {
    const { port } = new URL(await serviceOf(200, ''));
    expect(await run(to('--port', port))).toMatchObject({ code: 2, err: expect.stringContaining(port) });
  });
});

/** Creates a card, redeems a part of it and looks it up. */
async function buy(url: string, key: string): Promise<void> {
  const send = (path: string, body?: object) =>
    fetch(`${url}/api/${path}`, {
      headers: { 'x-api-key': key },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
  await send('GiftCard/Create', { balance: 5, code: 'PROXY-1' });
  const adjustment = {
    giftCardCode: 'PROXY-1',
    adjustmentAmount: -2,
    actionedAtUtc: '2026-01-01T00:00:00Z',
    uniqueAdjustmentId: 'a',
  };
  await send('GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment);
  await send('GiftCard/GetByCode/PROXY-1');
}

test('a record is reported as it was live, without secrets', async () => {
  const mock = await startMock();
  const [record, out] = [join(folder, 'bought.jsonl'), join(folder, 'reports')];
  const live = await run(['--target', mock.url, '--record', record], (url) => buy(url, mock.apiKey));
  await mock.close();
  expect(live).toMatchObject({ code: 0, out: expect.stringContaining('3 exchanges') });
  expect(live.out + live.err).not.toMatch(new RegExp(`PROXY-1|${mock.apiKey}`));
  const again = await run(['--replay', record, '--out', out, '--reporter', 'junit,markdown']);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('3 exchanges') });
  const files = readdirSync(out).toSorted();
  expect(files).toEqual(['junit.xml', 'report.html', 'report.md', 'report.txt', 'results.json']);
});

test.each<[string, number, () => Promise<string>, (url: string) => Promise<unknown>]>([
  ['a violation', 1, () => serviceOf(201, 'true'), (url) => buy(url, 'k')],
  ['a target that does not listen', 3, async () => 'http://127.0.0.1:9', (url) => fetch(`${url}/api/GiftCard/List`)],
  ['no request', 4, () => serviceOf(200, ''), async () => undefined],
  ['no request of the service', 4, () => serviceOf(200, ''), (url) => fetch(`${url}/health`)],
  [
    'a key that is always refused',
    4,
    () => serviceOf(401, ''),
    (url) => fetch(`${url}/api/GiftCard/List`, { headers: { 'x-api-key': 'k' } }),
  ],
])('%s ends with %i', async (_, code, target, meanwhile) => {
  expect(await run(['--target', await target(), '--quiet'], meanwhile)).toMatchObject({ code });
});

test('a finding has the same word at once and in the report', async () => {
  const { out, err } = await run(['--target', await serviceOf(500, '')], (url) => buy(url, 'k'));
  expect(err).toMatch(/^UNEXPECTED robustness\./m);
  expect(err).not.toMatch(/^VIOLATED robustness\./m);
  expect(out).toContain('UNEXPECTED');
});

test('findings are printed at once, unless --quiet', async () => {
  const target = await serviceOf(201, 'true');
  const lines = async (...flags: string[]) =>
    (await run(['--target', target, ...flags], (url) => buy(url, 'k'))).err.split('\n').length;
  expect(await lines()).toBeGreaterThan(await lines('--quiet'));
});
