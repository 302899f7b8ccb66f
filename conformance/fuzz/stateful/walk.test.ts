import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../../mock/index.ts';
import { varied } from '../../../mock/variant/vary.ts';
import { mutants } from '../../../scripts/mutants/list.ts';
import { defaultWorldProfile } from '../../../scripts/mutants/profile.ts';
import { Workshop } from '../../../scripts/mutants/workshop.ts';
import { differing } from '../../../scripts/varied/judge.ts';
import { openSession } from '../../core/session.ts';
import type { Target } from '../../core/target.ts';
import { stranger } from '../../testing/reference-server/server.ts';
import { type WalkOptions, walk } from './walk.ts';

async function walked(target: Target, more: Partial<WalkOptions> = {}) {
  const session = openSession(target);
  const options = { file: undefined, signal: undefined, seed: 1, runs: 100, steps: 20, path: undefined, stopsAtLeft: false };
  try {
    return await walk({ session, ...options, ...more });
  } finally {
    await session.client.close();
  }
}

/** As told as it is worth comparing: nothing found, nothing in the way, nothing left. */
const nothing = { found: undefined, trouble: undefined, left: [] };

type Start = typeof startMock;

async function onMock(
  start: Start,
  more: Partial<WalkOptions>,
  settings: Parameters<Start>[0] = {},
  profile = defaultWorldProfile,
) {
  const mock = await start({ listen: false, rateLimit: 'off', ...settings });
  const target = { url: mock.url, key: mock.apiKey, profile, fetch: (request: Request) => mock.fetch(request) };
  return walked(target, more).finally(() => mock.close());
}

describe('nothing is found', () => {
  test('on the mock as it is', async () => {
    const found = await onMock(startMock, { runs: 200, seed: 20 });
    expect(found).toMatchObject({ ...nothing, stories: 200 });
    expect(found.created).toBeGreaterThan(200);
    expect(found.voided).toBe(found.created);
  }, 60_000);

  test('where open questions are answered otherwise', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const variation = differing(varied(seed));
      // Times that are cut short do not say what is compared.
      const isCut = variation['http.date-form'] === 'seconds-and-z';
      const profile = { ...defaultWorldProfile, timesShownExactly: !isCut };
      const found = await onMock(startMock, { runs: 5, seed }, { facts: { facts: variation } }, profile);
      expect({ seed, ...found }).toMatchObject({ seed, ...nothing });
    }
  }, 60_000);

  test('on a service that answers everything unstated in a way of its own', async () => {
    const { key, profile, fetch } = stranger();
    const target = { url: 'http://127.0.0.1', key, profile: { ...profile, noRateLimit: true }, fetch };
    expect(await walked(target, { runs: 40 })).toMatchObject({ ...nothing, stories: 40 });
  }, 60_000);
});

describe('what is broken is found within a hundred stories, and told in few steps', () => {
  const workshop = new Workshop(mutants);
  afterAll(() => workshop.close());

  async function broken(name: string): Promise<Start> {
    const mutant = mutants.find((each) => each.name === name);
    if (!mutant) throw new Error(`There is no mutant ${name}.`);
    return (await workshop.made(mutant)).startMock;
  }

  test.each([
    ['adjustment.by-id.refuses-overdraw#1', 'adjustment.by-id.refuses-overdraw', 2],
    ['adjustment.by-id.takes-whole-balance#1', 'adjustment.by-id.takes-whole-balance', 2],
    ['adjustment.negative-redeems#1', 'adjustment.negative-redeems', 2],
    ['adjustment.by-code.names-card-by-code#1', 'adjustment.negative-redeems', 3],
    ['idempotency.adjustment.repeat-on-other-card-refused#1', 'idempotency.adjustment.repeat-on-other-card-refused', 4],
    ['idempotency.create.refuses-repeat#1', 'idempotency.create.refuses-repeat', 2],
    ['gift-card.create.refuses-taken-code#1', 'gift-card.create.refuses-taken-code', 2],
    ['gift-card.void.zeroes-balance#1', 'gift-card.void.zeroes-balance', 2],
    ['gift-card.void.any-state#1', 'gift-card.void.by-code-voids', 3],
    ['gift-card.void.by-id-voids#1', 'gift-card.void.zeroes-balance', 3],
    ['authentication.foreign-record-is-404#1', 'authentication.foreign-record-is-404', 2],
    ['authentication.wrong-key-is-401#1', 'authentication.wrong-key-is-401', 2],
    ['list.page-number-from-zero#1', 'list.page-number-from-zero', 3],
  ])(
    '%s',
    async (name, clause, steps) => {
      const { found, trouble } = await onMock(await broken(name), {});
      expect({ clause: found?.clause, trouble }).toEqual({ clause, trouble: undefined });
      expect(found?.steps.length).toBeLessThanOrEqual(steps);
    },
    60_000,
  );

  test('the order of a history, where time was left between the last two adjustments', async () => {
    const { found } = await onMock(await broken('adjustment.history.newest-first#1'), {});
    expect(found?.clause).toBe('adjustment.history.newest-first');
    expect(found?.steps.filter((step) => step.startsWith('wait'))).not.toEqual([]);
  }, 120_000);

  test('seed and path tell the same story again, and nothing besides', async () => {
    const start = await broken('adjustment.by-id.refuses-overdraw#1');
    const { found } = await onMock(start, { seed: 5 });
    const again = await onMock(start, { seed: 5, path: found?.path ?? '' });
    expect(again.found).toEqual(found);
    expect(again.stories).toBe(1);
    expect(await onMock(startMock, { seed: 5, path: found?.path ?? '' })).toMatchObject({ ...nothing, stories: 1 });
  }, 60_000);
});
