import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomSource } from '../account/clock.ts';
import { CardRenderer } from '../contract/render/card.ts';
import { DAY } from '../domain/dates.ts';
import type { AdjustmentRecord, CardRecord, TimelineRecord } from '../state/records.ts';
import { State } from '../state/state.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { buildAccount } from './build.ts';
import { WorldFileError } from './description.ts';
import { defaultWorld } from './generated/default-world.ts';
import type { AccountDescription } from './generated/described.ts';
import { readDescription } from './read.ts';

const now = Date.UTC(2030, 0, 31, 12);

function built(description: AccountDescription, { seed = 1, at = now } = {}) {
  const account = buildAccount(readDescription(description, 'test'), { now: at, random: RandomSource.seeded(seed, 'test') });
  const state = new State();
  for (const change of account.changes) state.apply(change);
  return { ...account, state };
}

/** Returns the card that is built from its description, on an account without other cards. */
function cardOf(
  card: NonNullable<AccountDescription['cards']>[number],
  at = now,
): CardRecord & { history: readonly AdjustmentRecord[]; timeline: readonly TimelineRecord[] } {
  const { state } = built({ cards: [{ code: 'CARD', ...card }] }, { at });
  const record = state.cardByCode('CARD') as CardRecord;
  return { ...record, history: state.adjustmentsOf(record.id), timeline: state.timelineOf(record.id) };
}

describe('amounts', () => {
  it.each([
    [{}, 2500, 2500, []],
    [{ balance: 7 }, 700, 700, []],
    [{ initialValue: 7 }, 700, 700, []],
    [{ initialValue: 10, balance: 4 }, 1000, 400, [-600]],
    [{ initialValue: 10, balance: 14 }, 1000, 1400, [400]],
    [{ initialValue: 10, adjustments: [{ amount: -3 }, { amount: 0.1 }] }, 1000, 710, [-300, 10]],
    [{ balance: 7, adjustments: [{ amount: -3 }] }, 1000, 700, [-300]],
    [{ balance: -2.5 }, 0, -250, [-250]],
    [{ status: 'Redeemed' }, 2500, 0, [-2500]],
    [{ status: 'Redeemed', balance: 0, initialValue: 5 }, 500, 0, [-500]],
    [{ status: 'Voided', initialValue: 9 }, 900, 0, []],
    [{ status: 'Voided', initialValue: 9, adjustments: [{ amount: 1 }] }, 900, 0, [100]],
    [{ kind: 'voucher', initialValue: 9, balance: 0 }, 900, 0, [-900]],
  ] as const)('%j', (description, initialValue, balance, history) => {
    const card = cardOf(description);
    expect([card.initialValue, card.balance, card.history.map(({ amount }) => amount)]).toEqual([initialValue, balance, history]);
    expect(card.totalIssued).toBe(initialValue + history.filter((amount) => amount > 0).reduce((sum, amount) => sum + amount, 0));
  });

  it('are kept in the minor unit of the currency', () => {
    const { state } = built({ currency: 'KWD', cards: [{ code: 'K', balance: 1.005 }] });
    expect(state.cardByCode('K')?.balance).toBe(1005);
  });

  it('always add up, and every accepted card can be built', () => {
    const amount = fc.integer({ min: -20, max: 20 }).map((units) => units / 2);
    const card = fc.record(
      {
        status: fc.constantFrom('Active', 'Redeemed', 'Expired', 'Voided', 'Scheduled'),
        kind: fc.constantFrom('gift-card', 'voucher'),
        initialValue: fc.integer({ min: 0, max: 20 }),
        balance: amount,
        adjustments: fc.array(fc.record({ amount }), { maxLength: 3 }),
        expiresInDays: fc.integer({ min: -3, max: 3 }),
        createdDaysAgo: fc.integer({ min: 0, max: 5 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(card, (description) => {
        let record: ReturnType<typeof cardOf>;
        try {
          record = cardOf(description as Parameters<typeof cardOf>[0]);
        } catch (error) {
          expect(error).toBeInstanceOf(WorldFileError);
          return;
        }
        const sum = record.history.reduce((total, entry) => total + entry.amount, record.initialValue);
        expect(record.balance).toBe(record.status === 'Voided' ? 0 : sum);
        expect(record.createdAt).toBeLessThanOrEqual(record.updatedAt);
        expect(record.updatedAt).toBeLessThanOrEqual(now);
        if (record.expiresAt !== null && record.expiresAt <= now) expect(['Expired', 'Voided']).toContain(record.status);
      }),
    );
  });
});

describe('times', () => {
  it('a card created in the future is refused', () => {
    expect(cardOf({ createdAtUtc: '2099-01-01T00:00:00Z' }).createdAt).toBe(now);
    expect(cardOf({ createdAtUtc: '2030-01-31T12:00:00Z' }).createdAt).toBe(now);
  });

  it('by default, an expired card expired yesterday and was created the day before', () => {
    expect(cardOf({ status: 'Expired' })).toMatchObject({ expiresAt: now - DAY, createdAt: now - 2 * DAY, updatedAt: now - DAY });
    expect(cardOf({ expiresInDays: -10, createdDaysAgo: 30 })).toMatchObject({ status: 'Expired', createdAt: now - 30 * DAY });
  });

  it('by default, a scheduled card is due in a week', () => {
    expect(cardOf({ status: 'Scheduled' })).toMatchObject({ status: 'Scheduled', giftScheduledFor: now + 7 * DAY });
    expect(cardOf({ status: 'Scheduled', giftScheduledInDays: 0.5 }).giftScheduledFor).toBe(now + DAY / 2);
  });

  it('an event in the past has happened, so that a file stays valid over time', () => {
    const card = { status: 'Active', expiresAtUtc: '2030-03-01T00:00:00Z' } as const;
    expect(cardOf(card).status).toBe('Active');
    expect(cardOf(card, Date.UTC(2031, 0)).status).toBe('Expired');
    const scheduled = { status: 'Scheduled', giftScheduledForUtc: '2030-03-01T00:00:00' } as const;
    expect(cardOf(scheduled).status).toBe('Scheduled');
    expect(cardOf(scheduled, Date.UTC(2031, 0)).status).toBe('Active');
  });

  it('adjustments are recorded in their order, from the creation on', () => {
    const { history, createdAt, updatedAt } = cardOf({
      createdDaysAgo: 10,
      adjustments: [{ amount: 1 }, { amount: 1, actionedDaysAgo: 4 }, { amount: 1, actionedDaysAgo: 20 }],
    });
    expect(history.map((entry) => [entry.actionedAt, entry.createdAt])).toEqual([
      [createdAt, createdAt],
      [now - 4 * DAY, now - 4 * DAY],
      [now - 20 * DAY, now - 4 * DAY],
    ]);
    expect(updatedAt).toBe(now - 4 * DAY);
  });

  it('cards are listed by their last update, the latest first', () => {
    const { state } = built({
      cards: [{ code: 'NEW' }, { code: 'OLD', createdDaysAgo: 9 }, { code: 'MID', createdDaysAgo: 9, updatedDaysAgo: 3 }],
    });
    expect([0, 1, 2].map((position) => state.newest(position, 1, false).cards[0]?.code)).toEqual(['NEW', 'MID', 'OLD']);
  });

  it('the timeline has the events in order', () => {
    const card = cardOf({
      status: 'Voided',
      createdDaysAgo: 5,
      updatedDaysAgo: 1,
      deleted: true,
      initialValue: 5,
      adjustments: [{ amount: -2, actionedDaysAgo: 3 }],
    });
    expect(card.timeline.map(({ text }) => text)).toEqual(['Created', 'Adjusted by -2 USD', 'Voided', 'Deleted']);
    expect(card.deletedAt).toBe(now - DAY);
  });
});

describe('the rest of an account', () => {
  it('puts every card into every channel, with a sync error if it does not accept the code', () => {
    const { state } = built({
      channels: [{ id: 'web' }, { id: 'till', name: 'Till', acceptsCodes: '[A-Z-]{1,5}' }],
      cards: [{ code: 'OK', balance: 3, inChannels: { web: { sourceId: 'w-1', balance: 2 } } }, { code: 'TOO-LONG' }],
    });
    const listing = (channel: string, code: string) => state.listing(channel, state.cardByCode(code)?.id ?? '');
    expect(listing('web', 'OK')).toMatchObject({ sourceId: 'w-1', balance: 200, state: 'synced', error: null });
    expect(listing('till', 'OK')).toMatchObject({ balance: 300, state: 'synced' });
    expect(listing('till', 'TOO-LONG')).toMatchObject({ state: 'sync-error', error: 'Till does not accept the code TOO-LONG.' });
    expect(state.cardBySource('web', 'w-1')?.code).toBe('OK');
  });

  it('knows automations by name and the keys that they ran with', () => {
    const { state } = built({
      automations: [{ name: 'Thanks', usedIdempotencyKeys: ['k'], uses: 1 }],
      cards: [{ code: 'A', automation: 'Thanks' }],
    });
    const automation = [...state.automations()][0];
    expect(automation).toMatchObject({ name: 'Thanks', amount: 1000, uses: 1, active: true, usageLimit: null });
    expect(automation).not.toHaveProperty('usedIdempotencyKeys');
    expect(state.cardByCode('A')).toMatchObject({ automationId: automation?.id, issuedThrough: 'automation' });
    expect(state.hasAutomationRun(automation?.id ?? '', 'k')).toBe(true);
  });

  it('disables a webhook that has failed six times', () => {
    const { state } = built({
      webhooks: [
        { url: 'https://a.example', failures: 6 },
        { url: 'https://b.example', failures: 5 },
      ],
    });
    expect([...state.webhooks()].map(({ enabled }) => enabled)).toEqual([false, true]);
  });

  it('creates codes in the account’s format for cards without one', () => {
    const { state } = built({ codeFormat: 'N-#', cards: [{ code: 'n-1' }, { code: 'n-2' }, {}, {}, {}, {}, {}] });
    const codes = [0, 1, 2, 3, 4, 5, 6].map((position) => state.newest(position, 1, false).cards[0]?.code.toLowerCase());
    expect(new Set(codes).size).toBe(7);
    for (const code of codes) expect(code).toMatch(/^n-\d$/);
  });

  it('is the same for the same seed only', () => {
    const description = { cards: [{}], webhooks: [{ url: 'https://a.example' }] };
    expect(built(description).changes).toEqual(built(description).changes);
    expect(built(description, { seed: 2 }).changes).not.toEqual(built(description).changes);
  });
});

describe('the default world', () => {
  const accounts = defaultWorld.accounts.map((account) => {
    const made = buildAccount(account, { now, random: RandomSource.seeded(1, account.id) });
    const state = new State();
    for (const change of made.changes) state.apply(change);
    return { ...made, state };
  });
  const [main, other, basic] = accounts as [(typeof accounts)[0], (typeof accounts)[0], (typeof accounts)[0]];

  it('has three accounts with keys that are visibly not real', () => {
    expect(accounts.map(({ id, settings }) => [id, settings.plan, settings.currency])).toEqual([
      ['main', 'Pro', 'USD'],
      ['other', 'Enterprise', 'EUR'],
      ['basic', 'Basic', 'USD'],
    ]);
    for (const { key } of accounts.flatMap(({ keys }) => keys)) expect(key).toMatch(/^sandbox-key-[a-z-]+-not-a-real-key$/);
    expect(main.keys.map(({ deleted }) => deleted)).toEqual([false, true]);
    expect(other.settings.defaultExpiryDays).toBe(365);
    expect(basic.keys).toHaveLength(1);
  });

  it.each([
    ['ACTIVE-0001', { status: 'Active', balance: 5000 }],
    ['PARTLY-USED-0001', { status: 'Active', balance: 7450, totalIssued: 11000 }],
    ['VOUCHER-0001', { kind: 'voucher', status: 'Active' }],
    ['EXPIRED-0001', { status: 'Expired', balance: 3000 }],
    ['REDEEMED-0001', { status: 'Redeemed', balance: 0 }],
    ['SCHEDULED-0001', { status: 'Scheduled', giftScheduledFor: now + 14 * DAY }],
    ['DELETED-0001', { deletedAt: now - 12 * DAY }],
    ['VOIDED-0001', { status: 'Voided', balance: 0, initialValue: 6000 }],
    ['STORE-CREDIT-0001', { kind: 'store-credit' }],
    ['BATCH-0001', { batchId: 'batch-0001' }],
    ['CAMPAIGN-0001', { campaignId: 'campaign-0001', isPromotional: true }],
    [
      'AUTOMATION-0001',
      { apiEventName: 'review_created', apiEventProperties: { product: 'Teapot' }, automationId: expect.any(String) },
    ],
    ['GIFTED-0001', { sendAsGift: true, buyerName: 'Bea Buyer' }],
    ['OVERDRAWN-0001', { status: 'Redeemed', balance: -250 }],
  ])('has %s', (code, fields) => {
    expect(main.state.cardByCode(code)).toMatchObject(fields);
  });

  it('has a card that one of its two channels rejects', () => {
    const id = main.state.cardByCode('SYNC_ERROR_0001')?.id ?? '';
    expect(main.settings.channels.map((channel) => main.state.listing(channel.id, id)?.state)).toEqual(['synced', 'sync-error']);
  });

  it('has automations to run and to skip, two coupons, and no webhook', () => {
    expect([...main.state.automations()].map(({ trigger, active, usageLimit }) => [trigger, active, usageLimit])).toEqual([
      ['ApiEvent', true, null],
      ['ApiEvent', true, 1],
      ['ApiEvent', false, null],
      ['Other', true, null],
    ]);
    expect([...main.state.coupons()]).toHaveLength(2);
    expect(accounts.flatMap(({ state }) => [...state.webhooks()])).toEqual([]);
  });

  it('matches the contract, and all people are at example.com', () => {
    for (const { changes } of accounts)
      expect(() => new CardRenderer(sandboxOf().sandbox.variant).renderChanged(changes)).not.toThrow();
    expect(JSON.stringify(defaultWorld)).not.toMatch(/@(?!example\.com")/);
  });
});
