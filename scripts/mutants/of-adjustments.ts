import { type Mutant, mutant, oneState, usedAnywhere } from './mutant.ts';

const adjustments = 'mock/domain/adjustments.ts';
const state = 'mock/state/state.ts';
const written = 'mock/contract/render/written.ts';
const account = 'mock/account/account.ts';
const adjusting = 'mock/operations/adjustments.ts';
const contract = 'mock/contract/contract.ts';
const handle = 'mock/pipeline/handle.ts';
const problems = 'mock/pipeline/problems.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
export const adjustmentMutants: readonly Mutant[] = [
  mutant(
    'adjustment.positive-tops-up',
    adjustments,
    'const balance = card.balance + amount;',
    'const balance = card.balance - amount;',
  ),
  mutant('adjustment.is-relative', adjustments, 'const balance = card.balance + amount;', 'const balance = amount;'),
  mutant('gift-card.amounts-exact', 'mock/domain/money.ts', 'return minor / 10 ** decimalsOf(currency);', 'return minor * 0.01;'),
  mutant(
    'adjustment.by-code.may-go-negative',
    adjustments,
    'return refused(adjustable) ? leaving(adjustable, adjustment, context) : add(adjustable, adjustment, context);',
    "return !refused(adjustable) && -(adjustment.amount ?? 0) > adjustable.balance ? refuse('request.invalid', 'too much') : add(card as CardRecord, adjustment, context);",
  ),
  mutant('adjustment.by-id.refuses-overdraw', adjustments, '-amount > balance', '-amount > balance + 1'),
  mutant('adjustment.by-id.takes-whole-balance', adjustments, '-amount > balance', '-amount >= balance'),
  mutant('adjustment.by-id.refuses-redemption-below-zero', adjustments, '-amount > balance', 'balance > 0 && -amount > balance'),
  mutant('adjustment.by-id.tops-up-below-zero', adjustments, 'amount < 0 && -amount', '-amount'),
  mutant(
    'adjustment.voucher-refused',
    adjustments,
    "if (card.kind === 'voucher')",
    "if (card.kind === 'voucher' && card.balance === 0)",
  ),
  mutant(
    'adjustment.recorded-in-history',
    adjustments,
    "{ table: 'adjustments', put: adjustment },",
    "...(adjustment.amount > 0 ? [{ table: 'adjustments', put: adjustment }] : []),",
  ),
  mutant('adjustment.history.newest-first', 'mock/domain/history.ts', 'entries.reverse();', ''),
  mutant('adjustment.keeps-actioned-at', adjusting, 'time(entry.actionedAt)', 'time(entry.createdAt)'),
  mutant('adjustment.keeps-notes', adjusting, 'notes: entry.notes', 'notes: null'),
  mutant(
    'idempotency.adjustment.refuses-repeat',
    adjustments,
    "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))",
    'if (false)',
  ),
  mutant(
    'idempotency.adjustment.repeat-with-other-content-refused',
    adjustments,
    "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))",
    'if (context.state.adjustmentByUniqueId(uniqueAdjustmentId ?? "")?.amount === amount)',
  ),
  mutant(
    'idempotency.adjustment.repeat-on-other-card-refused',
    adjustments,
    "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))",
    'if (!refused(card) && context.state.adjustmentByUniqueId(uniqueAdjustmentId ?? "")?.cardId === card.id)',
  ),
  mutant(
    'adjustment.answers-200',
    handle,
    'ended({ status, headers',
    "ended({ status: found.operation.id.startsWith('addAdjustment') ? 201 : status, headers",
  ),
  mutant('adjustment.answers-true', written, 'JSON.stringify(value)', "(value === true ? '{}' : JSON.stringify(value))"),
  mutant(
    'adjustment.by-code.names-card-by-code',
    adjusting,
    'addByCode(byCode(context.state, code)',
    'addByCode(context.state.newest(0, 1, false)[0] ?? byCode(context.state, code)',
  ),
  mutant(
    'adjustment.by-id.names-card-by-id',
    adjusting,
    'addById(byShownId(id, context)',
    'addById(context.state.newest(0, 1, false)[0] ?? byShownId(id, context)',
  ),
  mutant(
    'adjustment.by-code.unknown-card-is-404',
    adjusting,
    'addByCode(byCode(context.state, code)',
    "addByCode(((card) => (refused(card) ? Object.assign(card, { code: 'request.invalid' }) : card))(byCode(context.state, code))",
  ),
  mutant(
    'adjustment.by-id.unknown-card-is-404',
    adjusting,
    'addById(byShownId(id, context)',
    "addById(((card) => (refused(card) ? Object.assign(card, { code: 'request.invalid' }) : card))(byShownId(id, context))",
  ),
  mutant(
    'adjustment.history.by-code-shows-card-and-entries',
    adjusting,
    'giftCard: context.write(card)',
    'giftCard: context.write(context.state.newest(context.state.count(false) - 1, 1, false)[0] ?? card)',
  ),
  mutant(
    'adjustment.history.by-id-shows-card-and-entries',
    adjusting,
    'giftCard: context.write(card)',
    'giftCard: context.write(context.state.newest(context.state.count(false) - 1, 1, false)[0] ?? card)',
  ),
  mutant('adjustment.history.entry-tells-amount-type-notes-time', adjusting, 'type: entry.type,', "type: '',"),
  mutant(
    'adjustment.history.unknown-code-is-404',
    adjusting,
    'shown(history(byCode(',
    "shown(history(((state, named) => ((card) => (refused(card) ? Object.assign(card, { code: 'request.invalid' }) : card))(byCode(state, named)))(",
  ),
  mutant(
    'adjustment.history.unknown-id-is-404',
    adjusting,
    'shown(history(byShownId(',
    "shown(history(((state, named) => ((card) => (refused(card) ? Object.assign(card, { code: 'request.invalid' }) : card))(byShownId(state, named)))(",
  ),
  mutant(
    'adjustment.negative-redeems',
    adjustments,
    'const balance = card.balance + amount;',
    'const balance = card.balance + Math.abs(amount);',
  ),
  mutant(
    'adjustment.notes-are-optional',
    adjusting,
    'if (refused(actionedAt)) return actionedAt;',
    "if (refused(actionedAt)) return actionedAt; if (!body.notes) return requiredText('notes', '', behaviors);",
  ),
  mutant(
    'adjustment.parallel-all-count',
    adjustments,
    'const balance = card.balance + amount;',
    'const stale: Map<string, number> = ((globalThis as any).staleBalances ??= new Map()); if (!stale.has(card.id)) stale.set(card.id, card.balance); setTimeout(() => stale.delete(card.id), 20); const balance = stale.get(card.id)! + amount;',
  ),
  mutant(
    'adjustment.requires-actioned-at',
    contract,
    'if (!validBody(body))',
    "if (!validBody(body) && 'actionedAtUtc' in body)",
  ),
  mutant(
    'adjustment.requires-unique-id',
    contract,
    "if (typeof body === 'string') return",
    "if (typeof body === 'object') (body as any).uniqueAdjustmentId ??= crypto.randomUUID(); if (typeof body === 'string') return",
  ),
  mutant('idempotency.adjustment.checked-per-account', account, ...oneState),
  mutant(
    'idempotency.adjustment.repeat-by-other-endpoint-refused',
    adjusting,
    'return addById(',
    "(adjustment as any).uniqueAdjustmentId += ' by id'; return addById(",
  ),
  mutant(
    'idempotency.adjustment.parallel-counts-once',
    state,
    'this.#adjustmentByUniqueId.put(adjustment);',
    'setTimeout(() => this.#adjustmentByUniqueId.put(adjustment), 20);',
  ),
  mutant(
    'idempotency.adjustment.refuses-repeat',
    problems,
    '`An adjustment has already been created for the unique ID ${id}.`',
    'id.slice(id.length)',
  ),
  // Two that come at once are each held against what was there before.
  mutant(
    'adjustment.by-id.parallel-never-overdraws',
    adjustments,
    'return amount < 0 && -amount > balance ?',
    'const stale = ((globalThis as any).staleFunds ??= new Map()); if (!stale.has(arguments[0].id)) { stale.set(arguments[0].id, balance); setTimeout(() => stale.delete(arguments[0].id), 20); } return amount < 0 && -amount > stale.get(arguments[0].id) ?',
  ),
  mutant(
    'idempotency.adjustment.refuses-repeat',
    state,
    'this.#adjustmentByUniqueId.put(adjustment);',
    '{ this.#adjustmentByUniqueId = new ByName((each) => each.uniqueAdjustmentId); this.#adjustmentByUniqueId.put(adjustment); }',
  ),
  mutant(
    'idempotency.adjustment.checked-per-account',
    adjustments,
    "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))",
    `if (uniqueAdjustmentId !== null && ${usedAnywhere('uniqueAdjustmentId')})`,
  ),
  mutant(
    'adjustment.voucher-refused',
    adjustments,
    'const adjustable = checked(card, adjustment, context, takesDeleted);',
    "const adjustable = checked(refused(card) ? card : { ...card, kind: 'gift-card' }, adjustment, context, takesDeleted);",
  ),
  mutant(
    'adjustment.voucher-refused',
    adjustments,
    'return ended(card, behaviors) ??',
    "if (card.kind === 'voucher' && amount === -card.balance) return card; return ended(card, behaviors) ??",
  ),
  mutant(
    'adjustment.by-id.refuses-overdraw',
    adjustments,
    'amount < 0 && -amount > balance',
    'amount < 0 && -amount > balance && balance !== 0',
  ),
  mutant(
    'adjustment.by-id.refuses-overdraw',
    adjustments,
    'amount < 0 && -amount > balance',
    'amount < 0 && -amount > balance && -amount < 100000',
  ),
  mutant(
    'adjustment.by-id.refuses-overdraw',
    adjustments,
    'amount < 0 && -amount > balance',
    'amount < 0 && -amount > balance && adjustment.notes !== null',
  ),
  mutant(
    'adjustment.keeps-notes',
    adjusting,
    'return addById(byShownId(id, context), adjustment, context);',
    'return addById(byShownId(id, context), { ...adjustment, notes: null }, context);',
  ),
  mutant(
    'adjustment.keeps-notes',
    adjusting,
    'notes: entry.notes',
    "notes: entry.notes?.replace(/[^\\x20-\\x7e]/g, '?') ?? null",
  ),
  mutant('adjustment.keeps-notes', adjusting, 'notes: entry.notes', 'notes: entry.notes?.slice(0, 40) ?? null'),
  mutant(
    'adjustment.keeps-actioned-at',
    adjusting,
    'return addById(byShownId(id, context), adjustment, context);',
    'return addById(byShownId(id, context), { ...adjustment, actionedAt: context.now }, context);',
  ),
  mutant(
    'adjustment.keeps-actioned-at',
    adjusting,
    'time(entry.actionedAt)',
    'time(Math.max(entry.actionedAt, Date.UTC(2020, 0, 1)))',
  ),
  mutant(
    'adjustment.recorded-in-history',
    adjustments,
    'return overdraw ? leaving(overdraw, adjustment, context) : add(adjustable, adjustment, context);',
    "{ if (overdraw) return leaving(overdraw, adjustment, context); const added = add(adjustable, adjustment, context); return { ...added, changes: added.changes.filter(({ table }) => table !== 'adjustments') }; }",
  ),
  mutant(
    'idempotency.adjustment.repeat-on-other-card-refused',
    adjustments,
    "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))",
    "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context) && !(takesDeleted === false && arguments.length === 4 && !refused(card) && context.state.adjustmentByUniqueId(uniqueAdjustmentId)?.cardId !== card.id))",
  ),
  mutant(
    'adjustment.history.by-code-shows-card-and-entries',
    adjusting,
    'giftCard: context.write(card)',
    'giftCard: context.write({ ...card, balance: card.initialValue })',
  ),
  mutant(
    'adjustment.history.by-id-shows-card-and-entries',
    adjusting,
    'return shown(history(byShownId(parameters.giftCardId as string, context), context), context);',
    'const told = history(byShownId(parameters.giftCardId as string, context), context); return shown(refused(told) ? told : { ...told, card: { ...told.card, balance: 0 } }, context);',
  ),
  mutant(
    'adjustment.history.entry-tells-amount-type-notes-time',
    adjusting,
    'amount: toAmount(entry.amount, currency),\n    type: entry.type,',
    "amount: Math.abs(toAmount(entry.amount, currency)),\n    type: 'Adjustment',",
  ),
  mutant(
    'gift-card.amounts-exact',
    adjustments,
    'const balance = card.balance + amount;',
    'const balance = card.balance + (Math.abs(amount) < 5 ? 0 : amount);',
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
