import { refuse } from '../../mock/pipeline/refusal.ts';
import type { Change } from '../../mock/state/change.ts';
import type { AdjustmentRecord } from '../../mock/state/records.ts';
import {
  adding,
  answer,
  body,
  byCode,
  byId,
  card,
  decide,
  histories,
  historyByCode,
  historyById,
  type Mutations,
  notFound,
  outcome,
  puts,
  rejects,
  replaced,
  reply,
  request,
  shownCard,
  state,
  status,
  storedCard,
} from './mutation.ts';
import { acrossAccounts, forAWhile, missesInRace } from './remembering.ts';

/** Accepts overdraws by ID that `accepts` selects. `redeemed` and `balance` are in minor units. */
const overdraws = (accepts: (about: { redeemed: number; balance: number; notes: string | null | undefined }) => boolean) =>
  decide(byId, (next, input, context) => {
    const real = context.state.card(input.body.giftCardId);
    if (!real || input.body.adjustmentAmount >= 0) return next(input, context);
    const redeemed = -Math.round(input.body.adjustmentAmount * 100);
    if (!accepts({ redeemed, balance: real.balance, notes: input.body.notes })) return next(input, context);
    const rich = { ...real, balance: 1e12 };
    const decided = next(input, { ...context, state: replaced(context.state, { card: () => rich }) });
    if (!('changes' in decided) || 'code' in decided) return decided;
    const changes = decided.changes.map((each) =>
      each.table === 'cards' && 'put' in each ? { ...each, put: { ...each.put, balance: real.balance - redeemed } } : each,
    );
    return { ...decided, changes };
  });

/** Refuses valid adjustments that `when` selects. */
const refuses = (ids: typeof byId | typeof byCode, when: (amount: number, before: number, after: number) => boolean) =>
  outcome(ids, (decided, given, context) => {
    const put = storedCard(decided);
    const before = put && context.state.card(put.id)?.balance;
    return put && before !== undefined && when(given.adjustmentAmount, before, put.balance)
      ? refuse('request.invalid', String(before))
      : decided;
  });

/** Forgets a used uniqueAdjustmentId if `when` selects its adjustment. */
const forgets = (
  ids: typeof byId | typeof byCode | typeof adding,
  when: (
    made: AdjustmentRecord,
    given: { adjustmentAmount: number; actionedAtUtc: string },
    cardId: string | undefined,
  ) => boolean,
) =>
  state(ids, (view, given) => ({
    adjustmentByUniqueId: (value) => {
      const made = view.adjustmentByUniqueId(value);
      const cardId = 'giftCardId' in given ? given.giftCardId : view.cardByCode(given.giftCardCode)?.id;
      return made && when(made, given, cardId) ? undefined : made;
    },
  }));

const plainGiftCard = (ids: typeof byId | typeof byCode) =>
  state(ids, (view) => ({
    card: (id) => asGiftCard(view.card(id)),
    cardByCode: (code) => asGiftCard(view.cardByCode(code)),
  }));
const asGiftCard = <C extends { kind: string }>(found: C | undefined) => found && { ...found, kind: 'gift-card' as const };

const storesBalance = (balance: (before: number, change: number) => number) =>
  card(adding, (made, { before }) => ({
    ...made,
    balance: balance(before?.balance ?? 0, made.balance - (before?.balance ?? 0)),
  }));

/** Adds the giftcard/updated delivery that an adjustment must not send. */
const updates = (changes: readonly Change[]) =>
  changes.flatMap((each) =>
    each.table === 'cards' && 'put' in each
      ? [{ kind: 'delivery' as const, topic: 'giftcard/updated' as const, card: each.put }]
      : [],
  );

/** Adds a field that the request omits. */
const withField = (name: string, value: string) =>
  request((received) => {
    if (!(received.body instanceof Buffer) || !received.target.includes('AddAdjustment')) return received;
    const given: unknown = JSON.parse(received.body.toString());
    return { ...received, body: Buffer.from(JSON.stringify({ [name]: value, ...(given as object) })) };
  });

export const adjustmentMutations: Mutations = {
  'adjustment.positive-tops-up': body(adding, ({ adjustmentAmount }) => ({ adjustmentAmount: -Math.abs(adjustmentAmount) })),
  'adjustment.negative-redeems': body(adding, ({ adjustmentAmount }) => ({ adjustmentAmount: Math.abs(adjustmentAmount) })),
  'adjustment.is-relative': storesBalance((_, change) => change),
  'adjustment.by-code.may-go-negative': storesBalance((before, change) => Math.max(before + change, -100)),
  'adjustment.by-id.refuses-overdraw': [
    overdraws(({ redeemed, balance }) => redeemed === balance + 1 || redeemed > balance),
    overdraws(({ balance }) => balance === 0),
    overdraws(({ redeemed }) => redeemed >= 100_000),
  ],
  'adjustment.by-id.takes-whole-balance': refuses(byId, (amount, _, after) => amount < 0 && after === 0),
  'adjustment.by-id.refuses-redemption-below-zero': overdraws(({ balance }) => balance < 0),
  'adjustment.by-id.tops-up-below-zero': refuses(byId, (amount, before) => amount > 0 && before < 0),
  'adjustment.by-id.parallel-never-overdraws': () => {
    const stale = forAWhile<number>();
    return overdraws(({ redeemed, balance }) => redeemed <= stale('balance', balance))();
  },
  'adjustment.voucher-refused': [plainGiftCard(byCode), plainGiftCard(byId)],
  'adjustment.recorded-in-history': puts('adjustments', (made) => (made.amount < 0 ? undefined : made)),
  'adjustment.keeps-actioned-at': [
    body(byId, (_, { now }) => ({ actionedAtUtc: new Date(now).toISOString() })),
    puts('adjustments', (made) => ({ ...made, actionedAt: Math.max(made.actionedAt, Date.UTC(2020, 0, 1)) })),
  ],
  'adjustment.keeps-notes': [
    puts('adjustments', (made) => ({ ...made, notes: made.notes?.slice(0, 40) ?? null })),
    puts('adjustments', (made, { what }) => (what === byId ? { ...made, notes: null } : made)),
  ],
  'adjustment.history.newest-first': reply(histories, (shown) => ({ ...shown, adjustments: shown.adjustments.toReversed() })),
  'adjustment.history.by-code-shows-card-and-entries': reply(historyByCode, (shown) => ({
    ...shown,
    adjustments: shown.adjustments.slice(0, 1),
  })),
  'adjustment.history.by-id-shows-card-and-entries': reply(historyById, (shown) => ({
    ...shown,
    adjustments: shown.adjustments.slice(0, 1),
  })),
  'adjustment.history.entry-shows-amount-type-notes-time': reply(histories, (shown) => ({
    ...shown,
    adjustments: shown.adjustments.map(({ type: _, ...each }) => each),
  })),
  'adjustment.history.unknown-code-is-404': notFound(historyByCode),
  'adjustment.history.unknown-id-is-404': notFound(historyById),
  'adjustment.by-code.unknown-card-is-404': notFound(byCode),
  'adjustment.by-id.unknown-card-is-404': notFound(byId),
  'adjustment.answers-true': reply(adding, () => ({})),
  'adjustment.answers-200': status(adding, 201),
  'adjustment.by-code.names-card-by-code': body(byCode, ({ giftCardCode }, context) => ({
    giftCardCode: context.state.newest(0, 1, false).cards[0]?.code ?? giftCardCode,
  })),
  'adjustment.by-id.names-card-by-id': body(byId, ({ giftCardId }, context) => ({
    giftCardId: context.state.newest(0, 1, false).cards[0]?.id ?? giftCardId,
  })),
  'adjustment.requires-actioned-at': withField('actionedAtUtc', '2026-01-15T11:00:00Z'),
  'adjustment.requires-unique-id': withField('uniqueAdjustmentId', 'made-up'),
  'adjustment.notes-are-optional': rejects(adding, ({ notes }) => !notes),
  'adjustment.parallel-all-count': () => {
    const stale = forAWhile<number>();
    return card(adding, (made, { before }) => {
      const balance = before?.balance ?? 0;
      return { ...made, balance: stale(made.id, balance) + made.balance - balance };
    })();
  },
  'adjustment.delivers-no-update': outcome(adding, (decided) => ({
    ...decided,
    effects: [...decided.effects, ...updates(decided.changes).filter((each) => each.card.balance === 0)],
  })),
  'idempotency.adjustment.refuses-repeat': [
    forgets(adding, () => true),
    forgets(adding, ({ amount }) => amount < 0),
    answer((given, { operation }) =>
      operation?.startsWith('addAdjustment') && given.status === 400 ? { ...given, body: 'Bad request' } : given,
    ),
    // Remembers only the last value.
    () => {
      let last: string | undefined;
      return decide(adding, (next, input, context) => {
        const value = input.body.uniqueAdjustmentId;
        const known = value === last ? context.state.adjustmentByUniqueId(value) : undefined;
        last = value;
        return next(input, { ...context, state: replaced(context.state, { adjustmentByUniqueId: () => known }) });
      })();
    },
  ],
  'idempotency.adjustment.repeat-with-other-content-refused': [
    forgets(adding, (made, { adjustmentAmount }) => made.amount !== Math.round(adjustmentAmount * 100)),
    forgets(adding, (made, { actionedAtUtc }) => made.actionedAt !== Date.parse(actionedAtUtc)),
  ],
  'idempotency.adjustment.repeat-on-other-card-refused': forgets(adding, (made, _, cardId) => made.cardId !== cardId),
  'idempotency.adjustment.repeat-by-other-endpoint-refused': body(byId, ({ uniqueAdjustmentId }) => ({
    uniqueAdjustmentId: `${uniqueAdjustmentId} by id`,
  })),
  'idempotency.adjustment.checked-per-account': acrossAccounts(adding, 'adjustmentByUniqueId'),
  'idempotency.adjustment.parallel-counts-once': missesInRace(adding, 'adjustmentByUniqueId'),
  'gift-card.amounts-exact': [
    storesBalance((before, change) => before + (Math.abs(change) < 5 ? 0 : change)),
    shownCard('all', (shown) => ({ ...shown, balance: Math.round(shown.balance * 100) * 0.01 })),
  ],
};
