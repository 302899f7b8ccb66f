import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../cli/main.ts';

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
  BROKEN: 'the-secret-key\n',
};

/** What was said and sent. */
async function told(argv: string[]) {
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

const run = (...flags: string[]) => ['run', '--target', 'http://127.0.0.1:9', ...flags];
const learn = (...words: string[]) => ['facts', 'learn', '--target', 'http://127.0.0.1:9', ...words];
const at = (command: string, ...words: string[]) => [command, '--target', 'http://127.0.0.1:9', ...words];

const two = (...words: string[]) => ['compare', '--a', 'http://127.0.0.1:9', '--b', 'http://127.0.0.1:8', ...words];

/** Each sentence names the thing and what was given, and says what to do. */
const cases: [argv: string[], ...says: string[]][] = [
  [['run'], 'No target is given', '--target http://'],
  [['run', '--target', ''], 'The target "" is not an http or https URL', 'such as http://127.0.0.1:8460'],
  [['run', '--target', 'localhost:8460'], 'The target "localhost:8460" is not', 'such as http://'],
  [['run', '--target', 'example.com'], 'The target "example.com" is not', 'such as http://'],
  [['run', '--target', 'ftp://127.0.0.1'], 'The target "ftp://127.0.0.1" is not', 'such as http://'],
  [['run', '--target', 'http://127.0.0.1/?key=1'], 'URL', 'Give the base URL alone'],
  [['run', '--target', 'http://example.com'], 'http://example.com is not on this machine', 'Give its https URL'],
  [run('--target', 'http://127.0.0.1:8'), '--target is given twice', 'Say it once'],
  [['run', '--target'], '--target needs a value', '--help'],
  [['run', '--target', '--yes'], '--target needs a value', '--help'],

  [run('--rate', '-1'), '--rate "-1" is no number of requests per minute', 'such as 60/m'],
  [run('--rate', 'abc'), '--rate "abc"', 'such as 60/m'],
  [run('--rate', '60/h'), '--rate "60/h"', 'such as 60/m'],
  [run('--rate', '0'), '--rate "0"', 'such as 60/m'],
  [run('--rate', '1.5'), '--rate "1.5"', 'such as 60/m'],
  [run('--rate', ''), '--rate ""', 'such as 60/m'],
  [run('--rate'), '--rate needs a value', '--help'],
  [run('--rate', '60'), '--rate "60"', 'such as 60/m'],
  [run('--rate', '60/m', '--rate', '70/m'), '--rate is given twice', 'Say it once'],
  [at('plan', '--rate', 'fast'), '--rate "fast"', 'such as 60/m'],

  [run('--mode', 'x'), '--mode "x" is not known', 'Known are read-only, safe, full'],
  [run('--mode', 'saef'), '--mode "saef"', 'Did you mean "safe"?'],
  [run('--allow', 'nonsense'), '--allow "nonsense" is not known', 'Known are email, webhooks'],
  [run('--allow', 'email,webhoks'), '--allow "webhoks"', 'Did you mean "webhooks"?'],
  [run('--allow', ''), '--allow "" is not known', 'Known are'],
  [run('--mode', 'read-only', '--allow', 'email'), 'A read-only run', '--allow email', 'Leave out one'],
  [run('--max-creates', 'x'), '--max-creates "x"', 'such as 5'],
  [run('--max-creates', '-1'), '--max-creates "-1"', 'such as 5'],
  [run('--max-creates', '1.5'), '--max-creates "1.5"', 'such as 5'],
  [run('--max-requests', '0'), '--max-requests "0"', 'such as 5'],
  [run('--max-face-value', '1,5'), '--max-face-value "1,5"', 'such as 5'],
  [run('--max-face-value', 'Infinity'), '--max-face-value "Infinity"', 'such as 5'],
  [run('--yes=no'), '--yes takes no value', '--help'],
  [run('--quiet', '--quiet'), '--quiet is given twice', 'Say it once'],

  [run('--key-env', 'NO_SUCH_KEY'), 'variable NO_SUCH_KEY holds no API key', 'Set it, or name another with --key-env'],
  [run('--key-env', 'EMPTY'), 'variable EMPTY holds no API key', 'Set it'],
  [run('--key-env', 'BLANK'), 'variable BLANK holds something that is no API key', 'Set it to the key alone'],
  [run('--key-env', 'BROKEN'), 'variable BROKEN holds something that is no API key', 'Set it to the key alone'],
  [run('--key-env', ''), '--key-env "" is no name', 'such as GIFTCARD_API_KEY'],
  [run('--key-env', 'the secret'), '--key-env "the secret" is no name', 'such as GIFTCARD_API_KEY'],
  [at('doctor', '--key-env', 'EMPTY'), 'variable EMPTY holds no API key', 'Set it'],
  [at('sweep', '--key-env', 'EMPTY'), 'variable EMPTY holds no API key', 'Set it'],
  [run('--key', 'the-secret-key'), 'There is no flag --key', 'Set the environment variable GIFTCARD_API_KEY'],
  [run('--api-key=the-secret-key'), 'There is no flag --api-key', 'Set the environment variable GIFTCARD_API_KEY'],

  [run('--profile', join(folder, 'none.json')), 'none.json cannot be read: there is no such file.'],
  [run('--profile', folder), `The profile ${folder} cannot be read: it is a folder.`],
  [run('--profile', file('cut.json', '{\n"voucherCode"')), 'cut.json is not JSON: line 2, column 14'],
  [run('--profile', file('list.json', '[]')), 'list.json must be a JSON object'],
  [run('--profile', file('words.json', '{"voucher": 1}')), 'unknown entry "voucher"', 'Known are: secondKey'],
  [run('--profile', file('kinds.json', '{"voucherCode": 1}')), '"voucherCode" must be a string'],
  [run('--webhook-listen', 'here'), 'cannot listen at "here"', 'such as 127.0.0.1:8500'],
  [run('--webhook-url', 'here'), 'address "here" is not an http or https URL', 'Give the one'],
  [run('--ledger', '/dev/null/ledger'), 'The ledger /dev/null/ledger cannot be written', '--ledger'],
  [at('sweep', '--ledger', '/dev/null/ledger'), 'The ledger /dev/null/ledger cannot be written', '--ledger'],
  [run('--facts', join(folder, 'none.yaml')), 'The facts file', 'none.yaml cannot be read: there is no such file.'],
  [run('--facts', folder), `The facts file ${folder} cannot be read: it is a folder.`],
  [run('--facts', file('rows.yaml', 'wire: [{ rename: GiftCard.balance }]')), 'row 1 of wire: to takes', 'it is missing'],
  [['facts', 'learn'], 'No target is given', '--target http://'],
  [learn('adjustment.answers-true'), 'None of these clauses is open or ambiguous', 'see list --level open'],
  [learn('--level', 'stated'), 'None of these clauses is open or ambiguous'],
  [learn('--out', folder), 'cannot be written: it is a folder', 'Nothing was sent'],
  [learn('--out', join(folder, 'none', 'facts.yaml')), 'cannot be written: there is no such folder', 'Nothing was sent'],
  [learn('--out', file('other.yaml', 'about: { target: "https://example.com" }')), 'is of https://example.com', '--force'],
  [learn('--out', file('list.yaml', '[]')), 'it must be an object of facts and wire.'],
  [learn('--facts', 'x'), 'facts learn has no flag --facts', '--help'],
  [['facts', 'pin', file('pin.yaml', 'facts: {}')], 'facts pin takes a facts file and what holds'],
  [['facts', 'pin', join(folder, 'pin.yaml'), 'http.head'], 'as in http.head=like-get, not "http.head"'],
  [['facts', 'pin', join(folder, 'pin.yaml'), 'nowhere=x'], 'facts pin: there is no clause nowhere.'],
  [['facts', 'pin', join(folder, 'none.yaml'), 'http.head=like-get'], 'none.yaml cannot be read: there is no such file.'],
  [['facts', 'unpin', join(folder, 'pin.yaml'), 'http.head'], 'does not pin "http.head"', 'facts show'],
  [['facts', 'show', '--mode', 'full', join(folder, 'pin.yaml')], 'facts show has no flag --mode'],
  [run('--seed', 'x'), '--seed "x" is no whole number', 'such as 1'],
  [run('--inputs', '--no-inputs'), '--inputs and --no-inputs were both given', 'Say one'],
  [run('--runs', '5'), 'run has no flag --runs', '--help'],
  [at('fuzz', '--runs', '0'), '--runs must be from 1 to', 'got 0'],
  [at('walk'), 'fuzz sequences'],
  [at('fuzz', '--steps', '41'), '--steps must be from 1 to 40', 'got 41'],
  [at('fuzz', '--path', 'x'), '--path', 'such as 12:0:3', '"x"'],
  [run('--baseline', join(folder, 'none.json')), 'The baseline', 'none.json cannot be read: there is no such file.'],
  [run('--baseline', folder), `The baseline ${folder} cannot be read: it is a folder.`],
  [run('--baseline', file('bad-baseline.json', '{')), 'bad-baseline.json is not JSON: line 1, column 2'],
  [
    run('--write-baseline', '/dev/null/baseline'),
    'The baseline /dev/null/baseline cannot be written: what stands there as its folder is none.',
  ],
  [run('--write-baseline', folder), `The baseline ${folder} cannot be written`, 'it is a folder'],
  [run('--out', '/dev/null/out'), 'The folder /dev/null/out could not be made: what stands there as its folder is none.'],
  [run('--out', join(folder, 'list.json')), 'could not be made: a file of that name is there.'],
  [run('--reporter', 'xml'), 'Unknown reporter "xml"', 'Known are text, json'],
  [run('--reporter', 'text', '--reporter', 'json'), 'Several reporters need --out DIR'],

  [run('--level', 'statd'), 'Unknown level "statd"', 'Known are stated'],
  [run('adjustment.answerstrue'), 'No clause matches "adjustment.answerstrue"', 'Did you mean "adjustment.answers-true"?'],
  [run('--skip', '*'), 'leave no clause'],
  [run('--skip', 'nothing.*'), 'No clause matches "nothing.*"', 'conformance list'],
  [at('replay'), 'Say which clause to replay', 'adjustment.answers-true'],

  [run('--tarjet', 'x'), 'There is no flag --tarjet', 'Did you mean "--target"?'],
  [run('--max-create', '2'), 'There is no flag --max-create', 'Did you mean "--max-creates"?'],
  [run('-r', '60'), 'There is no flag -r', '--help'],
  [['list', '--rate', '60'], 'list has no flag --rate', '--help'],
  [['rnu'], 'Unknown command "rnu"', 'Did you mean "run"?'],
  [['constructor'], 'Unknown command "constructor"', 'Known are run'],
  [at('doctor', 'now'), 'doctor takes flags only, and "now" is none', '--help'],
  [at('sweep', 'all'), 'sweep takes flags only, and "all" is none', '--help'],
  [at('ledger', 'all'), 'ledger takes flags only, and "all" is none', '--help'],
  [['compare'], 'No A is given', '--a http://127.0.0.1:8460 --b https://'],
  [['compare', '--a', 'http://127.0.0.1:9'], 'No B is given', '--b https://'],
  [['compare', '--a', 'here', '--b', 'http://127.0.0.1:9'], 'The target "here" is not an http or https URL'],
  [['compare', '--target', 'http://127.0.0.1:9'], 'compare has no flag --target', '--help'],
  [two('--b', 'http://127.0.0.1:7'), '--b is given twice', 'Say it once'],
  [two('--a-key-env', 'EMPTY'), 'variable EMPTY holds no API key', 'with --a-key-env'],
  [two('--b-key-env', 'NO KEY'), '--b-key-env "NO KEY" is no name'],
  [two('--b-profile', join(folder, 'none.json')), 'none.json cannot be read'],
  [two('--reporter', 'junit'), 'Unknown reporter "junit"', 'Known are'],
  [two('--reporter', 'text', '--reporter', 'json'), 'Several reporters need --out DIR'],
  [two('--out', '/dev/null/out'), 'The folder /dev/null/out could not be made'],
  [two('--rate', 'fast'), '--rate "fast"', 'such as 60/m'],
  [two('--max-creates', 'x'), '--max-creates "x"', 'such as 5'],
  [two('--seed', 'x'), '--seed "x" is no whole number', 'such as 1'],
  [two('adjustment.answerstrue'), 'No clause matches "adjustment.answerstrue"', 'Did you mean'],
  [two('--baseline', 'b.json'), 'compare has no flag --baseline', '--help'],
  [['report'], 'No result file is given', 'conformance report results.json'],
  [['report', join(folder, 'none.json')], 'none.json cannot be read: there is no such file.'],
  [['report', folder], `The result file ${folder} cannot be read: it is a folder.`],
  [['diff', join(folder, 'list.json'), join(folder, 'cut.json')], 'list.json'],
  [['diff', 'a.json'], 'diff takes two result files', 'before.json after.json'],
];

test.each(cases)('%j', async (argv, ...says) => {
  const { code, sent, text } = await told(argv);
  expect([code, sent]).toEqual([2, 0]);
  for (const part of says) expect(text).toContain(part);
  expect(text).not.toContain('printed: ');
  expect(text).not.toContain('the-secret-key');
  // One sentence or several, in one line.
  expect(text).toMatch(/^[^\n]+\n$/);
});

test.each([['run'], ['facts', 'learn']])('%s %s elsewhere, where nobody is there to agree, shows the plan', async (...words) => {
  const { code, sent, text } = await told([...words, '--target', 'https://example.com']);
  expect([code, sent]).toEqual([2, 0]);
  expect(text).toMatch(/^https:\/\/example\.com is not on this machine\. .*\nA safe run of \d+ checks /);
  expect(text).toMatch(/ Say --yes to go on unasked\.\n$/);
});

test('help is not refused', async () => {
  for (const argv of [['help'], ['--help']]) expect(await told(argv)).toMatchObject({ code: 0, sent: 0 });
  expect(await told([])).toMatchObject({ code: 2, sent: 0 });
});
