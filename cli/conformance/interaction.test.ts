import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { trustUnexamined } from '../../conformance/core/trust.ts';
import { LedgerFolder } from '../../conformance/safety/ledger-folder.ts';
import { policyOf } from '../../conformance/safety/policy.ts';
import { confirmRemoteRun } from './interaction.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-asking-'));
afterAll(() => rmSync(folder, { recursive: true }));

const remote = 'https://service.example.com';

/** Resolves with the output. Rejects if the user does not agree. Without a terminal, `typed` is undefined. */
async function confirm(url: string, typed: string | undefined, yes = false, mode: 'safe' | 'read-only' = 'safe') {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  if (typed !== undefined) stdin.end(`${typed}\n`);
  const io = { stdout: write, stderr: write, stdin };
  const ledger = new LedgerFolder(join(folder, 'confirm'), url);
  await confirmRemoteRun(
    {
      io,
      ledger,
      yes,
      trust: trustUnexamined({ url }),
      target: { url, key: 'key', profile: {} },
      policy: policyOf(mode, [], {}),
    },
    'The plan.\n',
  );
  return written.join('');
}

test('a run on a remote target needs a yes, after the plan and its limits', async () => {
  expect(await confirm(remote, 'yes')).toMatch(/The plan\.\n.*5 cards.*6\.00.*150 requests.*\n.*yes/);
  expect(await confirm(remote, 'yes', false, 'read-only')).toMatch(/The plan\.\n[^\n]* 0 cards.* 150 requests/);
  await expect(confirm(remote, 'no')).rejects.toThrow('nothing was sent');
  await expect(confirm(remote, '')).rejects.toThrow('nothing was sent');
  await expect(confirm(remote, undefined)).rejects.toThrow('--yes');
});

test('an interrupt at the question sends nothing', async () => {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const io = Object.assign(new EventEmitter(), {
    stdout: write,
    stderr: write,
    stdin: Object.assign(new PassThrough(), { isTTY: true }),
  });
  const code = main(['run', '--target', remote, '--ledger', join(folder, 'ledger')], { GIFTCARD_API_KEY: 'the-key' }, io);
  while (!written.join('').includes('Type yes')) await new Promise((done) => setImmediate(done));
  io.emit('SIGINT');
  expect(await code).toBe(130);
  expect(written.at(-1)).toMatch(/before anything was sent/);
  expect(io.eventNames()).toEqual([]);
});

test('without a terminal, the plan is printed and nothing is sent', async () => {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const argv = ['run', '--target', remote, '--ledger', join(folder, 'unread'), 'adjustment.by-id.overdraw-status'];
  expect(await main(argv, { GIFTCARD_API_KEY: 'the-key' }, { stdout: write, stderr: write })).toBe(2);
  const output = written.join('');
  expect(output).toMatch(/A safe run of 1 rule sends \d+ requests/);
  expect(output).toMatch(/cards created +2, .*2\.00/);
  expect(output).toMatch(/nothing was sent.*--yes.*\n$/);
});

test('a local target and --yes need no question', async () => {
  expect(await confirm('http://127.0.0.1:8460', undefined)).toBe('');
  expect(await confirm(remote, undefined, true)).toBe('');
});

/** Returns a terminal whose user types one line of `typed` after each question. */
function terminal(...typed: string[]) {
  const written: string[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const write = (text: string) => {
    written.push(text);
    if (text.includes('Type yes')) setImmediate(() => stdin.write(`${typed.shift() ?? ''}\n`));
  };
  const sent: Request[] = [];
  const fetch = (request: Request) => {
    sent.push(request);
    return Promise.reject(new Error('connection refused'));
  };
  const io = Object.assign(new EventEmitter(), { stdout: { write }, stderr: { write }, stdin, fetch });
  return { io, sent, output: () => written.join('') };
}

const [one, other] = ['https://one.example.com', 'https://other.example.com'];
const keys = { GIFTCARD_API_KEY: 'the-key', XDG_STATE_HOME: folder };
const comparing = ['compare', one, other, '--quiet', 'adjustment.by-id.refuses-overdraw'];

test('compare asks for each target before it sends anything to either', async () => {
  const refused = terminal('yes', 'no');
  expect(await main(comparing, keys, refused.io)).toBe(2);
  expect(refused.sent).toEqual([]);
  const questions = refused.output().split('Type yes to run: ');
  expect(questions).toHaveLength(3);
  expect(questions[0]).toMatch(/https:\/\/one\.example\.com is a remote target.*A twice.* 5 cards,/s);
  expect(questions[1]).toMatch(/https:\/\/other\.example\.com is a remote target.* 5 cards,/s);
  expect(questions[1]).not.toContain('twice');
  expect(refused.output()).toMatch(/not type yes.*nothing was sent/);

  const agreeing = terminal('yes', 'yes');
  expect(await main(comparing, keys, agreeing.io)).toBe(3);
  expect(new Set(agreeing.sent.map(({ url }) => new URL(url).origin))).toEqual(new Set([one]));
});

test('compare sends nothing without a terminal', async () => {
  const { io, sent, output } = terminal();
  const noTerminal = Object.assign(new PassThrough(), { isTTY: false });
  expect(await main(comparing, keys, Object.assign(io, { stdin: noTerminal }))).toBe(2);
  expect([sent, output().includes('Use --yes')]).toEqual([[], true]);
});
