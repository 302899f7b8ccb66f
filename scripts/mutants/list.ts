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
const account = 'mock/account.ts';
const adjusting = 'mock/operations/adjustments.ts';
const asking = 'mock/operations/gift-cards.ts';
const contract = 'mock/contract.ts';
const handle = 'mock/handle.ts';
const issue = 'mock/domain/issue.ts';
const problems = 'mock/problems.ts';

/** Accounts that share their records. */
const oneState: [find: string, replace: string] = [
  'readonly state = new State();',
  'static readonly all = new State(); readonly state = Account.all;',
];

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
  mutant('adjustment.keeps-actioned-at', adjusting, 'time(entry.actionedAt)', 'time(entry.createdAt)'),
  mutant('adjustment.keeps-notes', adjusting, 'notes: entry.notes', 'notes: null'),
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
    issue,
    "status: 'Active',",
    "status: wanted.giftScheduledFor ? 'Scheduled' : 'Active',",
  ),
  mutant(
    'gift-card.create.uses-account-currency',
    issue,
    'currency: settings.currency,',
    "currency: settings.currency === 'EUR' ? 'USD' : 'EUR',",
  ),
  mutant('gift-card.create.keeps-given-code', issue, 'code: wanted.code ?? context.newCode(),', 'code: context.newCode(),'),
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
  mutant('list.since-is-strictly-after', 'mock/by-issue.ts', 'as Issued).at > moment', 'as Issued).at >= moment'),
  mutant(
    'list.since-goes-by-issue',
    finding,
    'state.issuedAfter(page.since, page.includeAll)',
    'state.issuedAfter(0, page.includeAll).filter((card) => card.updatedAt > (page.since ?? 0))',
  ),
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
  mutant(
    'adjustment.answers-200',
    handle,
    'status: 200, headers: JSON_HEADERS',
    "status: found.operation.id.startsWith('addAdjustment') ? 201 : 200, headers: JSON_HEADERS",
  ),
  mutant(
    'gift-card.create.answers-200',
    handle,
    'status: 200, headers: JSON_HEADERS',
    "status: found.operation.id === 'createGiftCard' ? 201 : 200, headers: JSON_HEADERS",
  ),
  mutant('adjustment.answers-true', written, 'JSON.stringify(value)', "(value === true ? '{}' : JSON.stringify(value))"),
  mutant(
    'list.wraps-cards-and-total',
    written,
    'Object.entries(value)',
    "Object.entries(value).map(([key, inner]) => [key.replace('totalCount', 'total'), inner] as const)",
  ),
  mutant(
    'idempotency.create.original-stands',
    handle,
    'if (refused(outcome)) return no(outcome);',
    "if (refused(outcome) && outcome.code === 'gift-card.unique-id-used') account.commit([{ table: 'cards', put: { ...account.state.cardByUniqueId(outcome.about)!, balance: 0 } }]); if (refused(outcome)) return no(outcome);",
  ),
  mutant('errors.rejection-is-400-plain-text', handle, '`${mediaType}; charset=utf-8`', "'application/json'"),
  mutant(
    'adjustment.by-code.names-card-by-code',
    adjusting,
    'addByCode(byCode(context.state, code)',
    'addByCode(context.state.newest(0, false) ?? byCode(context.state, code)',
  ),
  mutant(
    'adjustment.by-id.names-card-by-id',
    adjusting,
    'addById(byId(context.state, id)',
    'addById(context.state.newest(0, false) ?? byId(context.state, id)',
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
    'addById(byId(context.state, id)',
    "addById(((card) => (refused(card) ? Object.assign(card, { code: 'request.invalid' }) : card))(byId(context.state, id))",
  ),
  mutant(
    'adjustment.history.by-code-shows-card-and-entries',
    adjusting,
    'giftCard: context.write(card)',
    'giftCard: context.write(context.state.newest(context.state.count(false) - 1, false) ?? card)',
  ),
  mutant(
    'adjustment.history.by-id-shows-card-and-entries',
    adjusting,
    'giftCard: context.write(card)',
    'giftCard: context.write(context.state.newest(context.state.count(false) - 1, false) ?? card)',
  ),
  mutant('adjustment.history.entry-tells-amount-type-notes-time', adjusting, 'type: entry.type,', "type: 'TopUp',"),
  mutant(
    'adjustment.history.unknown-code-is-404',
    adjusting,
    'shown(history(byCode(',
    "shown(history(((state, named) => ((card) => (refused(card) ? Object.assign(card, { code: 'request.invalid' }) : card))(byCode(state, named)))(",
  ),
  mutant(
    'adjustment.history.unknown-id-is-404',
    adjusting,
    'shown(history(byId(',
    "shown(history(((state, named) => ((card) => (refused(card) ? Object.assign(card, { code: 'request.invalid' }) : card))(byId(state, named)))(",
  ),
  mutant(
    'adjustment.negative-redeems',
    adjustments,
    'const balance = card.balance + wanted.amount;',
    'const balance = card.balance + Math.abs(wanted.amount);',
  ),
  mutant(
    'adjustment.notes-are-optional',
    adjusting,
    'if (refused(actionedAt)) return actionedAt;',
    "if (refused(actionedAt)) return actionedAt; if (!body.notes) return requiredText('notes', '');",
  ),
  mutant(
    'adjustment.parallel-all-count',
    adjustments,
    'const balance = card.balance + wanted.amount;',
    'const stale: Map<string, number> = ((globalThis as any).staleBalances ??= new Map()); if (!stale.has(card.id)) stale.set(card.id, card.balance); setTimeout(() => stale.delete(card.id), 20); const balance = stale.get(card.id)! + wanted.amount;',
  ),
  mutant(
    'adjustment.requires-actioned-at',
    contract,
    'return validBody(body) ?',
    "return validBody(body) || !('actionedAtUtc' in body) ?",
  ),
  mutant(
    'adjustment.requires-unique-id',
    contract,
    "if (typeof body === 'string') return",
    "if (typeof body === 'object') (body as any).uniqueAdjustmentId ??= crypto.randomUUID(); if (typeof body === 'string') return",
  ),
  mutant(
    'list.page-size-default',
    contract,
    '= parameter.schema.default;',
    "= parameter.name === 'pageSize' ? 20 : parameter.schema.default;",
  ),
  mutant(
    'list.page-size-maximum',
    contract,
    'if (!validParameters(values)) return',
    'if (!validParameters(values) && !(Number(values.pageSize) > 50)) return',
  ),
  mutant('list.includes-voided', finding, 'cards.push(card);', "if (card.status !== 'Voided') cards.push(card);"),
  mutant('list.includes-redeemed', finding, 'cards.push(card);', "if (card.status !== 'Redeemed') cards.push(card);"),
  mutant('list.includes-expired', finding, 'cards.push(card);', "if (card.status !== 'Expired') cards.push(card);"),
  mutant(
    'authentication.key-is-in-header',
    admit,
    "request.headers['x-api-key']",
    "request.headers['x-api-key'] ?? new URLSearchParams(request.target.split('?')[1]).get('x-api-key')",
  ),
  mutant('authentication.key-acts-on-its-own-account', account, ...oneState),
  mutant('authentication.foreign-record-is-404', account, ...oneState),
  mutant('authentication.lists-own-records-only', account, ...oneState),
  mutant('gift-card.create.code-free-on-other-account', account, ...oneState),
  mutant('idempotency.create.checked-per-account', account, ...oneState),
  mutant('idempotency.adjustment.checked-per-account', account, ...oneState),
  mutant(
    'gift-card.create.code-follows-account-format',
    issue,
    'code: wanted.code ?? context.newCode(),',
    'code: wanted.code ?? context.newCode().toLowerCase(),',
  ),
  mutant(
    'gift-card.create.generates-code',
    issue,
    'code: wanted.code ?? context.newCode(),',
    "code: wanted.code ?? 'ALWAYS-THIS',",
  ),
  mutant('gift-card.create.starts-with-given-balance', issue, ' balance: wanted.initialValue,', ' balance: 0,'),
  mutant(
    'gift-card.create.returns-the-card',
    cards,
    'reply: card, changes,',
    'reply: { ...card, id: context.newId() }, changes,',
  ),
  mutant(
    'gift-card.create.takes-notes',
    cards,
    'if (wanted.sendAsGift) {',
    "if (wanted.notes !== null) return refuse('request.invalid'); if (wanted.sendAsGift) {",
  ),
  mutant(
    'gift-card.get-by-code.returns-the-card',
    asking,
    'return found(finding.byCode(',
    'return found(context.state.newest(0, false) ?? finding.byCode(',
  ),
  mutant(
    'gift-card.get-by-id.returns-the-card',
    asking,
    'return found(finding.byId(',
    'return found(context.state.newest(0, false) ?? finding.byId(',
  ),
  mutant(
    'gift-card.response.has-named-fields',
    written,
    'JSON.stringify(view)',
    'JSON.stringify({ ...view, googleWalletUrl: undefined })',
  ),
  mutant(
    'gift-card.response.status-is-one-of-five',
    written,
    'JSON.stringify(view)',
    "JSON.stringify({ ...view, status: view.status === 'Redeemed' ? 'Spent' : view.status })",
  ),
  mutant(
    'gift-card.void.by-id-voids',
    asking,
    'cards.makeVoid(finding.byId(',
    'cards.makeVoid(context.state.newest(0, false) ?? finding.byId(',
  ),
  mutant(
    'gift-card.void.unknown-code-is-404',
    asking,
    'cards.makeVoid(finding.byCode(',
    'cards.makeVoid(refused(finding.byCode(context.state, parameters.code as string)) ? context.state.newest(0, false)! : finding.byCode(',
  ),
  mutant(
    'gift-card.void.unknown-id-is-404',
    asking,
    'cards.makeVoid(finding.byId(',
    'cards.makeVoid(refused(finding.byId(context.state, parameters.id as string)) ? context.state.newest(0, false)! : finding.byId(',
  ),
  mutant(
    'gift-card.void.any-state',
    cards,
    'if (refused(card)) return card;',
    "if (refused(card)) return card; if (card.status === 'Scheduled') return refuse('request.invalid');",
  ),
  mutant(
    'idempotency.adjustment.repeat-by-other-endpoint-refused',
    adjusting,
    'return addById(',
    "(adjustment as any).uniqueAdjustmentId += ' by id'; return addById(",
  ),
  mutant(
    'idempotency.adjustment.parallel-counts-once',
    state,
    'this.#adjustmentByUniqueId.set(adjustment.uniqueAdjustmentId, adjustment);',
    'setTimeout(() => this.#adjustmentByUniqueId.set(adjustment.uniqueAdjustmentId!, adjustment), 20);',
  ),
  mutant(
    'idempotency.create.parallel-makes-one',
    state,
    'this.#cardIdByUniqueId.set(card.uniqueId, card.id);',
    'setTimeout(() => this.#cardIdByUniqueId.set(card.uniqueId!, card.id), 20);',
  ),
  mutant(
    'idempotency.create.unique-id-optional',
    asking,
    'uniqueId: text(body.uniqueId),',
    "uniqueId: text(body.uniqueId) ?? 'none',",
  ),
  mutant(
    'idempotency.create.refuses-repeat',
    problems,
    '`A gift card has already been created for the unique ID ${id}.`',
    'id.slice(id.length)',
  ),
  mutant(
    'idempotency.adjustment.refuses-repeat',
    problems,
    '`An adjustment has already been created for the unique ID ${id}.`',
    'id.slice(id.length)',
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
