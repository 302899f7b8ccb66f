import { expect, test } from 'vitest';
import type { Behaviors, RuleName } from '../../openapi/generated/rules.ts';
import { comparisonOf, type Spoil } from '../../scripts/compare/in-process.ts';
import { buildDocument } from '../report/build-document.ts';
import { itemText } from '../report/text.ts';
import { api, changes, changesResponse, on, refusesIf, textAs } from '../testing/reference-server/faults/fault.ts';
import { faultNamed } from '../testing/reference-server/faults/faults.ts';
import type { Hooks } from '../testing/reference-server/faults/hooks.ts';
import { referenceTarget } from '../testing/reference-server/suite-findings.ts';

/** Faults. Only the test of the fault's own rule detects the fault. */
const broken = [
  'accepts a deleted key',
  'returns 410 to a void of an unknown ID',
  'finds cards at a path with v1 after /api',
  'accepts the beginning of a key',
  'refuses to empty a card by ID',
  'shows every card as store credit',
  'shows every card as promotional',
  'adds a property in snake_case',
  'shows the status before a void',
  'accepts a key of the Basic plan for webhooks',
];

interface Page {
  readonly giftCards: readonly unknown[];
}
interface Bookings {
  readonly bookings: readonly { readonly kind: string }[];
}

/** Lawful behaviors that differ from those of the reference server. Only the question of a behavior observes the difference. */
const behaviors: { readonly [question in keyof Behaviors]?: () => Hooks } = {
  // An option of the server: see B below.
  'adjustment.by-id.overdraw-status': () => ({}),
  'gift-card.void.body': textAs(200, () => '', api.voids, 'text/plain'),
  'list.page-past-end': refusesIf(
    api.list,
    ({ account, query }) => Number(query.get('pageNumber') ?? 0) * Number(query.get('pageSize') ?? 10) > account.cards.length,
    404,
  ),
  'list.total-count': changesResponse(api.list, (json) => ({ ...Object(json), totalCount: (json as Page).giftCards.length })),
  'adjustment.history.issue-entry': changesResponse(api.histories, (json) => {
    const { bookings, ...given } = json as Bookings;
    return { ...given, bookings: bookings.filter(({ kind }) => kind !== 'ISSUE') };
  }),
  'webhook.create.body': textAs(200, () => '', api.createWebhook, 'text/plain'),
  'gift-card.void.in-history': changes(api.voids, ({ entries, updatedAt }, _, { status }) => {
    const actionedAtUtc = new Date(updatedAt).toISOString();
    if (status !== 'Voided')
      entries.push({ type: 'redemption', amount: 0, notes: undefined, actionedAtUtc, recordedAt: updatedAt });
  }),
  'automation.no-match': refusesIf(
    api.event,
    ({ account, body }) => !account.automations.some(({ event }) => event === body.event_name),
    404,
  ),
  'list.page-size-above-maximum': on(api.list, ({ query, ...call }, next) => {
    const size = Math.min(50, Number(query.get('pageSize') ?? 10));
    return next({ ...call, query: new URLSearchParams({ ...Object.fromEntries(query), pageSize: String(size) }) });
  }),
  'adjustment.zero-amount': refusesIf(api.adjusts, ({ body }) => body.adjustmentAmount === 0),
};

type Hook<G, R> = (given: G, next: (given: G) => R) => R;
const around =
  <G, R>(outer: Hook<G, R> | undefined, inner: Hook<G, R> | undefined): Hook<G, R> =>
  (given, next) => {
    const within = (received: G): R => (inner ? inner(received, next) : next(received));
    return outer ? outer(given, within) : within(given);
  };

/** Returns hooks that have all changes. The later hooks are outermost. */
const together = (all: readonly Hooks[]): Hooks =>
  all.reduce((inner, outer) => ({
    request: around(outer.request, inner.request),
    operation: around<Parameters<NonNullable<Hooks['operation']>>[0], unknown>(outer.operation, inner.operation),
    payload(payload, event) {
      const changed = inner.payload?.(payload, event) ?? payload;
      return outer.payload?.(changed, event) ?? changed;
    },
  }));

/** Changes what the specification leaves open: the order of properties, 1.0 in place of 1, headers, and the wording of messages. */
const otherwise: Spoil = async (response) => {
  if (response.status === 204) return response;
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? reworded(JSON.parse(text)) : response.status === 400 ? `Sorry: ${text}` : text;
  const headers = { server: 'B/1.0', 'content-type': isJson ? 'Application/JSON;charset=UTF-8' : 'text/plain; charset=us-ascii' };
  return new Response(body, { status: response.status, headers });
};

/** Returns JSON with the properties of each object in reverse order, and with whole numbers such as 1.0. */
function reworded(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(reworded).join(', ')}]`;
  if (Number.isInteger(json)) return `${json}.0`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const own = Object.entries(json).map(([name, value]) => `${JSON.stringify(name)} : ${reworded(value)}`);
  return `{${own.toReversed().join(' , ')}}`;
}

/** The steps and deliveries that decide the differences. */
const deciding: Partial<Record<RuleName, [what: RegExp, differs: string]>> = {
  'authentication.deleted-key-is-401': [/deleted key/, 'status: 401 on A, 200 on B'],
  'gift-card.void.unknown-id-is-404': [/^void/, 'status: 404 on A, 410 on B'],
  'http.paths-carry-no-version': [/v1 after/, 'status: 404 on A, 200 on B'],
  'authentication.wrong-key-is-401': [/^list/, 'status: 401 on A, 200 on B'],
  'adjustment.by-id.takes-whole-balance': [/by ID \(-1\.30\)/, 'status: 200 on A, 400 on B'],
  'delivery.payload.store-credit': [/^giftcard/, 'body.IsStoreCredit: false on A, true on B'],
  'delivery.payload.promotional': [/^giftcard/, 'body.IsPromotional: false on A, true on B'],
  'delivery.payload.pascal-case-names': [/^giftcard/, 'body.pdf_url: absent on A'],
  'delivery.payload.status-after-event': [/^giftcard/, 'body.Status: '],
  'authentication.basic-plan-refused': [/Basic plan/, 'status: 402 on A, 200 on B'],
  'adjustment.by-id.overdraw-status': [/by ID \(-/, 'status: 422 on A, 409 on B'],
  'gift-card.void.body': [/^void/, 'content-type: "application/json" on A, "text/plain" on B'],
  'list.page-past-end': [/pageNumber=/, 'status: 200 on A, 404 on B'],
  'list.total-count': [/^list/, 'body.totalCount: '],
  'adjustment.history.issue-entry': [/^history/, 'body.bookings.*: '],
  'webhook.create.body': [/^register/, 'body: '],
  'gift-card.void.in-history': [/^history/, 'body.bookings.*'],
  'automation.no-match': [/matches no automation/, 'status: 200 on A, 404 on B'],
  'list.page-size-above-maximum': [/pageSize=51/, 'status: 422 on A, 200 on B'],
  'adjustment.zero-amount': [/\(\+0\.00\)/, 'status: 200 on A, 400 on B'],
};

test('compare finds exactly the twenty differences, and shows the step that decided each', async () => {
  const chosen = broken.map(faultNamed);
  const hooks = together([...Object.values(behaviors), ...chosen.map(({ make }) => make)].map((make) => make()));
  const ids = { idOf: (serial: number) => `card-${serial}` };
  const [a, b] = [referenceTarget(ids), referenceTarget({ ...ids, hooks, overdrawStatus: 409 })];
  const { code, ...result } = await comparisonOf(
    a,
    { ...b, fetch: async (request, about) => otherwise(await b.fetch(request, about), request) },
    '--mode',
    'full',
    '--skip',
    'robustness.*',
  );
  const { differences, uncompared, unsteady } = result;
  const named = (isOf: (level: string) => boolean) => differences.filter(({ level }) => isOf(level)).map(({ name }) => name);
  expect.soft(named((level) => level === 'stated').sort()).toEqual(chosen.map(({ rule }) => rule).sort());
  expect.soft(named((level) => level !== 'stated').sort()).toEqual(Object.keys(behaviors).sort());
  expect.soft([code, uncompared, unsteady]).toEqual([1, [], []]);
  for (const { name, step } of differences) {
    const [what, differs] = deciding[name] ?? [];
    expect.soft(step?.what, name).toEqual(what && expect.stringMatching(what));
    expect
      .soft(step?.differs, name)
      .toEqual(differs === undefined ? undefined : expect.arrayContaining([expect.stringContaining(differs)]));
  }
  // A screen has 25 lines of 100 characters.
  const items = buildDocument([result]).groups.flatMap((group) => group.items);
  const linesOf = (text: string) => text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 100)), 0);
  expect(Math.max(...items.map((item) => linesOf(itemText(item))))).toBeLessThanOrEqual(25);
});
