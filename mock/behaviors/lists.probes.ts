import { adjust, remove } from '../control/dashboard.ts';
import { type Fixture, NOON } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const LIST = '/api/GiftCard/List';
const TWELVE = { cards: Array.from({ length: 12 }, () => ({ initialValue: 5 })) };

/** How many cards a list of this query holds, or the status of its refusal. */
function held({ ask }: Fixture, query: string): number {
  const { status, body } = ask('GET', `${LIST}?${query}`);
  return status === 200 ? body.giftCards.length : status;
}

/** The codes of a list, in its order. */
function codes({ ask }: Pick<Fixture, 'ask'>, query = ''): string[] {
  return ask('GET', `${LIST}?${query}`).body.giftCards.map(({ code }: { code: string }) => code);
}

/** Two cards, the second of them made a minute after the first, and now another minute later. */
function twoCards(fixture: Fixture, fields: Readonly<Record<string, unknown>> = {}) {
  const first = fixture.create({ code: 'FIRST-1', ...fields });
  fixture.at(NOON + 60_000);
  fixture.create({ code: 'SECOND-1' });
  fixture.at(NOON + 120_000);
  const card = fixture.account.state.card(first.id);
  if (!card) throw new Error('The card is not there.');
  return card;
}

/** The questions of openapi/clauses/lists.yaml. */
export const listsProbes = {
  'list.page-size-above-maximum': {
    account: { cards: Array.from({ length: 52 }, () => ({ initialValue: 5 })) },
    observe: (fixture) => held(fixture, 'pageSize=51'),
    shows: { refused: 400, cut: 50 },
  },
  'list.page-size-below-one': {
    account: TWELVE,
    observe: (fixture) => ['pageSize=0', 'pageSize=-1'].map((query) => held(fixture, query)),
    shows: { refused: [400, 400], default: [10, 10] },
  },
  'list.page-size-unreadable': {
    account: TWELVE,
    observe: (fixture) => ['pageSize=many', 'pageSize=2.5'].map((query) => held(fixture, query)),
    shows: { refused: [400, 400], default: [10, 10] },
  },
  'list.page-number-negative': {
    account: TWELVE,
    observe: (fixture) => held(fixture, 'pageNumber=-1'),
    shows: { refused: 400, 'first-page': 10 },
  },
  'list.page-number-unreadable': {
    account: TWELVE,
    observe: (fixture) => held(fixture, 'pageNumber=first'),
    shows: { refused: 400, 'first-page': 10 },
  },
  'list.page-past-end': {
    account: TWELVE,
    observe: (fixture) => ['pageNumber=1', 'pageNumber=2', 'since=2999-01-01T00:00:00Z'].map((query) => held(fixture, query)),
    shows: { empty: [2, 0, 0], '404': [2, 404, 0] },
  },
  'list.since-unreadable': {
    account: TWELVE,
    observe: (fixture) => held(fixture, 'since=yesterday'),
    shows: { refused: 400, ignored: 10 },
  },
  'list.include-all-unreadable': {
    account: { cards: [{ initialValue: 5 }, { initialValue: 5, deleted: true }] },
    observe: (fixture) => held(fixture, 'includeAll=perhaps'),
    shows: { refused: 400, false: 1 },
  },
  'list.total-count': {
    account: {
      cards: [
        { initialValue: 5, createdAtUtc: '2026-01-01T00:00:00Z' },
        { initialValue: 5, deleted: true, createdAtUtc: '2026-01-02T00:00:00Z' },
      ],
    },
    observe: ({ ask, create }) => {
      create();
      create();
      return ask('GET', `${LIST}?pageSize=1&since=2026-01-10T00:00:00Z`).body.totalCount;
    },
    shows: { 'all-that-match': 2, 'all-of-the-account': 4, 'on-this-page': 1 },
  },
  'list.elements': {
    observe: ({ create, ask }) => {
      create({ code: 'A-1' });
      const { code, ...others } = ask('GET', LIST).body.giftCards[0];
      return [code, 'balance' in others, 'createdAtUtc' in others];
    },
    shows: { whole: ['A-1', true, true], excerpts: ['A-1', true, false] },
  },
  'list.update-by-expiry': {
    observe: (fixture) => {
      twoCards(fixture, { expiresAtUtc: '2026-01-15T12:01:30Z' });
      return codes(fixture);
    },
    shows: { yes: ['FIRST-1', 'SECOND-1'], no: ['SECOND-1', 'FIRST-1'] },
  },
  'list.update-by-deletion': {
    observe: (fixture) => {
      remove(fixture.account, twoCards(fixture));
      return [codes(fixture), codes(fixture, 'includeAll=true')];
    },
    shows: { yes: [['SECOND-1'], ['FIRST-1', 'SECOND-1']], no: [['SECOND-1'], ['SECOND-1', 'FIRST-1']] },
  },
  'list.update-by-dashboard-change': {
    observe: (fixture) => {
      adjust(fixture.account, twoCards(fixture), { amount: 5 });
      const { updatedAtUtc } = fixture.ask('GET', '/api/GiftCard/GetByCode/FIRST-1').body;
      return [codes(fixture), updatedAtUtc];
    },
    shows: {
      yes: [['FIRST-1', 'SECOND-1'], '2026-01-15T12:02:00.000Z'],
      no: [['SECOND-1', 'FIRST-1'], '2026-01-15T12:00:00.000Z'],
    },
  },
  'list.update-by-background-work': {
    observe: async (fixture) => {
      fixture.create({ code: 'FIRST-1' });
      fixture.at(NOON + 60_000);
      await fixture.sandbox.settled();
      return fixture.ask('GET', '/api/GiftCard/GetByCode/FIRST-1').body.updatedAtUtc;
    },
    shows: { no: '2026-01-15T12:00:00.000Z', yes: '2026-01-15T12:01:00.000Z' },
  },
  'list.update-ties': {
    observe: (fixture) => {
      for (const code of ['A-1', 'B-1', 'C-1', 'D-1', 'E-1']) fixture.create({ code });
      fixture.at(NOON + 1000);
      for (const code of ['F-1', 'G-1']) fixture.create({ code });
      const pages = [0, 1, 2].map((page) => codes(fixture, `pageSize=3&pageNumber=${page}`));
      return [pages, codes(fixture, 'since=2026-01-15T00:00:00Z&pageSize=3')];
    },
    shows: {
      'later-change-first': [
        [['G-1', 'F-1', 'E-1'], ['D-1', 'C-1', 'B-1'], ['A-1']],
        ['G-1', 'F-1', 'E-1'],
      ],
      'earlier-change-first': [
        [['F-1', 'G-1', 'A-1'], ['B-1', 'C-1', 'D-1'], ['E-1']],
        ['F-1', 'G-1', 'A-1'],
      ],
    },
  },
  'list.store-credit': {
    account: {
      cards: [
        { code: 'CREDIT-1', kind: 'store-credit', initialValue: 5, createdAtUtc: '2026-01-01T00:00:00Z' },
        { code: 'CARD-1', initialValue: 5, createdAtUtc: '2026-01-02T00:00:00Z' },
        { code: 'CREDIT-2', kind: 'store-credit', initialValue: 5, createdAtUtc: '2026-01-03T00:00:00Z' },
        { code: 'CARD-2', initialValue: 5, createdAtUtc: '2026-01-04T00:00:00Z' },
        { code: 'CREDIT-3', kind: 'store-credit', initialValue: 5, createdAtUtc: '2026-01-05T00:00:00Z' },
      ],
    },
    observe: (fixture) => [
      codes(fixture),
      codes(fixture, 'pageSize=1&pageNumber=1'),
      codes(fixture, 'since=2026-01-02T12:00:00Z'),
      fixture.ask('GET', LIST).body.totalCount,
    ],
    shows: {
      listed: [['CREDIT-3', 'CARD-2', 'CREDIT-2', 'CARD-1', 'CREDIT-1'], ['CARD-2'], ['CREDIT-3', 'CARD-2', 'CREDIT-2'], 5],
      'left-out': [['CARD-2', 'CARD-1'], ['CARD-1'], ['CARD-2'], 2],
    },
  },
} satisfies Partial<Probes>;
