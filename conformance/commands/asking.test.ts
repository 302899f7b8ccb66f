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
  expect(await asked(elsewhere, 'yes')).toMatch(/at most 5 live gift cards .*\nThe plan\.\nType yes to go on: $/);
  expect(await asked(elsewhere, 'yes', false, 'read-only')).toContain('only looks');
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

test('nobody is asked on this machine, and neither with --yes', async () => {
  expect(await asked('http://127.0.0.1:8460', undefined)).toBe('');
  expect(await asked(elsewhere, undefined, true)).toBe('');
});
