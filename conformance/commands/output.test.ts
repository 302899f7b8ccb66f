import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../main.ts';
import { jsonReport } from '../report/json.ts';
import { runResult } from '../report/result-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'output-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('reports that cannot be written end with 6 and the file in the way', async () => {
  const [results, out] = [join(folder, 'unwritten.json'), join(folder, 'unwritten')];
  writeFileSync(results, jsonReport([runResult([])]));
  mkdirSync(join(out, 'report.html'), { recursive: true });
  const err: string[] = [];
  const io = { stdout: { write: () => 0 }, stderr: { write: (text: string) => err.push(text) } };
  expect(await main(['report', results, '--out', out], {}, io)).toBe(6);
  expect(err).toEqual([`What was found could not be written down, to ${join(out, 'report.html')}: it is a folder.\n`]);
});

test('what passed through a proxy is for its owner only, even where a file is there already; of a run a file keeps its mode', async () => {
  const watched = { onlyClient: true, held: [], findings: [], exchanges: [], lost: 0, beside: 0 };
  const modes: Record<string, string[]> = {};
  for (const [name, result] of Object.entries({ own: runResult([]), watched: runResult([], { watched }) })) {
    const [results, out] = [join(folder, `${name}.json`), join(folder, name)];
    writeFileSync(results, jsonReport([result]));
    mkdirSync(out);
    for (const file of ['report.txt', 'report.html', 'results.json']) {
      writeFileSync(join(out, file), 'earlier');
      chmodSync(join(out, file), 0o644);
    }
    const [told, err]: [string[], string[]] = [[], []];
    const io = { stdout: { write: (text: string) => told.push(text) }, stderr: { write: (text: string) => err.push(text) } };
    expect([await main(['report', results, '--out', out], {}, io), err]).toEqual([0, []]);
    const files = told.join('').trim().split('\n');
    expect(files).toHaveLength(3);
    modes[name] = [...new Set(files.map((file) => (statSync(file).mode & 0o777).toString(8)))];
  }
  expect(modes).toEqual({ own: ['644'], watched: ['600'] });
});
