import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { main } from '../cli/main.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-canary-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs clauses that create several cards. Returns the exit code, the output, and the number of creates that reached the target. */
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
  const argv = [
    'run',
    '--target',
    target,
    '--ledger',
    ledger,
    '--mode',
    'full',
    '--yes',
    '--rate',
    '9999',
    '--webhook-listen',
    '127.0.0.1:0',
    'gift-card.void.*',
  ];
  const code = await main(argv, { GIFTCARD_API_KEY: mock.apiKey }, { stdout: write, stderr: write, fetch });
  await mock.close();
  return { code, creates: creates.length, output: written.join('') };
}

test('a run against a remote target stops after one card that cannot be voided', async () => {
  const { code, creates, output } = await fullRun('https://service.example.com', false);
  expect([code, creates]).toEqual([5, 1]);
  expect(output).toMatch(/first card is voided/);
  expect(output).toContain('LEFT BEHIND  card#1:');
});

test('a run against a remote target goes on after its first card was voided; a local target needs no first card', async () => {
  const [elsewhere, here] = [await fullRun('https://service.example.com', true), await fullRun('http://127.0.0.1', true)];
  expect(elsewhere.code).toBe(here.code);
  expect(elsewhere.creates).toBe(here.creates + 1);
  expect(elsewhere.output).not.toMatch(/first card is voided/);
});
