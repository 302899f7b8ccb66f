import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resultJson } from '../../conformance/report/result-file.ts';
import { ruleResult, runResult } from '../../conformance/testing/result-fixture.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'output-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('exit code 6 and the path of a report that cannot be written', async () => {
  const [results, out] = [join(folder, 'unwritten.json'), join(folder, 'unwritten')];
  writeFileSync(results, resultJson([runResult([])]));
  mkdirSync(join(out, 'report.html'), { recursive: true });
  const err: string[] = [];
  const io = { stdout: { write: () => 0 }, stderr: { write: (text: string) => err.push(text) } };
  expect(await main(['report', results, '--out', out], {}, io)).toBe(6);
  expect(err).toEqual([expect.stringContaining(`${join(out, 'report.html')}: it is a folder`)]);
});

test('only a terminal without NO_COLOR gets colors', async () => {
  const results = join(folder, 'green.json');
  writeFileSync(results, resultJson([runResult([ruleResult('adjustment.returns-true')])]));
  const hasColors = async (isTTY: boolean, environment: Record<string, string>) => {
    const out: string[] = [];
    const stdout = { isTTY, write: (text: string) => out.push(text) };
    await main(['report', results], environment, { stdout, stderr: { write: () => 0 } });
    expect(out.join('')).toContain('PASS');
    return out.join('').includes('\x1b[32mPASS');
  };
  expect([await hasColors(true, {}), await hasColors(true, { NO_COLOR: '1' }), await hasColors(false, {})]).toEqual([
    true,
    false,
    false,
  ]);
});

test.skipIf(process.platform !== 'linux')('a folder that cannot be created is refused before anything is sent', () => {
  // The test runs a process of its own, because a test cannot stop an endless loop in its own process.
  const run = (...flags: string[]) => {
    const argv = ['--import', 'tsx', 'cli/main.ts', 'conformance', 'run', '--target', 'http://127.0.0.1:9', ...flags];
    return spawnSync(process.execPath, argv, {
      env: { ...process.env, GIFTCARD_API_KEY: 'a-key' },
      encoding: 'utf8',
      timeout: 10_000,
    });
  };
  const { status, stderr } = run('--out', '/proc/none/deeper');
  expect([status, stderr]).toEqual([2, expect.stringContaining('/proc/none/deeper')]);
  expect(run('--ledger', '/proc/none/ledger').status).toBe(2);
});
