import { describe, expect, test } from 'vitest';
import type { Behaviors } from '../../openapi/generated/rules.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import type { Change } from './change.ts';
import type { AdjustmentRecord, CardRecord } from './records.ts';

/** Two cards of 25.00, one of them voided, and functions that apply changes without a decision. */
function start(behaviors: Partial<Behaviors> = {}) {
  const { sandbox, account, send, create } = sandboxOf([{}], { behaviors });
  const named = create({ code: 'FIRST', uniqueId: 'order-1' });
  const other = create({ code: 'OTHER', uniqueId: 'order-2' });
  send('DELETE', `/api/GiftCard/VoidById/${other.id}`);
  const card = account.state.card(named.id) as CardRecord;
  const voided = account.state.card(other.id) as CardRecord;
  const defectsAfter = (...changes: Change[]) => {
    account.load(changes);
    return sandbox.defects;
  };
  const adjustment = (amount: number, fields: Partial<AdjustmentRecord> = {}): Change => {
    const common = {
      notes: null,
      actionedAt: NOON,
      createdAt: NOON,
      uniqueAdjustmentId: null,
      madeThrough: 'merchant' as const,
    };
    return { table: 'adjustments', put: { id: 'a', cardId: card.id, amount, type: 'TopUp', ...common, ...fields } };
  };
  const put = (from: CardRecord, fields: Partial<CardRecord>): Change => ({ table: 'cards', put: { ...from, ...fields } });
  return { card, voided, defectsAfter, adjustment, put, account, sandbox };
}

const fresh = { id: 'new', code: 'NEW', uniqueId: null } as const;

describe('a violation is a defect', () => {
  test('a balance that moves without an adjustment', () => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { balance: 2400 }))).toEqual([
      expect.stringMatching(`adjustment.is-relative.*${card.id}.*2400.*2500`),
    ]);
  });

  test('a balance that differs from its adjustment by a cent', () => {
    const { card, defectsAfter, put, adjustment } = start();
    expect(defectsAfter(put(card, { balance: 2001 }), adjustment(-500))).toEqual([
      expect.stringContaining('2001 instead of 2000'),
    ]);
  });

  test('an adjustment without a change of the card', () => {
    const { defectsAfter, adjustment } = start();
    expect(defectsAfter(adjustment(-500))).toEqual([expect.stringContaining('adjustment.recorded-in-history')]);
  });

  test('a new card whose balance is not its initial value', () => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { ...fresh, initialValue: 1000, balance: 2500 }))).toEqual([
      expect.stringContaining('2500 instead of 1000'),
    ]);
  });

  test('a void that leaves a balance', () => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { status: 'Voided' }))).toEqual([expect.stringContaining('gift-card.void.zeroes-balance')]);
  });

  test.each(['Active', 'Redeemed', 'Scheduled', 'Expired'] as const)(
    'a void that is not final, since the card becomes %s',
    (status) => {
      const { voided, defectsAfter, put } = start();
      expect(defectsAfter(put(voided, { status }))).toEqual([expect.stringContaining(`was voided and is now ${status}`)]);
    },
  );

  test('an expiry that zeroes the balance against the behavior', () => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { status: 'Expired', balance: 0 }))).toHaveLength(1);
  });

  test('an initial value that changes', () => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { initialValue: 3000 }))).toEqual([
      expect.stringContaining('gift-card.create.initial-value-is-balance'),
    ]);
  });

  test('a total issued amount that falls', () => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { totalIssued: 2499 }))).toEqual([
      expect.stringContaining('delivery.payload.total-issued-counts-top-ups'),
    ]);
  });

  test.each(['FIRST', 'first', 'OTHER'])('a second card with the code %s', (code) => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { ...fresh, code }))).toEqual([expect.stringContaining(`the code ${code} has two cards`)]);
  });

  test('two new cards of one code and one unique ID', () => {
    const { card, defectsAfter, put } = start();
    const line: Change = { table: 'timeline', put: { cardId: 'new', at: NOON, text: '' } };
    expect(defectsAfter(put(card, fresh), put(card, { ...fresh, id: 'newer' }), line)).toEqual([
      expect.stringContaining('the code NEW has two cards'),
    ]);
    const more = start();
    const twins = [
      put(more.card, { ...fresh, uniqueId: 'twin' }),
      put(more.card, { ...fresh, id: 'newer', code: 'NEWER', uniqueId: 'twin' }),
    ];
    expect(more.defectsAfter(...twins, line)).toEqual([expect.stringContaining('the uniqueId twin has two cards')]);
  });

  test.each(['order-1', 'order-2'])('a second card with the uniqueId %s', (uniqueId) => {
    const { card, defectsAfter, put } = start();
    expect(defectsAfter(put(card, { ...fresh, uniqueId }))).toEqual([
      expect.stringContaining(`the uniqueId ${uniqueId} has two cards`),
    ]);
  });

  test('a second adjustment with a uniqueAdjustmentId, at once or later', () => {
    const { card, defectsAfter, put, adjustment, sandbox } = start();
    const once = { uniqueAdjustmentId: 'refund-1' };
    expect(defectsAfter(put(card, { balance: 2600 }), adjustment(100, once))).toEqual([]);
    expect(defectsAfter(put(card, { balance: 2700 }), adjustment(100, once))).toEqual([
      expect.stringContaining('refund-1 has two adjustments'),
    ]);
    const twice = { uniqueAdjustmentId: 'refund-2' };
    defectsAfter(put(card, { balance: 2900 }), adjustment(100, twice), adjustment(100, twice));
    expect(sandbox.defects.slice(1)).toEqual([expect.stringContaining('refund-2 has two adjustments')]);
  });
});

describe('what an option allows is not a violation with the option, and is one without it', () => {
  test.each<[string, Partial<Behaviors>, (given: ReturnType<typeof start>) => Change[]]>([
    [
      'gift-card.expiry.balance',
      { 'gift-card.expiry.balance': 'zeroed' },
      ({ card, put }) => [put(card, { status: 'Expired', balance: 0 })],
    ],
    [
      'gift-card.create.code-of-voided-card',
      { 'gift-card.create.code-of-voided-card': 'free' },
      ({ card, put }) => [put(card, { ...fresh, code: 'OTHER' })],
    ],
    [
      'idempotency.create.after-void',
      { 'idempotency.create.after-void': 'free' },
      ({ card, put }) => [put(card, { ...fresh, uniqueId: 'order-2' })],
    ],
  ])('%s', (_, behaviors, changes) => {
    const allowed = start(behaviors);
    expect(allowed.defectsAfter(...changes(allowed))).toEqual([]);
    const refused = start();
    expect(refused.defectsAfter(...changes(refused))).toHaveLength(1);
  });

  test('an adjustment after the void starts from zero (adjustment.voided-card)', () => {
    const { voided, defectsAfter, put, adjustment } = start({ 'adjustment.voided-card': 'accepted' });
    expect(defectsAfter(put(voided, { balance: 300 }), adjustment(300, { cardId: voided.id }))).toEqual([]);
  });

  test('a card described as expired may have any balance (gift-card.expiry.balance)', () => {
    const { card, defectsAfter, put } = start({ 'gift-card.expiry.balance': 'zeroed' });
    defectsAfter(put(card, { ...fresh, status: 'Expired' }));
    expect(defectsAfter(put(card, { ...fresh, id: 'newer', code: 'NEWER', status: 'Expired', balance: 0 }))).toEqual([]);
  });
});
