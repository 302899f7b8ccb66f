import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { comparing, comparisonOf, few, Mocks, overdrawRule, type Served, type Spoil } from '../../scripts/compare/in-process.ts';
import type { InProcessFetch } from '../http/target.ts';
import type { Difference } from './result.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-compare-test-'));
const mocks = new Mocks();
const { serving } = mocks;
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mocks.end();
});

test.each<[string, (onA: number, onB: number) => boolean]>([
  ['during the runs', (onA, onB) => onA + onB === 12],
  // The suite runs A again after B.
  ['during the second run on A', (onA, onB) => onB > 0 && onA === onB + 20],
])('130: an interrupt %s leaves nothing on either target', async (_, isThen) => {
  const [a, b] = [await serving(), await serving()];
  const events = new EventEmitter();
  const printed = { out: '', err: '' };
  const sent = { a: 0, b: 0 };
  const statuses: string[] = [];
  const fetch: InProcessFetch = (request, about) => {
    const [letter, served] = request.url.startsWith('http://127.0.0.1:1/') ? (['a', a] as const) : (['b', b] as const);
    sent[letter] += 1;
    if (isThen(sent.a, sent.b)) events.emit('SIGINT');
    return served.fetch(request, about);
  };
  const io = Object.assign(events, {
    stdout: { write: (text: string) => (printed.out += text) },
    stderr: { write: (text: string) => (printed.err += text) },
    fetch,
  });
  const env = { GIFTCARD_API_KEY_A: a.key, GIFTCARD_API_KEY_B: b.key, XDG_STATE_HOME: folder };
  const urls = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  const code = await main(['compare', ...urls, '--reporter', 'json', ...few], env, io);
  expect([code, events.eventNames()]).toEqual([130, []]);
  expect(printed.err).toContain('Interrupted');
  const comparison = JSON.parse(printed.out);
  expect(comparison.steadinessUnknown).toBe('interrupted');
  expect([comparison.a.leftBehind, comparison.b.leftBehind]).toEqual([[], []]);
  for (const served of [a, b]) {
    const list = await served.fetch(
      new Request('http://127.0.0.1:1/api/GiftCard/List?pageSize=50&includeAll=true', { headers: { 'x-api-key': served.key } }),
      { odd: false },
    );
    const { giftCards } = (await list.json()) as { giftCards: { code: string; status: string }[] };
    const ours = giftCards.filter(({ code: own }) => own.startsWith('GCS'));
    statuses.push(...ours.map(({ status }) => status));
  }
  expect(statuses.length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set(['Voided']));
});

describe('exit codes', () => {
  const away: Served = { key: 'a-key', fetch: () => Promise.reject(new Error('connection refused')) };
  const broken: Spoil = (response, request) =>
    request.url.includes('AddAdjustmentByGiftCardId') ? new Response('', { status: 503 }) : response;

  test('3: one target is unreachable, or refuses its key', async () => {
    const { code, out, err } = await comparing(await serving(), away, overdrawRule);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^B: .*127\.0\.0\.1:2.*connection refused/);
    const refused = await comparing({ ...(await serving()), key: 'wrong-key' }, await serving(), overdrawRule);
    expect([refused.code, refused.err]).toEqual([3, expect.stringMatching(/^A: .* 401/)]);
    expect(refused.err).not.toContain('wrong-key');
  });

  test('5: a card that B does not void wins over every difference', async () => {
    const b = await serving();
    const keeping: Served = {
      ...b,
      fetch: async (request, about) =>
        request.method === 'DELETE' ? new Response('No.', { status: 400 }) : b.fetch(request, about),
    };
    const { code, out, err } = await comparing(await serving(), keeping, overdrawRule, 'gift-card.void.by-code-voids');
    expect(code).toBe(5);
    expect(out).toMatch(/^LEFT BEHIND {2}B: card#1/m);
    expect(err).toMatch(/^B: LEFT BEHIND/m);
  });

  test('4: a rule could not be tested on one side', async () => {
    const { code, differences, uncompared } = await comparisonOf(
      await serving(),
      await serving({}, broken),
      overdrawRule,
      'gift-card.void.by-code-voids',
    );
    expect([code, differences]).toEqual([4, []]);
    expect(uncompared).toMatchObject([{ name: overdrawRule, a: { verdict: 'pass' }, incomplete: true }]);
  });
});

describe('budgets', () => {
  test('without a second run on A, steadiness is unknown', async () => {
    const flags = ['--mode', 'safe', '--max-creates', '1', overdrawRule];
    const { code, steadinessUnknown, a } = await comparisonOf(await serving(), await serving(), ...flags);
    expect([code, steadinessUnknown, a.runs, a.spent.creates]).toEqual([0, expect.stringContaining('budget'), 1, 1]);
  });

  test('a budget from a flag is for both runs on A', async () => {
    const flags = ['--mode', 'safe', '--max-creates', '4', '--level', 'stated'];
    const { code, steadinessUnknown, compared, a, b } = await comparisonOf(await serving(), await serving(), ...flags);
    expect([code, steadinessUnknown, compared > 5]).toEqual([0, undefined, true]);
    expect([a.spent.creates, b.spent.creates]).toEqual([4, 2]);
  });
});

test('a file and a URL, and two files, show the same differences as two URLs', async () => {
  const lax: Spoil = async (response, request) =>
    request.url.endsWith('ByGiftCardId') && response.status >= 400 ? Response.json(true) : response;
  const [a, b] = [await serving(), await serving({}, lax)];
  const [urlA, urlB] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  const command = async (...words: string[]) => {
    const printed: string[] = [];
    const io = {
      stdout: { write: (text: string) => printed.push(text) },
      stderr: { write: () => true },
      fetch: ((request, about) => (request.url.startsWith(urlA) ? a : b).fetch(request, about)) satisfies InProcessFetch,
    };
    const keys = { A_KEY: a.key, B_KEY: b.key, GIFTCARD_API_KEY_A: a.key, GIFTCARD_API_KEY_B: b.key };
    await main([...words, '--quiet', '--mode', 'full'], { ...keys, XDG_STATE_HOME: folder }, io);
    return printed.join('');
  };
  const names = [overdrawRule, 'gift-card.get-by-code.returns-the-card'];
  const [folderA, folderB] = [join(folder, 'a'), join(folder, 'b')];
  await command('run', '--target', urlA, '--key-env', 'A_KEY', '--out', folderA, ...names);
  await command('run', '--target', urlB, '--key-env', 'B_KEY', '--out', folderB, ...names);
  const [fileA, fileB] = [join(folderA, 'results.json'), join(folderB, 'results.json')];
  const differencesOf = async (one: string, other: string, ...names: string[]) => {
    const { compared, differences } = JSON.parse(await command('compare', one, other, '--reporter', 'json', ...names));
    return [
      compared,
      (differences as Difference[]).map(({ name, kind, step }) => [
        name,
        kind,
        step?.what.replace(/#\d+/, '#'),
        step?.differs[0],
      ]),
    ];
  };
  const ofFiles = await differencesOf(fileA, fileB);
  expect(ofFiles[1]).toContainEqual([
    overdrawRule,
    'violated',
    'adjust card# by ID (-0.61)',
    expect.stringMatching(/^status: 4\d\d on A, 200 on B$/),
  ]);
  expect(await differencesOf(fileA, urlB)).toEqual(ofFiles);
  expect(await differencesOf(urlA, urlB, ...names)).toEqual(ofFiles);
  expect((await differencesOf(fileA, fileB, overdrawRule))[0]).toBe(1);
}, 30_000);
