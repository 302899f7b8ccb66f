import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Result } from '../core/result.ts';
import { resultJson } from '../report/result-file.ts';
import { runResult } from '../testing/result-fixture.ts';
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

test.skipIf(process.platform !== 'linux')('a folder that cannot be created is refused before anything is sent', () => {
  // In its own process, because an endless loop could not be stopped otherwise.
  const run = (...flags: string[]) => {
    const argv = ['--import', 'tsx', 'cli.ts', 'conformance', 'run', '--target', 'http://127.0.0.1:9', ...flags];
    return spawnSync(process.execPath, argv, {
      env: { ...process.env, GIFTCARD_API_KEY: 'a-key' },
      encoding: 'utf8',
      timeout: 10_000,
    });
  };
  const { status, stderr } = run('--out', '/proc/none/deeper');
  expect([status, stderr]).toEqual([2, expect.stringContaining('/proc/none/deeper')]);
  expect(run('--ledger', '/proc/none/ledger.jsonl').status).toBe(2);
});

test('reports of a proxy are private, also in existing files; reports of a run keep the mode of a file', async () => {
  const { suite, target, startedAt, finishedAt } = runResult([]);
  const watched: Result = {
    kind: 'proxy',
    suite,
    target,
    startedAt,
    finishedAt,
    onlyClient: true,
    requests: 0,
    lost: 0,
    notService: 0,
    unread: 0,
    faults: 0,
    held: [],
    findings: [],
    exchanges: [],
  };
  const modes: Record<string, string[]> = {};
  for (const [name, result] of Object.entries({ own: runResult([]), watched })) {
    const [results, out] = [join(folder, `${name}.json`), join(folder, name)];
    writeFileSync(results, resultJson([result]));
    mkdirSync(out);
    for (const file of ['report.txt', 'report.html', 'results.json']) {
      writeFileSync(join(out, file), 'earlier');
      chmodSync(join(out, file), 0o644);
    }
    const err: string[] = [];
    const io = {
      stdout: { write: () => 0 },
      stderr: { write: (text: string) => err.push(text) },
    };
    expect([await main(['report', results, '--out', out], {}, io), err]).toEqual([0, []]);
    const files = readdirSync(out).map((file) => join(out, file));
    expect(files).toHaveLength(3);
    modes[name] = [...new Set(files.map((file) => (statSync(file).mode & 0o777).toString(8)))];
  }
  expect(modes).toEqual({ own: ['644'], watched: ['600'] });
});
