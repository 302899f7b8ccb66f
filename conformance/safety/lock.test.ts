import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { UsageError } from '../cli/usage-error.ts';
import { alone, isHeld, locked } from './lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Comes in as often as all of them together, and sees how many were in at once. */
async function crowd(ledger: string, many: number): Promise<number> {
  let [inside, most] = [0, 0];
  await Promise.all(
    Array.from({ length: many }, () =>
      alone(ledger, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await sleep(2);
        inside -= 1;
      }),
    ),
  );
  return most;
}

test('of many that come at once one is in at a time, and all get in', async () => {
  const ledger = join(folder, 'many.jsonl');
  expect(await crowd(ledger, 6)).toBe(1);
  expect(readdirSync(folder).filter((name) => name.endsWith('.writing'))).toEqual([]);
});

test('one that was killed while alone keeps nobody out for long, and the first that comes takes nothing of the second away', async () => {
  const ledger = join(folder, 'killed.jsonl');
  let mine = '';
  await alone(ledger, async () => {
    mine = readdirSync(folder).find((name) => name.endsWith('.writing')) ?? '';
  });
  const dead = join(folder, mine.replace(/-\w+\.writing$/, '-00000000.writing'));
  writeFileSync(dead, '');
  let isIn = false;
  const waiting = alone(ledger, async () => {
    isIn = true;
  });
  await sleep(60);
  // Not long ago, so that whoever made it may only be about to listen.
  expect([isIn, existsSync(dead)]).toEqual([false, true]);
  utimesSync(dead, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  await waiting;
  expect(existsSync(dead)).toBe(false);
  writeFileSync(dead, '');
  utimesSync(dead, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  expect(await crowd(ledger, 4)).toBe(1);
});

test('where the folder takes no socket it is among the temporary files, and a run that can show nobody that it lives does not begin', async () => {
  const lock = await locked('ABC234', join(folder, 'x'.repeat(120), 'ledger.jsonl'));
  expect([lock.path, await isHeld(lock.path)]).toEqual([join(tmpdir(), 'run-ABC234.lock'), true]);
  await lock.release();
  expect(await isHeld(lock.path)).toBe(false);
  await expect(locked('x'.repeat(101), join(folder, 'ledger.jsonl'))).rejects.toThrow(UsageError);
});
