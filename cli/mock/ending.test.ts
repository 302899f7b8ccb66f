import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/index.ts';

const KEY = 'key-of-this-test';

/** Starts a mock with a state in its own process. `stderr` is 'pipe' or an open file. */
async function startProcess(stderr: 'pipe' | number, sampleCards = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  const state = join(folder, 'state');
  const world = join(folder, 'world.json');
  writeFileSync(world, JSON.stringify({ accounts: [{ id: 'main', keys: [{ key: KEY }], sampleCards }] }));
  const started: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', 'cli/main.ts', 'mock', '--port', '0', '--rate-limit', 'off', '--state', state, '--world', world],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', 'pipe', stderr] },
  );
  onTestFinished(() => {
    started.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  if (!started.stdout) throw new Error('The process has no standard output.');
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const { value: url } = await lines.next();
  return { started, url: String(url), state, ended: once(started, 'exit') };
}

const get = (url: string, query = '') => fetch(`${url}/api/GiftCard/List${query}`, { headers: { 'x-api-key': KEY } });

test('signals after the first are ignored until the last changes are stored', async () => {
  const { started, url, state, ended } = await startProcess('pipe', 100);
  await get(url, '?pageSize=7');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) started.kill(signal);
  expect(await ended).toEqual([0, null]);
  await using mock = await startMock({ listen: false, state });
  expect(mock.accounts.map(({ apiKey }) => apiKey)).toEqual([KEY]);
});

test.skipIf(!existsSync('/dev/full'))('a full disk under the log does not end the mock', async () => {
  const full = openSync('/dev/full', 'w');
  const { started, url, state, ended } = await startProcess(full);
  closeSync(full);
  for (let request = 0; request < 3; request++) expect((await get(url)).status).toBe(200);
  started.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await using mock = await startMock({ listen: false, state });
  expect((await mock.journal.list()).entries).toHaveLength(3);
});

test('an unread log does not delay the end', async () => {
  const { started, url, ended } = await startProcess('pipe');
  const long = `?unknown=${'x'.repeat(8000)}`;
  for (let request = 0; request < 100; request++) await get(url, long);
  const start = performance.now();
  started.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - start).toBeLessThan(3000);
});
