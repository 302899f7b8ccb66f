import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { LedgerFolder } from '../safety/ledger-folder.ts';
import { policyOf } from '../safety/policy.ts';
import { confirmRemoteRun } from './interaction.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-asking-'));
afterAll(() => rmSync(folder, { recursive: true }));

const elsewhere = 'https://service.example.com';

/** Resolves with what was shown; rejects where nobody agreed. `typed` is undefined where nobody sits at the terminal. */
async function asked(url: string, typed: string | undefined, yes = false, mode: 'safe' | 'read-only' = 'safe') {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  if (typed !== undefined) stdin.end(`${typed}\n`);
  const io = { stdout: write, stderr: write, stdin };
  const ledger = new LedgerFolder(join(folder, 'asked'), url);
  await confirmRemoteRun(
    { io, ledger, target: { url, key: 'key', profile: {} }, policy: policyOf(mode, [], {}) },
    yes,
    'The plan.\n',
  );
  return written.join('');
}

test('a run on a remote target needs a yes, after the plan and its limits', async () => {
  expect(await asked(elsewhere, 'yes')).toMatch(/The plan\.\n.*5 cards.*6\.00.*150 requests.*\n.*yes/);
  expect(await asked(elsewhere, 'yes', false, 'read-only')).toMatch(/The plan\.\n[^\n]*: 150 requests/);
  await expect(asked(elsewhere, 'no')).rejects.toThrow('nothing was sent');
  await expect(asked(elsewhere, '')).rejects.toThrow('nothing was sent');
  await expect(asked(elsewhere, undefined)).rejects.toThrow('--yes');
});

test('who breaks it off instead of answering has sent nothing', async () => {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const io = Object.assign(new EventEmitter(), {
    stdout: write,
    stderr: write,
    stdin: Object.assign(new PassThrough(), { isTTY: true }),
  });
  const code = main(['run', '--target', elsewhere, '--ledger', join(folder, 'ledger')], { GIFTCARD_API_KEY: 'the-key' }, io);
  while (!written.join('').includes('Type yes')) await new Promise((done) => setImmediate(done));
  io.emit('SIGINT');
  expect(await code).toBe(130);
  expect(written.at(-1)).toMatch(/before anything was sent/);
  expect(io.eventNames()).toEqual([]);
});

test('where nobody sits there, the plan of this very run is shown all the same', async () => {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const argv = ['run', '--target', elsewhere, '--ledger', join(folder, 'unread'), 'adjustment.by-id.overdraw-status'];
  expect(await main(argv, { GIFTCARD_API_KEY: 'the-key' }, { stdout: write, stderr: write })).toBe(2);
  const told = written.join('');
  expect(told).toMatch(/A safe run of 1 clause sends \d+ requests/);
  expect(told).toMatch(/cards created +1, .*1\.00/);
  expect(told).toMatch(/nothing was sent.*--yes.*\n$/);
});

test('nobody is asked on this machine, and neither with --yes', async () => {
  expect(await asked('http://127.0.0.1:8460', undefined)).toBe('');
  expect(await asked(elsewhere, undefined, true)).toBe('');
});

/** Somebody at a terminal, who types what is given as soon as a question is asked. */
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
    return Promise.reject(new Error('nobody is there'));
  };
  const io = Object.assign(new EventEmitter(), { stdout: { write }, stderr: { write }, stdin, fetch });
  return { io, sent, told: () => written.join('') };
}

const [one, other] = ['https://one.example.com', 'https://other.example.com'];
const keys = { GIFTCARD_API_KEY: 'the-key', XDG_STATE_HOME: folder };
const comparing = ['compare', one, other, '--quiet', 'adjustment.by-id.refuses-overdraw'];

test('a comparison is agreed to for each of the two, with what it does there, before either is asked anything', async () => {
  const refused = terminal('yes', 'no');
  expect(await main(comparing, keys, refused.io)).toBe(2);
  expect(refused.sent).toEqual([]);
  const questions = refused.told().split('Type yes to run: ');
  expect(questions).toHaveLength(3);
  expect(questions[0]).toMatch(/https:\/\/one\.example\.com is a remote target.*\nTwice.* 10 cards,/s);
  expect(questions[1]).toMatch(/https:\/\/other\.example\.com is a remote target.* 5 cards,/s);
  expect(questions[1]).not.toContain('Twice');
  expect(refused.told()).toMatch(/not yes.*nothing was sent/);

  const agreeing = terminal('yes', 'yes');
  expect(await main(comparing, keys, agreeing.io)).toBe(3);
  expect(new Set(agreeing.sent.map(({ url }) => new URL(url).origin))).toEqual(new Set([one, other]));
});

test('a comparison of which nobody is there to agree to sends nothing', async () => {
  const { io, sent, told } = terminal();
  const nobody = Object.assign(new PassThrough(), { isTTY: false });
  expect(await main(comparing, keys, Object.assign(io, { stdin: nobody }))).toBe(2);
  expect([sent, told().includes('Use --yes')]).toEqual([[], true]);
});
