import { refuse, refused } from '../../mock/pipeline/refusal.ts';
import type { CardRecord } from '../../mock/state/records.ts';
import {
  adding,
  answer,
  body,
  card,
  changed,
  decide,
  leaves,
  type Mutations,
  notFound,
  parameters,
  rejects,
  reply,
  shownCard,
  state,
  status,
  storedCard,
  text,
  voiding,
} from './mutation.ts';
import { acrossAccounts, missesInRace } from './remembering.ts';

const DAY = 86_400_000;
const create = 'createGiftCard';

/** Creates a changed card. The answer, the effects and later answers show the same change. */
const created = (change: (made: CardRecord) => Partial<CardRecord>) => card(create, (made) => ({ ...made, ...change(made) }));

/** Forgets a used uniqueId if `when` selects its card. */
const forgets = (when: (made: CardRecord, given: { code?: string | null; balance: number }) => boolean) =>
  state(create, (view, given) => ({
    cardByUniqueId: (value) => {
      const made = view.cardByUniqueId(value);
      return made && when(made, given) ? undefined : made;
    },
  }));

const customField = (change: (text: string) => string) => (made: CardRecord) => ({
  customField1: made.customField1 && change(made.customField1),
  customField2: made.customField2 && change(made.customField2),
  customField3: made.customField3 && change(made.customField3),
});

export const cardMutations: Mutations = {
  'gift-card.create.returns-the-card': reply(create, ({ id: _, ...shown }) => ({
    ...shown,
    id: '00000000-0000-4000-8000-000000000000',
  })),
  'gift-card.create.answers-200': status(create, 201),
  'gift-card.create.starts-active': created((made) => ({ status: made.giftScheduledFor === null ? 'Active' : 'Scheduled' })),
  'gift-card.create.active-when-empty-or-expired': [
    created((made) => ({ status: made.initialValue === 0 ? 'Redeemed' : 'Active' })),
    created((made) => ({ status: made.expiresAt !== null && made.expiresAt <= made.createdAt ? 'Expired' : 'Active' })),
  ],
  'gift-card.create.starts-with-given-balance': body(create, ({ balance }) => ({ balance: Math.floor(balance * 100) / 100 })),
  'gift-card.create.uses-account-currency': created((made) => ({ currency: made.currency === 'EUR' ? 'USD' : 'EUR' })),
  'gift-card.create.keeps-given-code': decide(create, (next, input, context) =>
    next({ ...input, body: { ...input.body, code: context.newCode() } }, context),
  ),
  'gift-card.create.generates-code': decide(create, (next, input, context) =>
    next(input, { ...context, newCode: () => 'ALWAYS-THIS' }),
  ),
  'gift-card.create.code-follows-account-format': decide(create, (next, input, context) =>
    next(input, { ...context, newCode: () => context.newCode().toLowerCase() }),
  ),
  'gift-card.create.default-expiry-applies': created((made) => ({
    expiresAt: made.expiresAt === null ? null : made.createdAt + 7 * (made.expiresAt - made.createdAt),
  })),
  'gift-card.create.no-default-expiry-never-expires': created((made) => ({
    expiresAt: made.expiresAt ?? made.createdAt + 1825 * DAY,
  })),
  'gift-card.create.keeps-given-expiry': card(create, (made, { context: { settings, now } }) => ({
    ...made,
    expiresAt:
      made.expiresAt !== null && settings.defaultExpiryDays !== null
        ? Math.min(made.expiresAt, now + settings.defaultExpiryDays * DAY)
        : made.expiresAt,
  })),
  'gift-card.create.refuses-taken-code': [
    state(create, () => ({ cardByCode: () => undefined })),
    missesInRace(create, 'cardByCode'),
  ],
  'gift-card.create.code-free-on-other-account': acrossAccounts(create, 'cardByCode'),
  'gift-card.create.takes-notes': rejects(create, ({ notes }) => typeof notes === 'string'),
  'gift-card.create.stores-custom-fields': created(({ customField2 }) => ({ customField3: customField2 })),
  'gift-card.custom-fields.never-change': [
    created(customField((given) => given.replace(/[\u{10000}-\u{10FFFF}]/gu, '?'))),
    card(adding, (made) => ({ ...made, customField3: null })),
    card(voiding, (made) => ({ ...made, customField1: null })),
  ],
  'gift-card.create.gifted-needs-recipient-name': body(create, ({ recipientName, giftScheduledForUtc }) =>
    giftScheduledForUtc ? { recipientName: recipientName ?? 'Someone' } : {},
  ),
  'gift-card.create.gifted-needs-buyer-name': body(create, ({ buyerName, giftScheduledForUtc }) =>
    giftScheduledForUtc ? { buyerName: buyerName ?? 'Someone' } : {},
  ),
  'gift-card.create.notes-record-origin': [
    card(create, (made, { context }) => ({ ...made, notes: context.actor })),
    card(create, (made, { context }) => ({ ...made, notes: made.notes?.replace(`: ${context.actor}`, '') ?? null })),
    card(create, (made) => ({ ...made, notes: made.notes?.replace('Created through the API: ', '') ?? null })),
  ],
  'gift-card.create.initial-value-is-balance': created(({ initialValue }) => ({ initialValue: initialValue * 2 })),
  'gift-card.create.stores-recipient': created(({ buyerName }) => ({ recipientName: buyerName })),
  'gift-card.create.stores-buyer': created(() => ({ buyerEmailAddress: null })),
  'gift-card.create.stores-gift-message': created(({ giftMessage }) => ({ giftMessage: giftMessage?.slice(0, 20) ?? null })),
  'gift-card.create.marks-promotional': created(() => ({ isPromotional: false })),
  'gift-card.expiry-and-recipient.fixed-after-create': card(adding, (made, { context }) => ({
    ...made,
    expiresAt: context.now + 100 * DAY,
  })),
  'gift-card.response.has-named-fields': shownCard('all', ({ googleWalletUrl: _, ...shown }) => shown),
  'gift-card.response.status-is-one-of-five': text('all', (json) => json.replaceAll('"status":"Redeemed"', '"status":"Spent"')),
  'gift-card.amounts-in-account-currency': shownCard('all', (shown) =>
    shown.balance === shown.initialValue ? shown : { ...shown, currency: 'GBP' },
  ),
  'gift-card.amounts-large': [
    created(({ balance }) => ({ balance: Math.min(balance, 100_000) })),
    body(adding, ({ adjustmentAmount: amount }) =>
      Math.abs(amount) >= 1_000 ? { adjustmentAmount: Math.trunc(amount) / 100 } : {},
    ),
    shownCard('getGiftCardByCode', (shown) =>
      shown.balance > 1_000 ? { ...shown, balance: Math.round(Math.fround(shown.balance) * 100) / 100 } : shown,
    ),
  ],
  'gift-card.void.by-code-voids': card('voidGiftCardByCode', (made) => ({ ...made, status: 'Redeemed' })),
  'gift-card.void.by-id-voids': parameters('voidGiftCardById', ({ id }, context) => ({
    id: context.state.newest(0, 1, false).cards[0]?.id ?? id,
  })),
  'gift-card.void.zeroes-balance': [
    card(voiding, (made, { before }) => ({ ...made, balance: before?.balance ?? 0 })),
    ...(['getGiftCardById', 'listGiftCards', 'listAdjustmentsByGiftCardCode'] as const).map((id) =>
      shownCard(id, (shown) => (shown.status === 'Voided' ? { ...shown, balance: shown.initialValue } : shown)),
    ),
  ],
  'gift-card.void.any-state': [
    refusesToVoid((found) => found.balance < 0),
    refusesToVoid((found, id) => id === 'voidGiftCardById' && found.status === 'Redeemed'),
  ],
  'gift-card.void.is-final': [revives(adding), revives(voiding)],
  'gift-card.void.still-found': card(voiding, (made, { context }) => ({ ...made, deletedAt: context.now })),
  'gift-card.void.unknown-code-is-404': notFound('voidGiftCardByCode'),
  'gift-card.void.unknown-id-is-404': notFound('voidGiftCardById'),
  'idempotency.create.unique-id-optional': body(create, ({ uniqueId }) => ({ uniqueId: uniqueId ?? 'none' })),
  'idempotency.create.refuses-repeat': [
    forgets((_, { code }) => typeof code === 'string'),
    forgets((made) => made.balance !== made.initialValue),
    answer((given, { operation }) => (operation === create && given.status === 400 ? { ...given, body: 'Bad request' } : given)),
    // Answers a repeated request with the first card.
    decide(create, (next, input, context) => {
      const decided = next(input, context);
      const first = context.state.cardByUniqueId(input.body.uniqueId ?? '');
      const isSame = first?.code === input.body.code && first?.initialValue === input.body.balance * 100;
      return refused(decided) && first && isSame ? { reply: context.render(first), changes: [], effects: [] } : decided;
    }),
  ],
  'idempotency.create.checked-per-account': acrossAccounts(create, 'cardByUniqueId'),
  'idempotency.create.original-unchanged': leaves('gift-card.unique-id-used', (uniqueId, view) =>
    changed(view.cardByUniqueId(uniqueId), { expiresAt: 4e12, recipientName: 'changed' }),
  ),
  'idempotency.create.parallel-makes-one': missesInRace(create, 'cardByUniqueId'),
};

function refusesToVoid(when: (found: CardRecord, id: (typeof voiding)[number]) => boolean) {
  return decide('all', (next, input, context) => {
    const { code, id } = input.parameters as { code?: string; id?: string };
    const found = code === undefined ? context.state.card(id ?? '') : context.state.cardByCode(code);
    const decided = next(input, context);
    const isVoid = !refused(decided) && storedCard(decided)?.status === 'Voided';
    return found && isVoid && when(found, code === undefined ? 'voidGiftCardById' : 'voidGiftCardByCode')
      ? refuse('request.invalid', found.code)
      : decided;
  });
}

/** Makes a voided card Active again when one of these operations touches it. */
function revives(ids: typeof adding | typeof voiding) {
  return decide(ids, (next, input, context) => {
    const given = { ...input.parameters, ...(input.body as object) } as {
      code?: string;
      id?: string;
      giftCardCode?: string;
      giftCardId?: string;
    };
    const found =
      context.state.cardByCode(given.code ?? given.giftCardCode ?? '') ?? context.state.card(given.id ?? given.giftCardId ?? '');
    const decided = next(input, context);
    if (found?.status !== 'Voided') return decided;
    const revived = { table: 'cards', put: { ...found, status: 'Active' } } as const;
    return refused(decided)
      ? refuse(decided.code, decided.about, [revived])
      : { ...decided, changes: [...decided.changes.filter((each) => each.table !== 'cards'), revived] };
  });
}
