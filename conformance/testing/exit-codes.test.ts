import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { command, endAll, env, fewCards, folder, serveFixture, unknownCode } from '../../cli/conformance/main-fixture.ts';

afterEach(endAll);

describe('exit codes', () => {
  test('0: nothing violated, nothing left', async () => {
    const { url, requests } = await serveFixture(fewCards(404));
    const { code, out } = await command(['run', '--mode', 'full', '--target', `${url}/`, unknownCode]);
    expect(out).toMatch(/^PASS {2}1 of 1 stated rule holds/m);
    expect(code).toBe(0);
    const toService = requests.filter((request) => request.includes('/api/GiftCard'));
    expect(toService.every((request) => request.endsWith('the-secret-key'))).toBe(true);
  });

  test('1: a rule is violated', async () => {
    const { url } = await serveFixture(fewCards(200));
    const { code, out } = await command(['run', '--mode', 'full', '--target', url, unknownCode]);
    expect(code).toBe(1);
    expect(out).toContain(`FAIL  ${unknownCode}`);
    expect(out).toContain(`giftcard-sandbox conformance run --target ${url} --mode full ${unknownCode}`);
  });

  test('3: the target does not respond, or rejects the key', async () => {
    expect(await command(['run', '--target', 'http://127.0.0.1:9'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^UNREACHABLE {2}.*http:\/\/127\.0\.0\.1:9/m),
    });
    const { url } = await serveFixture((_, response) => response.writeHead(401).end());
    expect(await command(['run', '--mode', 'full', '--target', url])).toMatchObject({
      code: 3,
      err: expect.stringContaining('refuses the key'),
    });
  });

  test('4: nothing could be tested', async () => {
    const { url } = await serveFixture(({ url: path = '' }, response) =>
      path.includes('/List') ? response.end('{"giftCards":[],"totalCount":0}') : response.writeHead(404).end('no'),
    );
    expect((await command(['run', '--mode', 'full', '--target', url, unknownCode])).code).toBe(4);
  });

  test('5: a card could not be proven gone', async () => {
    const others = fewCards(404);
    const { url } = await serveFixture((request, response) =>
      request.method === 'DELETE' ? response.writeHead(500).end() : others(request, response),
    );
    const { code, out } = await command(['run', '--mode', 'full', '--target', url, unknownCode]);
    expect(code).toBe(5);
    expect(out).toContain('LEFT BEHIND  card#1');
    const listed = await command(['ledger', '--target', url]);
    expect([listed.code, listed.out]).toEqual([5, expect.stringMatching(/^Run \w+, started .*\n {2}created {3}card#1 GCS\w+\n/)]);
    const { url: other } = await serveFixture(fewCards(404));
    expect((await command(['ledger', '--target', other])).code).toBe(0);
  });

  test('6: a report that cannot be written is still printed', async () => {
    const { url } = await serveFixture(fewCards(404));
    const out = folder();
    mkdirSync(join(out, 'results.json'));
    const { code, out: printed, err } = await command(['run', '--mode', 'full', '--target', url, unknownCode, '--out', out]);
    expect(code).toBe(6);
    expect(printed).toContain('PASS  1 of 1');
    expect(err).toContain(`${join(out, 'results.json')}: it is a folder`);
  });
});

describe('2: usage, and nothing is sent', () => {
  const local = ['--target', 'http://127.0.0.1:9'];
  const usage: [string, string[], string][] = [
    ['no target', ['run'], 'No target is given'],
    ['a target that is not a URL', ['run', '--target', 'localhost:80'], 'not an http or https URL'],
    ['a target with a password', ['run', '--target', 'http://a:b@127.0.0.1'], 'URL'],
    ['a remote target without a terminal', ['run', '--target', 'https://example.com'], '--yes'],
    ['plain http to a remote target', ['run', '--yes', '--target', 'http://example.com'], 'http'],
    ['a target that only looks local', ['run', '--yes', '--target', 'http://127.0.0.1.example.com'], 'is not on this machine'],
    ['a private address', ['run', '--yes', '--target', 'http://192.168.0.1'], 'is not on this machine'],
    ['an unknown mode', ['run', '--target', 'http://127.0.0.1:9', '--mode', 'bold'], '"bold"'],
    ['an unknown allowance', ['run', '--target', 'http://127.0.0.1:9', '--allow', 'email,fax'], '"fax"'],
    ['an invalid budget', ['run', '--target', 'http://127.0.0.1:9', '--max-creates', '-1'], 'max-creates'],
    ['an unknown rule', ['run', '--target', 'http://127.0.0.1:9', 'no.such-rule'], 'No rule matches "no.such-rule"'],
    ['an inherited name as a rule', ['run', ...local, 'constructor'], 'No rule matches "constructor"'],
    ['an inherited name as a variable', ['run', ...local, '--key-env', 'constructor'], 'constructor has no API key'],
    ['nothing left', ['run', '--target', 'http://127.0.0.1:9', '--skip', '*'], 'leave no rule'],
    ['an unknown level', ['list', '--level', 'high'], '"high"'],
    ['an unknown flag', ['run', '--tarjet', 'x'], '--tarjet'],
    ['a flag of another command', ['list', '--rate', '60'], "'--rate'"],
    ['a key as an argument', ['run', '--key', 'x'], '--key'],
    ['an unknown command', ['stroll'], "'stroll'"],
    ['an unknown reporter', ['run', '--target', 'http://127.0.0.1:9', '--reporter', 'pdf'], '"pdf"'],
    ['an invalid rate', ['run', '--target', 'http://127.0.0.1:9', '--rate', 'fast'], '"fast"'],
    ['no profile', ['run', '--target', 'http://127.0.0.1:9', '--profile', '/nowhere.json'], 'cannot be read'],
    ['two reports on one output', ['run', ...local, '--reporter', 'text', '--reporter', 'json'], '--out FOLDER'],
    ['no baseline', ['run', ...local, '--baseline', '/nowhere.json'], 'The baseline /nowhere.json cannot be read'],
    ['no folder', ['run', ...local, '--out', '/dev/null/out'], 'could not be created'],
    ['no result file', ['report'], "'results'"],
    ['a file that is not a result', ['report', 'package.json'], 'package.json is not a result file'],
    ['one result to compare', ['compare', 'package.json'], "'b'"],
    ['a target as a word', ['run', 'http://127.0.0.1:9'], '--target URL'],
    ['a word of a command that takes flags only', ['doctor', 'http://127.0.0.1:9'], 'one word too many'],
    ['no key', ['run', '--target', 'http://127.0.0.1:9', '--key-env', 'NO_SUCH_KEY'], 'NO_SUCH_KEY'],
  ];
  test.each(usage)('%s', async (_, argv, message) => {
    expect(await command(argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  test('an unknown entry of the profile', async () => {
    const profile = join(folder(), 'profile.json');
    writeFileSync(profile, '{"voucher": "V1"}');
    const { code, err } = await command(['run', '--target', 'http://127.0.0.1:9', '--profile', profile]);
    expect([code, err]).toEqual([2, expect.stringContaining('"voucher" is not a known property')]);
  });

  test('a remote target is refused before anything is sent', async () => {
    const sent: string[] = [];
    const io = {
      stdout: { write: () => 0 },
      stderr: { write: () => 0 },
      fetch: async (request: Request) => {
        sent.push(request.url);
        return new Response();
      },
    };
    expect(await main(['run', '--target', 'https://example.com'], env, io)).toBe(2);
    expect(sent).toEqual([]);
  });
});
