import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { resultJson } from '../report/result-file.ts';
import { runResult } from './result-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-input-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const env = {
  XDG_STATE_HOME: folder,
  GIFTCARD_API_KEY: 'the-secret-key',
  EMPTY: '',
  BLANK: ' the-secret-key',
};

async function result(argv: string[]) {
  const written: string[] = [];
  let sent = 0;
  const io = {
    stdout: { write: (text: string) => written.push(`printed: ${text}`) },
    stderr: { write: (text: string) => written.push(text) },
    fetch: async () => {
      sent += 1;
      return new Response('', { status: 500 });
    },
  };
  return { code: await main(argv, env, io), sent, text: written.join('') };
}

const at = (command: string, ...words: string[]) => [command, '--target', 'http://127.0.0.1:9', ...words];
const run = (...words: string[]) => at('run', ...words);
const _here = import.meta.dirname;

/** Wrong command lines. Each message must contain the wrong value or name, and the remedy. */
const cases: [argv: string[], ...contains: string[]][] = [
  [['run'], '--target http://'],
  [run('--target', ''), '--target'],
  [['run', '--target', 'here'], '"here"', 'http://127.0.0.1:8460'],
  [['run', '--target', 'http://a:b@127.0.0.1'], 'URL'],
  [['run', '--target', 'http://127.0.0.1/?key=1'], 'URL'],
  [run('http://127.0.0.1:9'), '"http://127.0.0.1:9"', '--target URL'],
  [run('--target', 'http://127.0.0.1:8'), '--target is given twice'],
  [run('--quiet', '--quiet'), '--quiet is given twice'],
  [run('--rate', 'abc'), '--rate', '"abc"', 'whole number'],
  [run('--rate'), '--rate', '--help'],
  [run('--mode', 'saef'), '--mode', '"saef"', 'read-only'],
  [run('--allow', 'email,webhoks'), '--allow', '"webhoks"', 'webhooks'],
  [run('--mode', 'read-only', '--allow', 'email'), '--allow email', 'read-only'],
  [run('--max-creates', '-1'), '--max-creates', '"-1"'],
  [run('--max-face-value', '1,5'), '--max-face-value', '"1,5"', '5.00'],
  [run('--yes=no'), '--yes=no'],
  [run('--seed', 'x'), '--seed', '"x"'],
  [run('--key-env', 'NO_SUCH_KEY'), 'NO_SUCH_KEY', '--key-env'],
  [run('--key-env', 'EMPTY'), 'EMPTY', '--key-env'],
  [run('--key-env', 'BLANK'), 'BLANK'],
  [run('--key-env', 'the secret'), '"the secret"'],
  [run('--key', 'the-secret-key'), '--key', 'GIFTCARD_API_KEY'],
  [run('--api-key=the-secret-key'), '--api-key', 'GIFTCARD_API_KEY'],
  [run('--profile', join(folder, 'none.json')), 'none.json', 'no such file'],
  [run('--profile', folder), folder, 'folder'],
  [run('--profile', file('cut.json', '{\n"voucherCode"')), 'cut.json', 'line 2, column 14'],
  [run('--profile', file('words.json', '{"voucher": 1}')), '"voucher"', 'voucherCode'],
  [run('--profile', file('kinds.json', '{"voucherCode": 1}')), 'voucherCode', 'string'],
  [run('--webhook-listen', 'here'), '"here"', '127.0.0.1:8500'],
  [run('--webhook-url', 'here'), '"here"', 'http'],
  [run('--delivery-timeout', '0'), '--delivery-timeout', '"0"'],
  [run('--variant', join(folder, 'none.yaml')), 'none.yaml', 'no such file'],
  [run('--variant', folder), folder, 'folder'],
  [run('--baseline', join(folder, 'none.json')), 'none.json', 'no such file'],
  [run('--baseline', file('bad-baseline.json', '{')), 'bad-baseline.json', 'line 1, column 2'],
  [run('--write-baseline', folder), folder, 'folder'],
  [run('--out', '/dev/null/out'), '/dev/null/out'],
  [run('--reporter', 'xml'), '--reporter', '"xml"', 'markdown'],
  [run('--reporter', 'text', '--reporter', 'json'), '--out'],
  [run('--level', 'statd'), '--level', '"statd"', 'stated'],
  [run('adjustment.answerstrue'), '"adjustment.answerstrue"', '"adjustment.returns-true"'],
  [run('--skip', 'nothing.*'), '"nothing.*"', 'conformance list'],
  [run('--skip', '*'), '--skip'],
  [run('--tarjet', 'x'), '--tarjet', '--target'],
  [run('--max-create', '2'), '--max-create', '--max-creates'],
  [run('-r', '60'), '-r', '--help'],
  [['list', '--rate', '60'], '--rate', 'list --help'],
  [['rnu'], 'rnu', 'run'],
  [['constructor'], "'constructor'", '--help'],
  [at('doctor', 'now'), '"now"', '--help'],
  [at('fuzz', '--runs', '0'), '--runs', '"0"'],
  [at('fuzz', '--steps', '41'), '--steps', '"41"', '40'],
  [at('fuzz', '--path', 'x'), '--path', '"x"', '--steps'],
  [at('fuzz', 'list.*'), '"list.*"', 'sequences'],
  [['compare'], '--help'],
  [['compare', 'a.json', 'b.json'], 'a.json', 'no such file'],
  [['report', join(folder, 'none.json')], 'none.json', 'no such file'],
  [['report', file('green.json', resultJson([runResult([])])), '--badge', join(folder, 'green.json')], 'green.json', 'overwrite'],
  [at('learn', 'adjustment.returns-true'), 'list --level open'],
  [at('learn', '--out', folder), folder, 'folder'],
];

test.each(cases)('%j', async (argv, ...contains) => {
  const { code, sent, text } = await result(argv);
  expect([code, sent]).toEqual([2, 0]);
  for (const part of contains) expect(text).toContain(part);
  expect(text).not.toContain('printed: ');
  expect(text).not.toContain('the-secret-key');
  expect(text).toMatch(/^[^\n]+\n$/);
});

test('a ledger that cannot be written ends the run after the examination of the target', async () => {
  const { code, sent, text } = await result(run('--ledger', '/dev/null/ledger'));
  expect([code, sent, text]).toEqual([2, 2, expect.stringMatching(/^.*\/dev\/null\/ledger.*--ledger.*\n$/)]);
});

test('a run against a remote target without --yes prints its plan and sends nothing', async () => {
  const { code, sent, text } = await result(['run', '--target', 'https://example.com']);
  expect([code, sent]).toEqual([2, 0]);
  expect(text).toContain('https://example.com');
  expect(text).toContain('--yes');
});

test('help is not an error', async () => {
  for (const argv of [['help'], ['--help']]) expect(await result(argv)).toMatchObject({ code: 0, sent: 0 });
  expect(await result([])).toMatchObject({ code: 2, sent: 0 });
});
