import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { silent } from '../../mock/server/log.ts';
import { start } from '../../mock/server/start.ts';
import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { comparisonOf } from '../../scripts/compare/in-process.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { mutants } from '../../scripts/mutants/mutants.ts';
import type { Decide, Mutation } from '../../scripts/mutants/mutation.ts';

/** Mutants. Only the test of the mutant's own clause detects the mutant. */
const broken = [
  'automation.own-amount#1',
  'company.profile-currency-is-of-cards#1',
  'http.paths-carry-no-version#1',
  'authentication.wrong-key-is-401#3',
  'adjustment.by-id.takes-whole-balance#1',
  'delivery.payload.store-credit#1',
  'delivery.payload.campaign#1',
  'delivery.payload.batch#1',
  'delivery.payload.gift-to-friend-link#1',
  'delivery.payload.api-event-name#1',
];

/** Behaviors other than the defaults. Only the clause of a behavior observes the difference. */
const answered: Partial<Behaviors> = {
  'adjustment.by-id.overdraw-status': '409',
  'gift-card.void.body': 'empty',
  'list.page-past-end': '404',
  'list.total-count': 'on-this-page',
  'adjustment.history.issue-entry': 'yes',
  'webhook.create.body': 'empty',
  'gift-card.void.in-history': 'yes',
  'automation.no-match': '404',
  'list.page-size-above-maximum': 'cut',
  'adjustment.zero-amount': 'accepted',
};

/** Returns one mutation that has all changes. If several mutations wrap the same function, the first mutation is the outermost wrapper. */
const together =
  (...all: readonly (() => Mutation)[]) =>
  (): Mutation =>
    all.map((make) => make()).reduceRight(nested);

test('compare finds exactly the twenty differences between two servers', async () => {
  const chosen = broken.map((name) => mutants.find((mutant) => mutant.name === name) ?? expect.fail(`There is no ${name}.`));
  const a = await startMock({ listen: false, rateLimit: 'off' });
  const b = await start(
    { listen: false, rateLimit: 'off', variant: { behaviors: answered } },
    silent,
    together(...chosen.map(({ make }) => make))(),
  );
  const [one, other] = [a, b].map((mock) => ({
    key: mock.apiKey,
    profile: defaultWorldProfile,
    fetch: (request: Request) => mock.fetch(request),
  }));
  if (!one || !other) throw new Error('There are two.');
  const { code, differences, uncompared, unsteady } = await comparisonOf(one, other, '--skip', 'robustness.*');
  await Promise.all([a.close(), b.close()]);
  const named = (isOf: (level: string) => boolean) => differences.filter(({ level }) => isOf(level)).map(({ name }) => name);
  expect(named((level) => level === 'stated').sort()).toEqual(chosen.map(({ clause }) => clause).sort());
  expect(named((level) => level !== 'stated').sort()).toEqual(Object.keys(answered).sort());
  expect([code, uncompared, unsteady]).toEqual([1, [], []]);
}, 120_000);

function nested(inner: Mutation, outer: Mutation): Mutation {
  return {
    exchange: (request, next) => {
      const within: typeof next = (received) => inner.exchange?.(received, next) ?? next(received);
      return outer.exchange?.(request, within) ?? within(request);
    },
    decide: (id, input, context, next) => {
      const within: Decide = (given, known) => (inner.decide ? inner.decide(id, given, known, next) : next(given, known));
      return outer.decide ? outer.decide(id, input, context, within) : within(input, context);
    },
    commit: (decided, cause, view) => {
      const outcome = inner.commit?.(decided, cause, view) ?? decided;
      return outer.commit?.(outcome, cause, view) ?? outcome;
    },
    apply: (changes, cause, view) => {
      const changed = inner.apply?.(changes, cause, view) ?? changes;
      return outer.apply?.(changed, cause, view) ?? changed;
    },
    post: (next) => {
      const within = inner.post?.(next) ?? next;
      return outer.post?.(within) ?? within;
    },
    options: { ...inner.options, ...outer.options },
  };
}
