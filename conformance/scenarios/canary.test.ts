import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { main } from '../cli/main.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-canary-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A full run of what makes several cards; the creates that reached the target, and what was said. */
async function fullRun(target: string, voids: boolean) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const [written, creates]: [string[], string[]] = [[], []];
  const write = { write: (text: string) => written.push(text) };
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/Create')) creates.push(pathname);
    if (request.method === 'DELETE' && !voids) return new Response('broken', { status: 500 });
    return mock.fetch(new Request(mock.url + pathname, request));
  };
  const ledger = join(folder, `${new URL(target).hostname}-${voids}.jsonl`);
  const argv = ['run', '--target', target, '--ledger', ledger, '--mode', 'full', '--yes', '--rate', '9999/m', 'gift-card.void.*'];
  const code = await main(argv, { GIFTCARD_API_KEY: mock.apiKey }, { stdout: write, stderr: write, fetch });
  await mock.close();
  return { code, creates: creates.length, told: written.join('') };
}

test('elsewhere than on this machine, one card that cannot be voided is the last', async () => {
  const { code, creates, told } = await fullRun('https://service.example.com', false);
  expect([code, creates]).toEqual([5, 1]);
  expect(told).toMatch(/first card could not be proven gone/);
  expect(told).toContain('LEFT BEHIND  card#1:');
});

test('where it can be voided, the run goes on; on this machine none is tried first', async () => {
  const [elsewhere, here] = [await fullRun('https://service.example.com', true), await fullRun('http://127.0.0.1', true)];
  expect(elsewhere.code).toBe(here.code);
  expect(elsewhere.creates).toBe(here.creates + 1);
  expect(elsewhere.told).not.toMatch(/could not be proven gone/);
});
