import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { policyOf } from '../safety/policy.ts';
import { agreed } from './asking.ts';

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
  expect(await asked(elsewhere, 'yes', false, 'read-only')).toContain('changes nothing');
  await expect(asked(elsewhere, 'no')).rejects.toThrow('Nobody agreed, and nothing was sent');
  await expect(asked(elsewhere, '')).rejects.toThrow('Nobody agreed, and nothing was sent');
  await expect(asked(elsewhere, undefined)).rejects.toThrow('Say --yes');
});

test('nobody is asked on this machine, and neither with --yes', async () => {
  expect(await asked('http://127.0.0.1:8460', undefined)).toBe('');
  expect(await asked(elsewhere, undefined, true)).toBe('');
});
