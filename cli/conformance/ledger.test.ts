import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RunResult } from '../../conformance/core/result.ts';
import { Redactor } from '../../conformance/http/redactor.ts';
import { Ledger } from '../../conformance/safety/ledger.ts';
import { LedgerFolder } from '../../conformance/safety/ledger-folder.ts';
import { command, endAll, env, fewCards, folder, serveFixture, unknownCode } from './main-fixture.ts';

afterEach(endAll);

/** A run that ended with two cards and a webhook that may still exist. */
async function leaving(url = 'http://127.0.0.1:9') {
  const path = join(folder(), 'ledger');
  const file = new LedgerFolder(path, url);
  const keys = { key: env.GIFTCARD_API_KEY, profile: {} };
  const ledger = new Ledger(new Redactor(), keys);
  await ledger.storeIn(file);
  const codes = [0, 1].map(() => ledger.open(ledger.fresh()).code);
  ledger.openWebhook('https://conformance.invalid/1');
  const ended = () => ledger.close();
  const forget = (...names: string[]) =>
    command(['ledger', '--target', url, '--ledger', path, ...names.flatMap((name) => ['--forget', name])], {});
  return { url, path, run: ledger.runId, codes, ended, forget, ledger };
}

test('--forget takes names as the ledger prints them, and keeps all others', async () => {
  const { ended, forget, codes, run } = await leaving();
  await ended();
  const [first = '', second = ''] = codes;
  const one = await forget(`card#1 ${first}`, 'https://conformance.invalid/1');
  expect([one.code, one.err]).toEqual([5, '']);
  expect(one.out).toContain(`Forgotten: card#1 ${first}, requested in run ${run}, started 20`);
  expect(one.out).toContain(`Forgotten: webhook https://conformance.invalid/1, requested in run ${run}`);
  expect(one.out).toMatch(new RegExp(`\\n  requested card#2 ${second}\\n$`));
  const other = await forget(second);
  expect([other.code, other.out]).toEqual([0, expect.stringMatching(/^Forgotten: card#2 .*\nNothing is left/)]);
  expect((await forget()).out).toMatch(/^Nothing is left/);
});

test('--forget with a run forgets all of it, and sweep does not look for it again', async () => {
  const { url, requests } = await serveFixture(fewCards(404));
  const { ended, forget, run, path } = await leaving(url);
  await ended();
  expect((await forget(`Run ${run}`)).out.match(/^Forgotten: /gm)).toHaveLength(3);
  expect(await command(['sweep', '--target', url, '--ledger', path])).toMatchObject({ code: 0 });
  expect(requests.filter((request) => request.includes('/api/GiftCard'))).toEqual([]);
});

test('an unknown name forgets nothing', async () => {
  const { ended, forget, codes } = await leaving();
  const during = await forget(codes[0] ?? '');
  expect([during.code, during.err]).toEqual([2, expect.stringContaining('Nothing was marked as gone')]);
  await ended();
  for (const name of ['card#1', `${codes[0]}x`, codes[0]?.slice(1) ?? '', 'Run']) {
    const { code, err, out } = await forget(codes[1] ?? '', name);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('Nothing was marked as gone')]);
  }
  expect((await forget()).out.match(/^ {2}requested/gm)).toHaveLength(3);
});

test('a sweep that fails prints the command that forgets the leftovers', async () => {
  const { url } = await serveFixture((_, response) => response.writeHead(500).end());
  const { ended, path, run } = await leaving(url);
  await ended();
  const { code, err } = await command(['sweep', '--target', url, '--ledger', path]);
  expect(code).toBe(5);
  expect(err.match(/^LEFT BEHIND {2}.* \(its creation had no response, and (GET|DELETE) \S+ returned 500\)$/gm)).toHaveLength(3);
  const [, words = ''] = /: npx giftcard-sandbox conformance (.*) --forget NAME/.exec(err) ?? [];
  const { code: after, out } = await command([...words.split(' '), '--forget', `Run ${run}`]);
  expect([after, out.match(/^Forgotten: /gm)?.length]).toEqual([0, 3]);
});

test.each([
  [80, 4],
  [20, 0],
])('the requests that remove %s leftovers count in the budget of a safe run', async (number, code) => {
  const { url } = await serveFixture(fewCards(404));
  const { path, ended, ledger } = await leaving(url);
  for (const entry of [...ledger.all]) ledger.mark(entry, 'gone');
  for (let made = 0; made < number; made += 1) {
    const entry = ledger.open(ledger.fresh());
    const { status } = await fetch(`${url}/api/GiftCard/Create`, { method: 'POST', body: JSON.stringify(entry) });
    ledger.recordResponse(entry, { status, json: undefined });
  }
  await ended();
  const flags = ['--target', url, '--ledger', path, '--rate', '100000', '--allow', 'void-deliveries'];
  const run = () => command(['run', ...flags, '--reporter', 'json', unknownCode]);
  const { err, out, ...first } = await run();
  expect(err).toContain(`${number} of ${number} leftovers`);
  const [rule] = (JSON.parse(out) as RunResult).rules;
  const untested = { verdict: 'untested', reason: 'budget', detail: expect.stringContaining(`${2 * number} requests`) };
  expect([first.code, rule]).toEqual([code, expect.objectContaining(code === 0 ? { verdict: 'pass' } : untested)]);
  expect((await run()).code).toBe(0);
});
