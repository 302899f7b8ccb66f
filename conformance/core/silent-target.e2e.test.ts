import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { endAll, folder } from '../../cli/conformance/main-fixture.ts';
import { startMock } from '../../mock/index.ts';
import '../rules/index.ts';
import { fuzzSequences } from '../fuzz/fuzz.ts';
import { endingOfFuzz } from '../fuzz/result.ts';
import { buildDocument } from '../report/build-document.ts';
import { textReport } from '../report/text.ts';
import { LedgerFolder } from '../safety/ledger-folder.ts';
import { isCanaryVoided } from '../scenarios/cards.ts';
import { preflight } from './preflight.ts';
import { checks } from './rule.ts';
import { runRules, startRun } from './run.ts';
import { endingOfRun } from './run-ending.ts';
import { openSession } from './session.ts';
import { examine } from './trust.ts';

afterAll(endAll);

/** Milliseconds, in place of the 30 s of a run. */
const responseTimeout = 1_000;

const mock = await startMock({ listen: false, rateLimit: 'off' });
afterAll(() => mock.close());

/** A mock that receives every request, but does not respond to a request for which `isSilent` is true. Each response takes `ms` milliseconds. */
function service(isSilent: (path: string, number: number) => boolean, ms = 0) {
  const codes: string[] = [];
  let received = 0;
  const fetch = async (request: Request) => {
    received += 1;
    const number = received;
    const path = new URL(request.url).pathname;
    if (path.endsWith('/Create')) codes.push(((await request.clone().json()) as { code: string }).code);
    if (isSilent(path, number)) return new Promise<Response>(() => {});
    await pause(ms);
    return mock.fetch(request);
  };
  const target = { url: 'http://127.0.0.1', key: mock.apiKey, profile: {}, responseTimeout, fetch };
  return { target, codes, received: () => received };
}

const names = checks()
  .map(({ name }) => name)
  .filter((name) => /^(list|gift-card|adjustment)\./.test(name) && name !== 'list.page-size-maximum');

async function runOn(
  { target }: ReturnType<typeof service>,
  { selected = names, canary, deadline = responseTimeout }: { selected?: typeof names; canary?: true; deadline?: number } = {},
) {
  const ledger = new LedgerFolder(folder(), target.url);
  const start = performance.now();
  const options = { target, ledger, checks: checks(), deadline };
  const result = await runRules({ ...options, names: selected, canary: canary && isCanaryVoided });
  const { entries } = await ledger.read();
  return { result, entries, timeouts: (performance.now() - start) / responseTimeout };
}

test.concurrent('a target that never responds ends the preflight with a sentence', async () => {
  const { target, received } = service(() => true);
  expect(await examine(target)).toMatchObject({ place: 'near', because: expect.stringContaining('no response') });
  expect(received()).toBe(1);
  expect(await preflight(openSession(target))).toContain('no response within 1 s');
  expect(received()).toBe(2);
});

test.concurrent('a target that stops responding before the first card ends the run with exit code 3', async () => {
  const selected = ['list.page-size-default', ...names] as typeof names;
  const { result, entries, timeouts } = await runOn(
    service((_, number) => number > 2),
    { selected },
  );
  expect([endingOfRun(result).code, entries]).toEqual([3, []]);
  expect(result.interrupted?.since).toMatch(/^request 3 \(GET \/api\/.* UTC\)$/);
  expect(textReport(buildDocument([result]))).toContain('the target has not responded since request 3');
  expect(timeouts).toBeLessThan(4);
});

test.concurrent('a target that stops responding later leaves only cards in the ledger whose creation was sent', async () => {
  const silent = service((_, number) => number > 60);
  const { result, entries, timeouts } = await runOn(silent);
  expect([endingOfRun(result).code, result.interrupted?.since]).toEqual([5, expect.stringMatching(/^request 6\d /)]);
  const sent = entries.filter((entry) => entry.kind === 'card' && silent.codes.includes(entry.code));
  expect(sent.length).toBe(entries.length);
  expect(entries.length).toBeGreaterThan(1);
  // Three timeouts: of the test, of the two reads, and of the first look-up. The responses before take a part of the time.
  expect(timeouts).toBeLessThan(6);
});

test.concurrent('a target that does not respond to the first create gets no others', async () => {
  let isHanging = false;
  const silent = service((path) => {
    isHanging ||= path.endsWith('/Create');
    return isHanging;
  });
  const { result, entries, timeouts } = await runOn(silent, { canary: true });
  expect([endingOfRun(result).code, entries.length, silent.codes.length]).toEqual([5, 1, 1]);
  expect(timeouts).toBeLessThan(6);
});

test.concurrent('a target with one endpoint that hangs is tested to the end', async () => {
  const hanging = service((path) => path.includes('ListAdjustmentsByGiftCardId'));
  const selected = ['adjustment.history.by-id-shows-card-and-entries', 'list.page-size-default'] as typeof names;
  const { result } = await runOn(hanging, { selected });
  expect(result.interrupted).toBeUndefined();
  expect(result.rules.map(({ verdict }) => verdict)).toEqual(['error', 'pass']);
});

test.concurrent('a slow target is tested to the end', async () => {
  const slow = service(() => false, responseTimeout / 2);
  const { result, entries } = await runOn(slow, { selected: ['gift-card.create.returns-200'], deadline: 3 * responseTimeout });
  expect([endingOfRun(result).code, entries]).toEqual([0, []]);
});

test.concurrent('the cleanup of many cards ends soon if the target stops responding', async () => {
  const { target, received } = service(() => true);
  const session = openSession(target);
  const { ledger } = startRun(session, 1);
  for (let count = 0; count < 20; count += 1) ledger.open(ledger.fresh());
  await ledger.sweep(session.client);
  // One look-up, and the two reads that show whether the target responds at all.
  expect(received()).toBe(3);
});

test('a target that stops responding ends the sequences of fuzz; the ledger has only cards whose creation was sent', async () => {
  const silent = service((_, number) => number > 150);
  const [session, file] = [openSession(silent.target), new LedgerFolder(folder(), silent.target.url)];
  const start = performance.now();
  const options = { seed: 1, runs: 100, steps: 20, path: undefined, again: 'fuzz', leftBefore: [] };
  const result = await fuzzSequences({ ...options, session, file, signal: undefined, canary: isCanaryVoided, maxLeft: 0 });
  const { entries } = await file.read();
  expect(result.endedEarly).toMatchObject({ because: 'unreachable', detail: expect.stringContaining('since request 151 ') });
  expect([endingOfFuzz(result).code, entries.length > 0]).toEqual([5, true]);
  expect(entries.filter((entry) => entry.kind === 'card' && silent.codes.includes(entry.code)).length).toBe(entries.length);
  // The time-out of the request, of the two reads after it, and of the first look-up of the cleanup, and the time before them.
  expect((performance.now() - start) / responseTimeout).toBeLessThan(10);
});

test('a target that stops responding ends the malformed input of fuzz', async () => {
  const selected = checks().flatMap(({ name, inputs }) => (inputs ? [name] : []));
  const silent = service((_, number) => number > 40);
  const { result, timeouts } = await runOn(
    { ...silent, target: { ...silent.target, profile: { noRateLimit: true } } },
    { selected },
  );
  expect(result.interrupted).toMatchObject({ of: 17, since: expect.stringContaining('request 41 ') });
  expect(result.rules.at(-1)?.verdict).toBe('error');
  expect(timeouts).toBeLessThan(10);
});
