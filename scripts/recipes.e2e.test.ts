import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startMock } from '../mock/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the recipe for node:test runs, with the package as it is built', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', 'docs/recipes/node-test/'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^# pass [1-9]/m);
  expect(stdout).toMatch(/^# fail 0/m);
});

/** Runs a program. Meanwhile, this process continues to respond to requests. */
function ran(file: string, args: readonly string[], env: Record<string, string | undefined>, cwd = root) {
  return new Promise<{ code: number; out: string }>((done) => {
    const program = execFile(file, args, { cwd, env: { ...process.env, XDG_STATE_HOME: state, ...env } }, (_, stdout, stderr) =>
      done({ code: program.exitCode ?? -1, out: stdout + stderr }),
    );
  });
}

const state = mkdtempSync(join(tmpdir(), 'recipes-state-'));
afterAll(() => rmSync(state, { recursive: true }));

const vitest = [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--root',
  'docs/recipes/conformance',
  '--reporter',
  'verbose',
];
const one = 'gift-card.get-by-code.unknown-is-404';

test('the recipe for rules as tests of vitest passes on the sandbox', async () => {
  const mock = await startMock({ rateLimit: 'off' });
  onTestFinished(() => mock.close());
  const env = { GIFTCARD_BASE_URL: mock.url, GIFTCARD_API_KEY: mock.apiKey, NO_COLOR: '1' };
  const { code, out } = await ran(process.execPath, vitest, env);
  expect([code, out]).toEqual([0, expect.stringMatching(/Tests +[1-9]\d+ passed/)]);
  expect(out).toContain(`${one}`);
  expect(out).toContain('fixture-missing: the profile does not have voucherCode');
});

test('the recipe fails on a server that violates a rule, and vitest -t runs one rule only', async () => {
  const cards = new Map<string, object>();
  let canVoid = true;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const code = request.url?.split('/').at(-1) ?? '';
    const sentCard = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as { code: string }) : undefined;
    if (sentCard) cards.set(sentCard.code, { ...sentCard, id: `id-${sentCard.code}`, status: 'Active' });
    if (request.method === 'DELETE' && canVoid && cards.has(code)) cards.set(code, { ...cards.get(code), status: 'Voided' });
    const isList = /\/GiftCard\/List(\?|$)/.test(request.url ?? '');
    // An unknown code gets a successful response, which violates a rule.
    const found = isList ? { giftCards: [...cards.values()], totalCount: cards.size } : (cards.get(sentCard?.code ?? code) ?? {});
    response.end(JSON.stringify(request.method === 'DELETE' ? null : found));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const env = {
    GIFTCARD_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    GIFTCARD_API_KEY: 'any',
    GIFTCARD_MODE: 'full',
    NO_COLOR: '1',
  };
  const { code, out } = await ran(process.execPath, [...vitest, '-t', one], env);
  expect([code, out]).toEqual([1, expect.stringMatching(/Tests +1 failed \| \d+ skipped/)]);
  expect(out).not.toMatch(/Left behind/);
  canVoid = false;
  cards.clear();
  expect((await ran(process.execPath, [...vitest, '-t', one], env)).out).toMatch(
    /Left behind: .*npx giftcard-sandbox conformance ledger/,
  );
  expect(cards.size).toBe(1);
  const cli = [join(root, 'dist/cli.js'), 'conformance', 'ledger', '--target', env.GIFTCARD_BASE_URL];
  const ledger = await ran(process.execPath, cli, env);
  expect([ledger.code, ledger.out]).toEqual([5, expect.stringMatching(new RegExp([...cards.keys()].join('|')))]);
});

test.each([
  [401, /refuses the key/],
  [503, /is not ready/],
])('if the target returns %i, one test fails with the reason and the others are skipped', async (status, reason) => {
  const server = createServer((_, response) => response.writeHead(status).end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const env = {
    GIFTCARD_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    GIFTCARD_API_KEY: 'any',
    NO_COLOR: '1',
  };
  const { code, out } = await ran(process.execPath, vitest, env);
  expect([code, out]).toEqual([1, expect.stringMatching(/Tests +1 failed \| \d+ skipped/)]);
  expect(out).toMatch(reason);
});

test('the steps of the workflow write the summary and the reports that later steps read', async () => {
  const workflow = parse(readFileSync(join(root, 'docs/recipes/github-actions/conformance.yml'), 'utf8')) as {
    jobs: { conformance: { steps: { id?: string; run?: string; with?: Record<string, string> }[] } };
  };
  const { steps } = workflow.jobs.conformance;
  const script = steps.flatMap(({ id, run }) => (id && run ? [run] : [])).join('\n');
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  const mock = await startMock({ rateLimit: 'off' });
  onTestFinished(() => mock.close());
  const env = {
    GIFTCARD_BASE_URL: mock.url,
    GIFTCARD_API_KEY: mock.apiKey,
    GITHUB_STEP_SUMMARY: summary,
    XDG_STATE_HOME: folder,
  };
  const installed = `npx() { shift; '${process.execPath}' '${join(root, 'dist/cli.js')}' "$@"; }`;
  const { code, out } = await ran('sh', ['-ec', `${installed}\n${script}`], env, folder);
  expect([code, out]).toEqual([0, expect.stringContaining('stated ')]);
  expect(readFileSync(summary, 'utf8')).toMatch(/^## ✅ /);
  expect(readdirSync(join(folder, 'conformance-report')).sort()).toEqual([
    'junit.xml',
    'report.html',
    'report.md',
    'report.txt',
    'results.json',
  ]);
  expect(steps.flatMap(({ with: more }) => more?.report_paths ?? [])).toEqual(['conformance-report/junit.xml']);

  const elsewhere = join(folder, 'empty');
  mkdirSync(elsewhere);
  const showing = steps.find(({ id }) => id === 'summary')?.run ?? '';
  expect(await ran('sh', ['-ec', showing], env, elsewhere)).toMatchObject({ code: 0 });
  expect(readFileSync(summary, 'utf8')).toMatch(/\nNothing was tested\. The previous step shows why\.\n$/);
});
