import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSession } from '../core/session.ts';
import { clauseResult, runResult } from '../testing/result-fixture.ts';
import { command, endAll, fewCards, folder, serve, unknownCode } from './main-fixture.ts';
import { unfitForBaseline } from './new-baseline.ts';

afterEach(endAll);

/** A server that violates the clause, and whose list answers with these statuses, one after another, or breaks the connection. */
async function listing(...statuses: (200 | 401 | 500 | 502 | 'none')[]) {
  const others = fewCards(200);
  let requests = 0;
  return serve((request, response) => {
    if (!request.url?.startsWith('/api/GiftCard/List')) return others(request, response);
    const status = statuses[Math.min(requests++, statuses.length - 1)] ?? 200;
    if (status === 'none') return request.destroy();
    response.writeHead(status).end(status === 200 ? '{"giftCards": [], "totalCount": 0}' : 'no');
  });
}

async function writing(url: string, ...clauses: string[]) {
  const file = join(folder(), 'baseline.json');
  const found = await command(['run', '--quiet', '--target', url, '--write-baseline', file, ...clauses]);
  return { ...found, file, names: existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8'))) : undefined };
}

test('a new baseline has the failures of a target that answers until the end', async () => {
  const { url } = await listing(200);
  expect(await writing(url, unknownCode)).toMatchObject({ code: 0, names: [unknownCode], err: '' });
});

test('a list that always failed does not prevent a baseline', async () => {
  const { url } = await listing(500);
  expect(await writing(url, unknownCode)).toMatchObject({ code: 0, names: [unknownCode] });
});

test.each([
  ['none', /could not be reached/],
  [502, /GET \/api\/GiftCard\/List answered 502/],
  [401, /answered 401/],
] as const)('no baseline for a target that stopped answering: %s', async (status, says) => {
  const { url } = await listing(200, status);
  const { code, file, names, err, out } = await writing(url, unknownCode);
  expect([code, names]).toEqual([4, undefined]);
  expect(err).toContain(`No baseline was written to ${file}. `);
  expect(err).toMatch(says);
  expect(out).toContain(`FAIL  ${unknownCode}`);
});

test('no baseline for a target without any success; an existing file stays', async () => {
  const { url } = await serve((_, response) => response.writeHead(500).end('no'));
  const file = join(folder(), 'baseline.json');
  writeFileSync(file, '{}');
  const { code, err } = await command(['run', '--quiet', '--target', url, '--write-baseline', file, 'gift-card.get-by-id.*']);
  expect([code === 4 || code === 5, readFileSync(file, 'utf8')]).toEqual([true, '{}']);
  expect(err).toContain('No request succeeded');
});

test('clauses without an answer are named and not in the baseline', async () => {
  const others = fewCards(200);
  const { url } = await serve((request, response) =>
    request.url?.startsWith('/api/Webhook') ? request.destroy() : others(request, response),
  );
  const { code, names, err } = await writing(url, unknownCode, 'webhook.list.of-account');
  expect([code, names]).toEqual([4, [unknownCode]]);
  expect(err).toMatch(/lacks 1 clause .*: webhook\.list\.of-account\./);
});

test('an interrupted run and a run without verdicts need no further request', async () => {
  const fails = clauseResult('adjustment.answers-true', { verdict: 'fail' });
  const silent = clauseResult('adjustment.answers-true', { verdict: 'error', fault: 'transport' });
  const session = openSession({ url: 'http://127.0.0.1:9', key: 'the-key', profile: {} });
  expect(await unfitForBaseline(runResult([fails], { interrupted: { after: 1, of: 2 } }), session)).toMatch('interrupted');
  expect(await unfitForBaseline(runResult([silent]), session)).toMatch('No clause');
});
