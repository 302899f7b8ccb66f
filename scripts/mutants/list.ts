import type { ClauseName } from '../../openapi/generated/clauses.ts';

/** One deliberate break of the mock: the text to find, once, in one of its files, and what stands there instead. */
export interface Mutant {
  /** The clause that it violates, whose own test must notice. */
  clause: ClauseName;
  file: string;
  find: string;
  replace: string;
}

const mutant = (clause: ClauseName, file: string, find: string, replace: string): Mutant => ({ clause, file, find, replace });

const adjustments = 'mock/domain/adjustments.ts';
const finding = 'mock/domain/finding.ts';
const cards = 'mock/domain/gift-cards.ts';
const state = 'mock/state.ts';
const written = 'mock/written.ts';
const admit = 'mock/admit.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
export const mutants: readonly Mutant[] = [
  mutant(
    'adjustment.positive-tops-up',
    adjustments,
    'const balance = card.balance + wanted.amount;',
    'const balance = card.balance - wanted.amount;',
  ),
  mutant(
    'adjustment.is-relative',
    adjustments,
    'const balance = card.balance + wanted.amount;',
    'const balance = wanted.amount;',
  ),
  mutant('gift-card.amounts-exact', 'mock/money.ts', 'return minor / 10 ** decimalsOf(currency);', 'return minor * 0.01;'),
  mutant(
    'adjustment.by-code.may-go-negative',
    adjustments,
    'return refused(adjustable) ? adjustable : add(adjustable, adjustment, context);',
    'return addById(card, adjustment, context);',
  ),
  mutant('adjustment.by-id.refuses-overdraw', adjustments, '-adjustment.amount > balance', '-adjustment.amount > balance + 1'),
  mutant('adjustment.by-id.takes-whole-balance', adjustments, '-adjustment.amount > balance', '-adjustment.amount >= balance'),
  mutant(
    'adjustment.by-id.refuses-redemption-below-zero',
    adjustments,
    '-adjustment.amount > balance',
    'balance > 0 && -adjustment.amount > balance',
  ),
  mutant('adjustment.by-id.tops-up-below-zero', adjustments, 'adjustment.amount < 0 && -adjustment.amount', '-adjustment.amount'),
  mutant('adjustment.voucher-refused', adjustments, "if (card.kind === 'voucher')", "if (card.kind === 'voucher' && amount > 0)"),
  mutant(
    'adjustment.recorded-in-history',
    adjustments,
    "{ table: 'adjustments', put: adjustment },",
    "...(adjustment.amount > 0 ? [{ table: 'adjustments', put: adjustment }] : []),",
  ),
  mutant('adjustment.history.newest-first', adjustments, '.toReversed()', ''),
  mutant('adjustment.keeps-actioned-at', 'mock/operations/adjustments.ts', 'time(entry.actionedAt)', 'time(entry.createdAt)'),
  mutant('adjustment.keeps-notes', 'mock/operations/adjustments.ts', 'notes: entry.notes', 'notes: null'),
  mutant(
    'idempotency.adjustment.refuses-repeat',
    adjustments,
    'if (uniqueAdjustmentId !== null && state.adjustmentByUniqueId(uniqueAdjustmentId))',
    'if (false)',
  ),
  mutant(
    'idempotency.adjustment.repeat-with-other-content-refused',
    adjustments,
    'if (uniqueAdjustmentId !== null && state.adjustmentByUniqueId(uniqueAdjustmentId))',
    'if (state.adjustmentByUniqueId(uniqueAdjustmentId ?? "")?.amount === amount)',
  ),
  mutant(
    'idempotency.adjustment.repeat-on-other-card-refused',
    adjustments,
    'if (uniqueAdjustmentId !== null && state.adjustmentByUniqueId(uniqueAdjustmentId))',
    'if (!refused(card) && state.adjustmentByUniqueId(uniqueAdjustmentId ?? "")?.cardId === card.id)',
  ),
  mutant(
    'idempotency.create.refuses-repeat',
    cards,
    'wanted.uniqueId !== null && state',
    'wanted.uniqueId !== null && wanted.code === null && state',
  ),
  mutant(
    'gift-card.create.refuses-taken-code',
    cards,
    'if (wanted.code !== null && state.cardByCode(wanted.code))',
    'if (false)',
  ),
  mutant(
    'gift-card.create.gifted-needs-recipient-name',
    cards,
    'if (wanted.recipientName === null)',
    'if (wanted.recipientName === null && wanted.buyerName === null)',
  ),
  mutant(
    'gift-card.create.gifted-needs-buyer-name',
    cards,
    'if (wanted.buyerName === null)',
    'if (wanted.recipientName === null && wanted.buyerName === null)',
  ),
  mutant(
    'gift-card.create.starts-active',
    'mock/domain/issue.ts',
    "status: 'Active',",
    "status: wanted.giftScheduledFor ? 'Scheduled' : 'Active',",
  ),
  mutant(
    'gift-card.create.uses-account-currency',
    'mock/domain/issue.ts',
    'currency: settings.currency,',
    "currency: settings.currency === 'EUR' ? 'USD' : 'EUR',",
  ),
  mutant(
    'gift-card.create.keeps-given-code',
    'mock/domain/issue.ts',
    'code: wanted.code ?? context.newCode(),',
    'code: context.newCode(),',
  ),
  mutant(
    'gift-card.create.stores-custom-fields',
    written,
    'customField3: card.customField3,',
    'customField3: card.customField2,',
  ),
  mutant('gift-card.get-by-code.matches-exactly', finding, 'card.code === code && ', ''),
  mutant(
    'gift-card.get-by-code.unknown-is-404',
    finding,
    "refuse('gift-card.not-found', `the code ${code}`)",
    "refuse('request.invalid', code)",
  ),
  mutant(
    'gift-card.get-by-id.unknown-is-404',
    finding,
    "refuse('gift-card.not-found', `the id ${id}`)",
    "refuse('request.invalid', id)",
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    finding,
    'state.cardsByRecipient(emailAddress).filter(',
    'state.cardsByRecipient(emailAddress).slice(1).filter(',
  ),
  mutant('gift-card.void.zeroes-balance', cards, "status: 'Voided', balance: 0,", "status: 'Voided',"),
  mutant(
    'gift-card.void.by-code-voids',
    cards,
    "{ ...card, status: 'Voided', balance: 0",
    "{ ...card, status: 'Redeemed', balance: 0",
  ),
  mutant('gift-card.void.still-found', cards, "status: 'Voided', balance: 0,", "status: 'Voided', deletedAt: 1, balance: 0,"),
  mutant(
    'gift-card.void.any-state',
    cards,
    'if (refused(card)) return card;',
    "if (refused(card)) return card; if (card.balance < 0) return refuse('adjustment.overdraw', '');",
  ),
  mutant('gift-card.void.is-final', adjustments, "if (card.status === 'Voided')", 'if (false)'),
  mutant(
    'list.page-number-from-zero',
    finding,
    'const first = page.pageNumber * page.pageSize;',
    'const first = Math.max(0, page.pageNumber - 1) * page.pageSize;',
  ),
  mutant(
    'list.page-size-limits',
    finding,
    'position < first + page.pageSize; position++',
    'position <= first + page.pageSize; position++',
  ),
  mutant(
    'list.since-is-strictly-after',
    finding,
    'card.updatedAt <= since)) return matching;\n    if (card.createdAt > since)',
    'card.updatedAt < since)) return matching;\n    if (card.createdAt >= since)',
  ),
  mutant('list.since-goes-by-issue', finding, 'if (card.createdAt > since)', 'if (card.updatedAt > since)'),
  mutant('list.hides-deleted-cards', finding, 'state.newest(position, page.includeAll)', 'state.newest(position, true)'),
  mutant('list.include-all-adds-deleted', finding, 'state.newest(position, page.includeAll)', 'state.newest(position, false)'),
  mutant(
    'list.last-updated-first',
    state,
    'this.#undeleted.touch(card.id);',
    'this.#undeleted.size && before ? 0 : this.#undeleted.touch(card.id);',
  ),
  mutant('authentication.missing-key-is-401', admit, "return refuse('auth.key-missing')", "return refuse('request.invalid', '')"),
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    'if (!holder) return',
    "if (!holder && given.startsWith('wrong')) return refuse('request.invalid', ''); if (!holder) return",
  ),
  mutant('authentication.deleted-key-is-401', admit, 'if (holder.key.deleted)', 'if (false)'),
  mutant('authentication.basic-plan-refused', admit, "if (holder.account.settings.plan === 'Basic')", 'if (false)'),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
