import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { main } from '../cli/main.ts';
import { readRunResult } from '../report/result-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-safe-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs clauses in safe mode on a mock whose account has a webhook. */
async function runWithWebhook(name: string, ...argv: string[]) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const headers = { 'x-api-key': mock.apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: 'https://example.com/hook' });
  await mock.fetch(new Request(`${mock.url}/api/Webhook/Create`, { method: 'POST', headers, body }));
  const changes: string[] = [];
  const errors: string[] = [];
  const io = {
    stdout: { write: () => undefined },
    stderr: { write: (part: string) => errors.push(part) },
    fetch: (request: Request) => {
      if (request.method !== 'GET') changes.push(`${request.method} ${new URL(request.url).pathname}`);
      return mock.fetch(request);
    },
  };
  const out = join(folder, name);
  const flags = ['--target', 'http://127.0.0.1', '--mode', 'safe', '--ledger', join(folder, `${name}.jsonl`), '--out', out];
  const code = await main(['run', ...flags, ...argv], { GIFTCARD_API_KEY: mock.apiKey }, io);
  await mock.close();
  const result = await readRunResult(join(out, 'results.json'));
  return { code, changes, errors: errors.join(''), result, reasons: new Set(result.clauses.map(({ reason }) => reason)) };
}

test('a webhook on the account makes a safe run read-only, and the run names --allow void-deliveries', async () => {
  const clauses = ['gift-card.create.answers-200', 'company.profile-answers'];
  const { changes, errors, result, reasons } = await runWithWebhook('webhook', '--allow', 'webhooks', ...clauses);
  expect([changes, result.mode]).toEqual([[], 'read-only']);
  expect(errors).toContain('--allow void-deliveries');
  expect(reasons).toContain('not-allowed:void-deliveries');
});

test('with --allow void-deliveries a safe run creates cards, but registers no webhook', async () => {
  const clauses = ['gift-card.create.answers-200', 'webhook.create.answers-200'];
  const { changes, errors, result, reasons } = await runWithWebhook('allowed', '--allow', 'void-deliveries', ...clauses);
  expect(errors).not.toContain('--allow void-deliveries');
  expect([result.mode, result.cards.created, result.cards.left]).toEqual(['safe', 1, []]);
  expect(changes).not.toContain('POST /api/Webhook/Create');
  expect(reasons).toContain('not-allowed:webhooks');
});
