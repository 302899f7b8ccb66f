import { pay } from '../control/dashboard.ts';
import type { CardRecord } from '../state/records.ts';
import type { Fixture } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

/** The history of a card. */
function historyOf({ ask }: Fixture, code: string) {
  return ask('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`).body;
}

/** Which of these names the first entry of a history has. */
function namesOf(fixture: Fixture, ...names: string[]): string[] {
  const { code } = fixture.create();
  fixture.adjust(code, -5);
  return Object.keys(historyOf(fixture, code).adjustments[0]).filter((name) => names.includes(name));
}

/** The questions of openapi/clauses/history.yaml. */
export const historyProbes = {
  'adjustment.history.card-name': {
    observe: (fixture) => Object.keys(historyOf(fixture, fixture.create().code))[0],
    shows: { giftCard: 'giftCard', card: 'card' },
  },
  'adjustment.history.entries-name': {
    observe: (fixture) => Object.keys(historyOf(fixture, fixture.create().code))[1],
    shows: { adjustments: 'adjustments', giftCardAdjustments: 'giftCardAdjustments', history: 'history' },
  },
  'adjustment.history.amount-name': {
    observe: (fixture) => namesOf(fixture, 'amount', 'adjustmentAmount'),
    shows: { amount: ['amount'], adjustmentAmount: ['adjustmentAmount'] },
  },
  'adjustment.history.type-name': {
    observe: (fixture) => namesOf(fixture, 'type', 'adjustmentType'),
    shows: { type: ['type'], adjustmentType: ['adjustmentType'] },
  },
  'adjustment.history.type-values': {
    account: { cards: [{ code: 'MIXED', initialValue: 25, adjustments: [{ amount: -5 }] }] },
    observe: (fixture) => {
      fixture.adjust('MIXED', 10);
      pay(fixture.account, fixture.account.state.cardByCode('MIXED') as CardRecord, { amount: 1 });
      return historyOf(fixture, 'MIXED').adjustments.map(({ type }: { type: string }) => type);
    },
    shows: { 'TopUp-and-Redemption': ['Redemption', 'TopUp', 'Redemption'], 'by-source': ['Order', 'Api', 'Dashboard'] },
  },
  'adjustment.history.notes-name': {
    observe: (fixture) => namesOf(fixture, 'notes', 'note'),
    shows: { notes: ['notes'], note: ['note'] },
  },
  'adjustment.history.actioned-name': {
    observe: (fixture) => namesOf(fixture, 'actionedAtUtc', 'actionedAt'),
    shows: { actionedAtUtc: ['actionedAtUtc'], actionedAt: ['actionedAt'] },
  },
  'adjustment.history.recorded-name': {
    observe: (fixture) => namesOf(fixture, 'createdAtUtc', 'createdAt'),
    shows: { createdAtUtc: ['createdAtUtc'], createdAt: ['createdAt'] },
  },
  'adjustment.history.order': {
    observe: (fixture) => {
      const { code } = fixture.create();
      fixture.adjust(code, 1, { actionedAtUtc: '2026-01-14T00:00:00Z' });
      fixture.adjust(code, 2, { actionedAtUtc: '2026-01-12T00:00:00Z' });
      fixture.adjust(code, 3, { actionedAtUtc: '2026-01-13T00:00:00Z' });
      return historyOf(fixture, code).adjustments.map(({ amount }: { amount: number }) => amount);
    },
    shows: { recorded: [3, 2, 1], actioned: [1, 3, 2] },
  },
  'adjustment.history.issue-entry': {
    observe: (fixture) => {
      const { code } = fixture.create();
      fixture.adjust(code, -5);
      return historyOf(fixture, code).adjustments.map(({ amount }: { amount: number }) => amount);
    },
    shows: { no: [-5], yes: [-5, 25] },
  },
  'adjustment.history.paging': {
    observe: (fixture) => {
      const { code } = fixture.create();
      for (let i = 0; i < 51; i++) fixture.adjust(code, 1);
      const { adjustments, totalCount } = historyOf(fixture, code);
      return [adjustments.length, totalCount];
    },
    shows: { whole: [51, undefined], paged: [50, 51] },
  },
} satisfies Partial<Probes>;
