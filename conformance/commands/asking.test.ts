import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { main } from '../main.ts';
import { policyOf } from '../safety/policy.ts';
import { agreed } from './asking.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-asking-'));
afterAll(() => rmSync(folder, { recursive: true }));

const elsewhere = 'https://service.example.com';

/** Resolves with what was shown; rejects where nobody agreed. `typed` is undefined where nobody sits at the terminal. */
async function asked(url: string, typed: string | undefined, yes = false, mode: 'safe' | 'read-only' = 'safe') {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  if (typed !== undefined) stdin.end(`${typed}\n`);
  await agreed(
    { words: [], flags: { yes }, env: {}, io: { stdout: write, stderr: write, stdin } },
    url,
    policyOf(mode, [], {}),
    'The plan.\n',
  );
  return written.join('');
}

test('a run elsewhere than on this machine is agreed to first', async () => {
  expect(await asked(elsewhere, 'yes')).toMatch(
    / live ones; .*\nThe plan\.\nWhatever comes, it does no more than this: 5 cards, 6\.00 on them in all, 150 requests\.\nType yes to go on: $/,
  );
  expect(await asked(elsewhere, 'yes', false, 'read-only')).toMatch(
    /only looks, .*\nThe plan\.\nWhatever comes, it does no more than this: 150 requests\.\n/,
  );
  await expect(asked(elsewhere, 'no')).rejects.toThrow('Nobody agreed, and nothing was sent');
  await expect(asked(elsewhere, '')).rejects.toThrow('Nobody agreed, and nothing was sent');
  await expect(asked(elsewhere, undefined)).rejects.toThrow('Say --yes');
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
  expect(written.at(-1)).toBe('Broken off before anything was sent.\n');
  expect(io.eventNames()).toEqual([]);
});

test('where nobody sits there, the plan of this very run is shown all the same', async () => {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const argv = ['run', '--target', elsewhere, '--ledger', join(folder, 'unread'), 'adjustment.by-id.overdraw-status'];
  expect(await main(argv, { GIFTCARD_API_KEY: 'the-key' }, { stdout: write, stderr: write })).toBe(2);
  const told = written.join('');
  expect(told).toMatch(/A safe run of 1 check sends \d+ requests, \d+ of them to clean up\.\n/);
  expect(told).toMatch(/\n {2}cards created {12}1, with 1\.00 on them in all\n/);
  expect(told).toMatch(/nothing was sent\. Say --yes to go on unasked\.\n$/);
});

test('nobody is asked on this machine, and neither with --yes', async () => {
  expect(await asked('http://127.0.0.1:8460', undefined)).toBe('');
  expect(await asked(elsewhere, undefined, true)).toBe('');
});
