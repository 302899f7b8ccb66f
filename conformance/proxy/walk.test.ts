import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { varied } from '../../mock/variant/vary.ts';
import { mutants } from '../../scripts/mutants/list.ts';
import { defaultWorldProfile } from '../../scripts/mutants/profile.ts';
import { Workshop } from '../../scripts/mutants/workshop.ts';
import { differing } from '../../scripts/varied/judge.ts';
import { openSession } from '../core/session.ts';
import type { Target } from '../core/target.ts';
import { walk } from '../fuzz/stateful/walk.ts';
import { stranger } from '../testing/reference-server/server.ts';
import { within } from '../testing/within-fixture.ts';

/** The seeded walk as the client of a proxy; what the proxy finds in what passes, but for what is open and what is the client's. */
async function walkedThrough(
  target: Target & { readonly fetch: NonNullable<Target['fetch']> },
  runs: number,
  seed: number,
  onlyClient = true,
) {
  const proxy = within((request) => target.fetch(request, { odd: false }), { onlyClient });
  const session = openSession({ ...target, fetch: proxy.fetch });
  const options = { file: undefined, signal: undefined, seed, runs, steps: 20, path: undefined, stopsAtLeft: false };
  const { stories } = await walk({ session, ...options });
  await session.client.close();
  const found = proxy.found.filter(({ kind }) => kind !== 'open' && kind !== 'client');
  return { stories, held: proxy.tally.held, exchanges: proxy.exchanges.length, found };
}

type Start = typeof startMock;

async function onMock(start: Start, runs: number, seed: number, settings: Parameters<Start>[0] = {}, onlyClient = true) {
  const mock = await start({ listen: false, rateLimit: 'off', ...settings });
  const target = {
    url: mock.url,
    key: mock.apiKey,
    profile: defaultWorldProfile,
    fetch: (request: Request) => mock.fetch(request),
  };
  return walkedThrough(target, runs, seed, onlyClient).finally(() => mock.close());
}

/** Walks in all; PROXY_WALKS=1000 takes about a minute on a quiet machine. */
const walks = Number(process.env.PROXY_WALKS ?? 200);

describe('nothing is named wrongly', () => {
  test('in half of the walks, on the mock as it is', async () => {
    const { stories, found, held, exchanges } = await onMock(startMock, walks / 2, 3);
    expect({ stories, found }).toEqual({ stories: walks / 2, found: [] });
    expect(exchanges).toBeGreaterThan(walks * 4);
    expect(held.size).toBeGreaterThan(45);
  }, 120_000);

  test('in a fifth, on one that answers open questions otherwise', async () => {
    for (let seed = 1; seed <= walks / 25; seed += 1) {
      const { found } = await onMock(startMock, 5, seed, { facts: { facts: differing(varied(seed)) } });
      expect({ seed, found }).toEqual({ seed, found: [] });
    }
  }, 120_000);

  test('in the others, on a service that answers everything unstated in a way of its own', async () => {
    const { key, profile, fetch } = stranger();
    const { stories, found } = await walkedThrough(
      { url: 'http://127.0.0.1', key, profile: { ...profile, noRateLimit: true }, fetch },
      (walks * 3) / 10,
      4,
    );
    expect({ stories, found }).toEqual({ stories: (walks * 3) / 10, found: [] });
  }, 120_000);
});

describe('what is broken is named by its clause', () => {
  const workshop = new Workshop(mutants);
  afterAll(() => workshop.close());

  test.each([
    ['adjustment.by-id.refuses-overdraw#1', 'adjustment.by-id.refuses-overdraw', 'cannot-tell'],
    ['adjustment.by-id.takes-whole-balance#1', 'adjustment.by-id.takes-whole-balance', 'nothing'],
    ['adjustment.negative-redeems#1', 'adjustment.negative-redeems', 'cannot-tell'],
    ['adjustment.answers-true#1', 'adjustment.answers-true', 'violated'],
    ['idempotency.adjustment.repeat-on-other-card-refused#1', 'idempotency.adjustment.repeat-on-other-card-refused', 'violated'],
    ['idempotency.create.refuses-repeat#1', 'idempotency.create.refuses-repeat', 'cannot-tell'],
    ['gift-card.create.refuses-taken-code#1', 'gift-card.create.refuses-taken-code', 'cannot-tell'],
    ['gift-card.void.zeroes-balance#1', 'gift-card.void.zeroes-balance', 'cannot-tell'],
    ['gift-card.void.by-id-voids#1', 'gift-card.void.by-id-voids', 'cannot-tell'],
    ['list.page-size-limits#1', 'list.page-size-limits', 'violated'],
  ])(
    '%s',
    async (name, clause, otherwise) => {
      const mutant = mutants.find((each) => each.name === name);
      if (!mutant) throw new Error(`There is no mutant ${name}.`);
      const { startMock: start } = await workshop.made(mutant);
      const kinds = async (onlyClient: boolean) => {
        const { found } = await onMock(start, 40, 1, {}, onlyClient);
        return [...new Set(found.filter((each) => each.clause === clause).map(({ kind }) => kind))];
      };
      expect(await kinds(true)).toEqual(['violated']);
      // Where others may have acted, only what they cannot have caused is said.
      expect(await kinds(false)).toEqual(otherwise === 'nothing' ? [] : [otherwise]);
    },
    60_000,
  );
});
