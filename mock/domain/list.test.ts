import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CardRecord } from '../state/records.ts';
import { iso, NOON, type SandboxFixture, sandboxOf } from '../testing/fixture.ts';

const MINUTE = 60_000;

/** Returns the codes of a page of the list. */
function listed({ send }: Pick<SandboxFixture, 'send'>, query = '', key?: string): string[] {
  const { status, body } = send('GET', `/api/GiftCard/List${query && `?${query}`}`, undefined, key);
  if (status !== 200) throw new Error(`List?${query} returned ${status}: ${body}`);
  return body.giftCards.map(({ code }: { code: string }) => code);
}

/** Deletes a card as the merchant does. No endpoint deletes a card. */
function remove({ account }: SandboxFixture, code: string): void {
  const card = account.state.cardByCode(code) as CardRecord;
  const now = account.clock.now();
  account.load([{ table: 'cards', put: { ...card, deletedAt: now, updatedAt: now } }]);
}

describe('the list', () => {
  test('list.wraps-cards-and-total, list.page-size-default: whole cards, ten at a time', () => {
    const { send, create } = sandboxOf();
    const cards = Array.from({ length: 12 }, () => create());
    expect(send('GET', '/api/GiftCard/List').body).toEqual({ giftCards: cards.toReversed().slice(0, 10), totalCount: 12 });
  });

  test('list.page-size-limits, list.page-size-maximum, list.page-number-from-zero: pages follow one another without gaps', () => {
    const fixture = sandboxOf();
    for (let i = 0; i < 60; i++) fixture.create({ code: `C${i}` });
    const all = Array.from({ length: 60 }, (_, i) => `C${59 - i}`);
    expect(listed(fixture, 'pageSize=50')).toEqual(all.slice(0, 50));
    expect(listed(fixture, 'pageSize=50&pageNumber=0')).toEqual(all.slice(0, 50));
    expect(listed(fixture, 'pageSize=50&pageNumber=1')).toEqual(all.slice(50));
    expect(listed(fixture, 'pageSize=7&pageNumber=8')).toEqual(all.slice(56));
    expect(fixture.send('GET', '/api/GiftCard/List?pageSize=51').status).toBe(400);
    expect(fixture.send('GET', '/api/GiftCard/List?pageNumber=6').body).toEqual({ giftCards: [], totalCount: 60 });
    for (const far of ['999999999999999', '9999999999999999999999']) {
      expect(fixture.send('GET', `/api/GiftCard/List?pageNumber=${far}&pageSize=50`).body).toEqual({
        giftCards: [],
        totalCount: 60,
      });
    }
  });

  test.each([
    'pageSize=0',
    'pageSize=-1',
    'pageSize=51',
    'pageSize=ten',
    'pageSize=',
    'pageSize=1.5',
    'pageSize=0x10',
    'pageSize=1e1',
    'pageSize=99999999999999999999',
    'pageNumber=-1',
    'pageNumber=one',
    'since=yesterday',
    'since=2026-01-01',
    'since=2026-13-01T00:00:00Z',
    'since=',
    'includeAll=1',
    'includeAll=yes',
    'includeAll=',
    'pageSize=no&pageSize=5',
  ])('refuses %s', (query) => {
    const { send, create } = sandboxOf();
    create();
    expect(send('GET', `/api/GiftCard/List?${query}`)).toMatchObject({ status: 400, mediaType: 'text/plain' });
  });

  test('takes the first of several values, and ignores what it does not know', () => {
    const fixture = sandboxOf();
    for (let i = 0; i < 3; i++) fixture.create();
    expect(listed(fixture, 'pageSize=1&pageSize=no')).toHaveLength(1);
    expect(listed(fixture, 'PageSize=1&page=7&__proto__=x')).toHaveLength(3);
  });

  test.each([
    ['list.includes-voided', { status: 'Voided' as const }],
    ['list.includes-redeemed', { adjustments: [{ amount: -5 }] }],
    ['list.includes-expired', { status: 'Expired' as const }],
    ['scheduled cards are listed', { status: 'Scheduled' as const }],
    ['vouchers are listed', { kind: 'voucher' as const }],
    ['store credits are listed', { kind: 'store-credit' as const }],
  ])('%s, without includeAll', (_, card) => {
    expect(listed(sandboxOf([{ cards: [{ code: 'IN-1', initialValue: 5, ...card }] }]))).toEqual(['IN-1']);
  });

  test('list.hides-deleted-cards, list.include-all-adds-deleted: and the total counts what is listed', () => {
    const fixture = sandboxOf();
    for (const code of ['A', 'B', 'C']) fixture.create({ code });
    remove(fixture, 'A');
    expect(listed(fixture)).toEqual(['C', 'B']);
    expect(listed(fixture, 'includeAll=false')).toEqual(['C', 'B']);
    // A deletion counts as an update, so the deleted card comes first.
    expect(listed(fixture, 'includeAll=true')).toEqual(['A', 'C', 'B']);
    expect(fixture.send('GET', '/api/GiftCard/List').body.totalCount).toBe(2);
    expect(fixture.send('GET', '/api/GiftCard/List?includeAll=true').body.totalCount).toBe(3);
  });

  test('list.last-updated-first: adjusting, voiding and expiring are updates; at one time the later change is first', () => {
    const fixture = sandboxOf();
    const { send, create, adjust, at } = fixture;
    create({ code: 'A', expiresAtUtc: iso(NOON + 10 * MINUTE) });
    for (const code of ['B', 'C', 'D']) create({ code });
    expect(listed(fixture)).toEqual(['D', 'C', 'B', 'A']);
    adjust('B', 1);
    expect(listed(fixture)).toEqual(['B', 'D', 'C', 'A']);
    send('DELETE', '/api/GiftCard/VoidByCode/C');
    expect(listed(fixture)).toEqual(['C', 'B', 'D', 'A']);
    at(NOON + 10 * MINUTE);
    expect(listed(fixture)).toEqual(['A', 'C', 'B', 'D']);
  });

  test('is not reordered by refused requests, a second void, looking up, or work in the background', async () => {
    const fixture = sandboxOf();
    const { account, send, create, adjust } = fixture;
    create({ code: 'A', shouldSendNotification: true, recipientEmailAddress: 'ada@example.com' });
    send('DELETE', '/api/GiftCard/VoidByCode/A');
    create({ code: 'B' });
    adjust('A', 1);
    send('DELETE', '/api/GiftCard/VoidByCode/A');
    send('GET', '/api/GiftCard/GetByCode/A');
    await account.effects.settled();
    expect(listed(fixture)).toEqual(['B', 'A']);
  });

  test('authentication.lists-own-records-only: nothing of other accounts', () => {
    const fixture = sandboxOf([{}, { id: 'two', cards: [{ code: 'TWO-1', initialValue: 5 }] }]);
    fixture.create({ code: 'ONE-1' });
    expect(listed(fixture)).toEqual(['ONE-1']);
    expect(listed(fixture, '', fixture.sandbox.accounts.get('two')?.keys[0]?.key)).toEqual(['TWO-1']);
  });
});

describe('since', () => {
  test('list.since-is-strictly-after, list.since-goes-by-issue: by the time of issue alone', () => {
    const fixture = sandboxOf();
    const { create, adjust, at } = fixture;
    for (const [index, code] of ['A', 'B', 'C'].entries()) {
      at(NOON + index);
      create({ code });
    }
    at(NOON + MINUTE);
    adjust('A', 1);
    expect(listed(fixture, `since=${iso(NOON)}`)).toEqual(['C', 'B']);
    expect(listed(fixture, `since=${iso(NOON + 1)}`)).toEqual(['C']);
    expect(listed(fixture, `since=${iso(NOON + 2)}`)).toEqual([]);
    expect(listed(fixture, `since=${iso(NOON - 1)}`)).toEqual(['A', 'C', 'B']);
  });

  test.each([
    ['without zone', '2026-01-15T12:00:00'],
    ['in a zone', '2026-01-15T14:00:00%2B02:00'],
    ['in lower case', '2026-01-15t12:00:00z'],
    ['finer than a millisecond', '2026-01-15T12:00:00.0009Z'],
  ])('is read %s', (_, since) => {
    const fixture = sandboxOf();
    fixture.create({ code: 'A' });
    fixture.at(NOON + 1);
    fixture.create({ code: 'B' });
    expect(listed(fixture, `since=${since}`)).toEqual(['B']);
  });

  test('is right also where the clock was set back', () => {
    const fixture = sandboxOf();
    fixture.create({ code: 'LATER' });
    fixture.at(NOON - 60 * MINUTE);
    fixture.create({ code: 'EARLIER' });
    fixture.at(NOON - 30 * MINUTE);
    fixture.create({ code: 'BETWEEN' });
    expect(listed(fixture, `since=${iso(NOON - MINUTE)}`)).toEqual(['LATER']);
    expect(listed(fixture, `since=${iso(NOON - 40 * MINUTE)}`)).toEqual(['BETWEEN', 'LATER']);
  });
});

type Step = readonly [what: 'create' | 'adjust' | 'void' | 'remove' | 'wait' | 'set-back', which: number];

test('list.last-updated-first, list.since-goes-by-issue: every page is what a plain list of cards says', () => {
  const step: fc.Arbitrary<Step> = fc.tuple(
    fc.constantFrom('create', 'create', 'adjust', 'void', 'remove', 'wait', 'set-back'),
    fc.nat(9),
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.record({ pageSize: fc.integer({ min: 1, max: 6 }), includeAll: fc.boolean(), since: fc.option(fc.nat(20)) }),
      (steps, { pageSize, includeAll, since }) => {
        const fixture = sandboxOf();
        const model = walked(fixture, steps);
        const matching = model.filter((card) => (includeAll || !card.deleted) && (since === null || card.issued > NOON + since));
        const query = `pageSize=${pageSize}&includeAll=${includeAll}${since === null ? '' : `&since=${iso(NOON + since)}`}`;
        const pages: string[] = [];
        for (let page = 0; page * pageSize <= matching.length; page++) {
          const codes = listed(fixture, `${query}&pageNumber=${page}`);
          expect(codes.length).toBeLessThanOrEqual(pageSize);
          pages.push(...codes);
        }
        expect(pages).toEqual(matching.map(({ code }) => code));
        expect(fixture.send('GET', `/api/GiftCard/List?${query}`).body.totalCount).toBe(matching.length);
      },
    ),
    { numRuns: 100 },
  );
});

interface Modelled {
  readonly code: string;
  readonly issued: number;
  deleted: boolean;
  voided: boolean;
}

/** Applies the steps to the sandbox and to a plain array. The first card of the array was updated last. */
function walked(fixture: SandboxFixture, steps: readonly Step[]): readonly Modelled[] {
  const cards: Modelled[] = [];
  let now = NOON;
  const touch = (card: Modelled) => cards.unshift(...cards.splice(cards.indexOf(card), 1));
  for (const [what, which] of steps) {
    const card = cards[which % Math.max(1, cards.length)];
    if (what === 'wait' || what === 'set-back') {
      now += what === 'wait' ? which : -which;
      fixture.at(now);
    } else if (what === 'create') {
      cards.unshift({ code: fixture.create().code, issued: now, deleted: false, voided: false });
    } else if (card && !card.deleted && what === 'remove') {
      remove(fixture, card.code);
      card.deleted = true;
      touch(card);
    } else if (card && !card.deleted && !card.voided && what !== 'remove') {
      if (what === 'adjust') fixture.adjust(card.code, 1);
      else fixture.send('DELETE', `/api/GiftCard/VoidByCode/${card.code}`);
      card.voided = what === 'void';
      touch(card);
    }
  }
  return cards;
}
