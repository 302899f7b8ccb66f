import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { silent } from '../../mock/server/log.ts';
import { start } from '../../mock/server/start.ts';
import type { Behaviors, ClauseName } from '../../openapi/generated/clauses.ts';
import { comparisonOf, type Spoil } from '../../scripts/compare/in-process.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { mutants } from '../../scripts/mutants/mutants.ts';
import type { Decide, Mutation } from '../../scripts/mutants/mutation.ts';
import { documentOf } from '../report/build-document.ts';
import { itemText } from '../report/text.ts';

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

/** Changes what the specification leaves open: the order of properties, one more property, 1.0 in place of 1, headers, and the wording of messages. */
const otherwise: Spoil = async (answer) => {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? reworded(JSON.parse(text)) : answer.status === 400 ? `Sorry: ${text}` : text;
  const headers = { server: 'B/1.0', 'content-type': isJson ? 'Application/JSON;charset=UTF-8' : 'text/plain; charset=us-ascii' };
  return new Response(body, { status: answer.status, headers });
};

/** Returns JSON with the properties of each object in reverse order and one more property, and with whole numbers such as 1.0. */
function reworded(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(reworded).join(', ')}]`;
  if (Number.isInteger(json)) return `${json}.0`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const own = Object.entries(json).map(([name, value]) => `${JSON.stringify(name)} : ${reworded(value)}`);
  return `{${[...own, '"zone" : "B"'].toReversed().join(' , ')}}`;
}

/** The steps and deliveries that decide the differences. */
const deciding: Partial<Record<ClauseName, [what: RegExp, differs: string]>> = {
  'automation.own-amount': [/^GET card#\d+ by code/, 'body.balance: 10 on A, 20 on B'],
  'company.profile-currency-is-of-cards': [/profile of the second account/, ''],
  'http.paths-carry-no-version': [/v1 after/, 'status: 404 on A, 200 on B'],
  'authentication.wrong-key-is-401': [/^list/, 'status: 401 on A, 200 on B'],
  'adjustment.by-id.takes-whole-balance': [/by ID \(-1\.30\)/, 'status: 200 on A, 400 on B'],
  'delivery.payload.store-credit': [/^giftcard/, 'body.IsStoreCredit: false on A, true on B'],
  'delivery.payload.campaign': [/^giftcard/, 'body.CampaignId: '],
  'delivery.payload.batch': [/^giftcard/, 'body.GiftCardBatchId: '],
  'delivery.payload.gift-to-friend-link': [/^giftcard/, 'body.GiftToFriendUrl: '],
  'delivery.payload.api-event-name': [/^giftcard/, 'body.ApiEventName: '],
  'adjustment.by-id.overdraw-status': [/by ID \(-/, 'status: 400 on A, 409 on B'],
  'gift-card.void.body': [/^void/, 'content-type: "application/json" on A, "text/plain" on B'],
  'list.page-past-end': [/pageNumber=/, 'status: 200 on A, 404 on B'],
  'list.total-count': [/^list/, 'body.totalCount: '],
  'adjustment.history.issue-entry': [/^history/, 'body.adjustments.*: absent on A, '],
  'webhook.create.body': [/^register/, 'body: '],
  'gift-card.void.in-history': [/^history/, 'body.adjustments.*: absent on A, '],
  'automation.no-match': [/matches no automation/, 'status: 200 on A, 404 on B'],
  'list.page-size-above-maximum': [/pageSize=51/, 'status: 400 on A, 200 on B'],
  'adjustment.zero-amount': [/\(\+0\.00\)/, 'status: 400 on A, 200 on B'],
};

test('compare finds exactly the twenty differences, and shows the step that decided each', async () => {
  const chosen = broken.map((name) => mutants.find((mutant) => mutant.name === name) ?? expect.fail(`There is no ${name}.`));
  const a = await startMock({ listen: false, rateLimit: 'off' });
  const b = await start(
    { listen: false, rateLimit: 'off', variant: { behaviors: answered } },
    silent,
    together(...chosen.map(({ make }) => make))(),
  );
  const profile = defaultWorldProfile;
  const { code, ...result } = await comparisonOf(
    { key: a.apiKey, profile, fetch: (request) => a.fetch(request) },
    { key: b.apiKey, profile, fetch: async (request) => otherwise(await b.fetch(request), request) },
    '--skip',
    'robustness.*',
  );
  await Promise.all([a.close(), b.close()]);
  const { differences, uncompared, unsteady } = result;
  const named = (isOf: (level: string) => boolean) => differences.filter(({ level }) => isOf(level)).map(({ name }) => name);
  expect.soft(named((level) => level === 'stated').sort()).toEqual(chosen.map(({ clause }) => clause).sort());
  expect.soft(named((level) => level !== 'stated').sort()).toEqual(Object.keys(answered).sort());
  expect.soft([code, uncompared, unsteady]).toEqual([1, [], []]);
  for (const { name, step } of differences) {
    const [what, differs] = deciding[name] ?? [];
    expect.soft(step?.what, name).toEqual(what && expect.stringMatching(what));
    expect
      .soft(step?.differs, name)
      .toEqual(differs === undefined ? undefined : expect.arrayContaining([expect.stringContaining(differs)]));
  }
  // A screen has 25 lines of 100 characters.
  const items = documentOf([result]).groups.flatMap((group) => group.items);
  const linesOf = (text: string) => text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 100)), 0);
  expect(Math.max(...items.map((item) => linesOf(itemText(item))))).toBeLessThanOrEqual(25);
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
