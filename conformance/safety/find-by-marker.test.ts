import { expect, test } from 'vitest';
import '../rules/index.ts';
import { checks } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { openSession } from '../core/session.ts';
import { isCanaryVoided } from '../scenarios/cards.ts';
import { api, refusesIf } from '../testing/reference-server/faults/fault.ts';
import { referenceServer } from '../testing/reference-server/server.ts';
import { isPending, type LedgerCard } from './entries.ts';
import { sweep } from './sweep.ts';

interface Card {
  readonly id: string;
  readonly code: string;
  readonly customField1: string | null;
  /** Times in milliseconds since 1970. The card that was updated last is first in the list. */
  readonly issued: number;
  readonly updated: number;
  status: 'Active' | 'Voided';
}

interface Ways {
  /** Returns the record of a card in the list. */
  record?: (card: Card) => object;
  longestPage?: number;
  /** Milliseconds by which the clock of the service is slow. */
  behind?: number;
}

const requestedAt = Date.UTC(2030, 0, 1, 12);
const minute = 60_000;

/** Runs a sweep on a service with the cards. Returns the states of the entries and the number of requests. */
async function swept(
  cards: readonly { at: number; updated?: number; mark?: string; code?: string }[],
  entries: readonly LedgerCard[],
  { record = ({ code }) => ({ code }), longestPage = 50, behind = 0 }: Ways = {},
) {
  const all = cards
    .map(({ at, updated = at, mark = null, code = '' }, index): Card => {
      return {
        id: `i-${index}`,
        code: code || `C-${index}`,
        customField1: mark,
        issued: at - behind,
        updated: updated - behind,
        status: 'Active',
      };
    })
    .toSorted((one, other) => other.updated - one.updated);
  let requests = 0;
  const fetch = async ({ url, method }: Request) => {
    requests += 1;
    const { pathname, searchParams } = new URL(url);
    if (pathname.endsWith('/List')) {
      const since = Date.parse(searchParams.get('since') ?? '1970-01-01T00:00:00Z');
      const listed = all.filter(({ issued }) => issued > since);
      const size = Math.min(longestPage, Number(searchParams.get('pageSize')));
      const start = size * Number(searchParams.get('pageNumber') ?? 0);
      return Response.json({ giftCards: listed.slice(start, start + size).map(record), totalCount: listed.length });
    }
    const name = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    const card = all.find(({ id, code }) => name === (pathname.includes('ById') ? id : code));
    if (method === 'DELETE' && card) card.status = 'Voided';
    return card ? Response.json(card) : new Response('', { status: 404 });
  };
  const session = openSession({ url: 'http://127.0.0.1', key: 'the-key', profile: {}, fetch });
  await sweep(session.client, entries, () => undefined);
  const alive = all.filter(({ customField1, status }) => customField1 !== null && status === 'Active').length;
  return { states: entries.map((entry) => (isPending(entry) ? 'left' : entry.state)), alive, requests };
}

function entry(number: number, fields: Partial<LedgerCard>): LedgerCard {
  const common = { kind: 'card', name: `card#${number}`, code: '', own: false, account: 'key', key: undefined } as const;
  return { ...common, number, sent: requestedAt, state: 'requested', ...fields };
}

const lost = (state: LedgerCard['state'] = 'requested') => entry(2, { mark: 'GCS-M1', state });
/** An older card of the run that is already voided. */
const older = () =>
  entry(1, { code: 'GCSRUN0001', own: true, state: 'gone', sent: requestedAt - minute, removedAt: requestedAt - minute });
const itsCard = { at: requestedAt - minute, code: 'GCSRUN0001' };

const made = { at: requestedAt, mark: 'GCS-M1' };
const others = (many: number, at: number) => Array.from({ length: many }, (_, index) => ({ at: at + index }));
const before = (many: number) => others(many, requestedAt - 1_000 * minute);
const later = (many: number) => others(many, requestedAt + minute);

test('a card whose create had no response is voided, in a long list and with any property name for its code', async () => {
  const crowded = ({ code }: Card) => ({ aId: 1, bId: 2, cId: 3, dId: 4, eId: 5, code });
  const services: [number, Ways][] = [
    [60, {}],
    [300, {}],
    [20, { record: crowded }],
    [30, { longestPage: 10 }],
    [60, { record: ({ code, customField1 }) => ({ code, customField1 }) }],
  ];
  for (const [many, service] of services) {
    const { states, alive } = await swept([...before(10), made, ...later(many)], [lost()], service);
    expect({ many, states, alive }).toEqual({ many, states: ['gone'], alive: 0 });
  }
});

test('a card that was never made is proven absent by the list', async () => {
  expect(await swept(before(40), [lost()])).toMatchObject({ states: ['refused'], requests: 41 });
  expect(await swept(before(120), [lost()])).toMatchObject({ states: ['refused'] });
  // In a large account, the sweep reads only the cards issued since a known card.
  const large = [...before(100_000), itsCard, ...later(70)];
  const { states, requests } = await swept(large, [
    older(),
    lost('uncertain'),
    { ...lost('uncertain'), number: 3, mark: 'GCS-M2' },
  ]);
  expect(states).toEqual(['gone', 'refused', 'refused']);
  expect(requests).toBeLessThan(80);
});

test('a refused card is proven absent in an account with 400 fresh cards of other clients', async () => {
  const fresh = [...others(400, requestedAt - 3 * minute), itsCard, ...later(5)];
  const { states, requests } = await swept(fresh, [older(), lost('uncertain')]);
  expect(states).toEqual(['gone', 'refused']);
  expect(requests).toBeLessThan(10);
  // With a slow clock, the exact search does not show the older card, so a second search reads more cards.
  const few = [...others(40, requestedAt - 3 * minute), itsCard, made];
  expect(await swept(few, [older(), lost('uncertain')], { behind: 2 * minute })).toMatchObject({
    states: ['gone', 'gone'],
    alive: 0,
  });
  // With a fast clock, the list since any time has all cards. The list shows the card of the entry above the removed card.
  const ahead = { behind: -10_000 * minute };
  const searched = await swept(fresh, [older(), lost('uncertain')], ahead);
  expect(searched.states).toEqual(['gone', 'refused']);
  expect(searched.requests).toBeLessThan(30);
  expect(await swept([...fresh, made], [older(), lost('uncertain')], ahead)).toMatchObject({
    states: ['gone', 'gone'],
    alive: 0,
  });
});

test('a refused card is found below a card that the run removed later', async () => {
  const cards = [...before(5), made, { ...itsCard, updated: requestedAt + minute }];
  const removedLater = { ...older(), removedAt: requestedAt + minute };
  expect(await swept(cards, [removedLater, lost('uncertain')])).toMatchObject({ states: ['gone', 'gone'], alive: 0 });
});

test('a run on the reference server with 400 cards leaves nothing if a create without a code is refused', async () => {
  const { key, fetch } = referenceServer({ hooks: refusesIf(api.create, ({ body }) => body.code === undefined)() });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  for (let index = 0; index < 400; index += 1) {
    const body = JSON.stringify({ balance: 1, code: `OTHER-${index}` });
    await fetch(new Request('http://127.0.0.1/api/GiftCard/Create', { method: 'POST', headers, body }));
  }
  const target = { url: 'http://127.0.0.1', key, profile: {}, fetch };
  const names = ['gift-card.create.generates-code'] as const;
  const result = await runRules({ target, names, checks: checks(), canary: isCanaryVoided });
  expect([result.rules[0]?.verdict, result.cards, endingOfRun(result).code]).toEqual([
    'fail',
    { created: 2, voided: 2, left: [] },
    1,
  ]);
});

test('a card that may be on an unread page is left, and the search ends', async () => {
  const large = [...before(100_000), made, ...later(2_000)];
  const { states, requests } = await swept(large, [lost()]);
  expect(states).toEqual(['left']);
  expect(requests).toBeLessThan(450);
  const far = [...before(100_000), itsCard, made, ...later(2_000)];
  expect(await swept(far, [older(), lost('uncertain')])).toMatchObject({ states: ['gone', 'left'] });
  // The service understands `since` differently.
  const touched = before(2_000).map(({ at }) => ({ at, updated: at + 2_000 * minute }));
  const slow = [...touched, itsCard, made, ...others(5, requestedAt + 61 * minute)];
  expect(await swept(slow, [older(), lost()], { behind: 60 * minute })).toMatchObject({ states: ['gone', 'left'] });
  // The records in the list have no code and no id.
  expect(await swept([made, ...later(5)], [lost()], { record: () => ({ shown: 'nothing' }) })).toMatchObject({
    states: ['left'],
  });
});
