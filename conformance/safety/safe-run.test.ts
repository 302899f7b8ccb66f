import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { startMock } from '../../mock/index.ts';
import { readRunResult } from '../report/result-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-safe-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs rules in safe mode on a mock whose account has a webhook. */
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
  const flags = ['--target', 'http://127.0.0.1', '--mode', 'safe', '--ledger', join(folder, `${name}-ledger`), '--out', out];
  const code = await main(['run', ...flags, ...argv], { GIFTCARD_API_KEY: mock.apiKey }, io);
  await mock.close();
  const result = await readRunResult(join(out, 'results.json'));
  return { code, changes, errors: errors.join(''), result, reasons: new Set(result.rules.map(({ reason }) => reason)) };
}

test('a webhook on the account makes a safe run read-only, and the run names --allow void-deliveries', async () => {
  const rules = ['gift-card.create.returns-200', 'company.profile-succeeds'];
  const { changes, errors, result, reasons } = await runWithWebhook('webhook', '--allow', 'webhooks', ...rules);
  expect([changes, result.mode]).toEqual([[], 'read-only']);
  expect(errors).toContain('--allow void-deliveries');
  expect(reasons).toContain('not-allowed:void-deliveries');
});

test('with --allow void-deliveries a safe run creates cards, but registers no webhook', async () => {
  const rules = ['gift-card.create.returns-200', 'webhook.create.returns-200'];
  const { changes, errors, result, reasons } = await runWithWebhook('allowed', '--allow', 'void-deliveries', ...rules);
  expect(errors).not.toContain('--allow void-deliveries');
  expect([result.mode, result.cards.created, result.cards.left]).toEqual(['safe', 1, []]);
  expect(changes).not.toContain('POST /api/Webhook/Create');
  expect(reasons).toContain('not-allowed:webhooks');
});

test.each(['a correct server', 'a server that mixes up cards'])(
  'a read-only run against %s uses cards of the list, and shows no code or ID of these cards',
  async (name) => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    const secrets = new Set<string>();
    const isMixed = name !== 'a correct server';
    const fetch = async (request: Request) => {
      expect(request.method).toBe('GET');
      const response = await mock.fetch(request);
      const text = await response.clone().text();
      for (const [, value = ''] of text.matchAll(/"(?:code|id)":"([^"]{5,})"/g)) secrets.add(value);
      const other = /GetBy(Code|Id)/.test(request.url) && response.status === 200 && isMixed;
      return other ? Response.json({ ...JSON.parse(text), id: 'another-id', code: 'ANOTHER-CODE', status: 'Lost' }) : response;
    };
    const written: string[] = [];
    const write = (part: string) => written.push(part);
    const out = join(folder, name);
    const flags = [
      '--mode',
      'read-only',
      '--verbose',
      '--ledger',
      join(folder, `${name}-ledger`),
      '--out',
      out,
      '--skip',
      'names.*',
    ];
    const argv = ['run', '--target', 'http://127.0.0.1', ...flags, '--reporter', 'text,junit,markdown,html'];
    const code = await main(argv, { GIFTCARD_API_KEY: mock.apiKey }, { stdout: { write }, stderr: { write }, fetch });
    await mock.close();
    const { rules } = await readRunResult(join(out, 'results.json'));
    const failed = rules.filter(({ verdict }) => verdict === 'fail').map(({ name: rule }) => rule);
    expect([code, failed.includes('gift-card.get-by-code.returns-the-card')]).toEqual([isMixed ? 1 : 0, isMixed]);
    const texts = [...readdirSync(out).map((file) => readFileSync(join(out, file), 'utf8')), ...written].join('\n');
    expect(secrets.size).toBeGreaterThan(20);
    const variants = [...secrets, 'another-id', 'ANOTHER-CODE'].flatMap((each) => [each, each.toLowerCase(), each.slice(0, -1)]);
    expect(variants.filter((each) => each.length > 4 && texts.includes(each))).toEqual([]);
  },
);
