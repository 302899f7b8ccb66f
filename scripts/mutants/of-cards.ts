import { type Mutant, mutant, oneState, usedAnywhere } from './mutant.ts';

const adjustments = 'mock/domain/adjustments.ts';
const expiry = 'mock/domain/expiry.ts';
const finding = 'mock/domain/finding.ts';
const cards = 'mock/domain/gift-cards.ts';
const state = 'mock/state/state.ts';
const written = 'mock/contract/render/written.ts';
const account = 'mock/account/account.ts';
const asking = 'mock/operations/gift-cards.ts';
const handle = 'mock/pipeline/handle.ts';
const issue = 'mock/domain/issue.ts';
const problems = 'mock/pipeline/problems.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
export const cardMutants: readonly Mutant[] = [
  mutant(
    'idempotency.create.refuses-repeat',
    cards,
    'uniqueId !== null && isUsed',
    'uniqueId !== null && code === null && isUsed',
  ),
  mutant('gift-card.create.refuses-taken-code', cards, 'if (code !== null && isTaken(code, context))', 'if (false)'),
  mutant(
    'gift-card.create.gifted-needs-recipient-name',
    cards,
    'if (isMissing(wanted.recipientName, behaviors))',
    'if (isMissing(wanted.recipientName, behaviors) && isMissing(wanted.buyerName, behaviors))',
  ),
  mutant(
    'gift-card.create.gifted-needs-buyer-name',
    cards,
    'if (isMissing(wanted.buyerName, behaviors))',
    'if (isMissing(wanted.recipientName, behaviors) && isMissing(wanted.buyerName, behaviors))',
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
  mutant('gift-card.create.default-expiry-applies', expiry, 'now + days * DAY,', 'now + days * 7 * DAY,'),
  mutant('gift-card.create.default-expiry-applies', expiry, 'if (days === null) return null;', 'if (days !== -1) return null;'),
  mutant(
    'gift-card.create.no-default-expiry-never-expires',
    expiry,
    'if (days === null) return null;',
    'if (days === null) return now + 1825 * DAY;',
  ),
  mutant(
    'gift-card.get-by-source.finds-channel-card',
    finding,
    'const card = state.cardBySource(accountPlatformId, sourceId);',
    "const card = state.cardBySource(accountPlatformId, sourceId) ?? state.cardByCode('ACTIVE-0001');",
  ),
  mutant(
    'gift-card.amounts-in-account-currency',
    written,
    'currency: card.currency,',
    "currency: card.balance === card.initialValue ? card.currency : 'GBP',",
  ),
  mutant(
    'gift-card.amounts-in-account-currency',
    'mock/operations/adjustments.ts',
    'amount: toAmount(entry.amount, currency)',
    "amount: toAmount(entry.amount, 'JPY')",
  ),
  // What is less than ten of the smallest unit gets lost.
  mutant(
    'gift-card.amounts-exact',
    adjustments,
    'const balance = card.balance + amount;',
    'const balance = card.balance + Math.trunc(amount / 10) * 10;',
  ),
  mutant(
    'gift-card.get-by-code.matches-exactly',
    finding,
    'const card = state.cardByCode(code);',
    "const card = state.cardByCode(code, 'any');",
  ),
  mutant(
    'gift-card.get-by-code.unknown-is-404',
    finding,
    "refuse('gift-card.not-found', `the code ${code}`)",
    "refuse('request.invalid', code)",
  ),
  mutant(
    'gift-card.get-by-id.unknown-is-404',
    finding,
    "'gift-card.id-malformed' : 'gift-card.not-found'",
    "'gift-card.id-malformed' : 'request.invalid'",
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
    "if (refused(card)) return card; if (card.balance < 0) return refuse('request.invalid', 'the balance is below zero');",
  ),
  mutant(
    'gift-card.void.is-final',
    adjustments,
    'return ended(card, behaviors) ??',
    "if (card.status === 'Voided') return { ...card, status: 'Active' }; return ended(card, behaviors) ??",
  ),
  mutant(
    'gift-card.create.answers-200',
    handle,
    'ended({ status, headers',
    "ended({ status: found.operation.id === 'createGiftCard' ? 201 : status, headers",
  ),
  mutant(
    'idempotency.create.original-stands',
    handle,
    'if (refused(outcome)) return no(leave(',
    "if (refused(outcome) && outcome.code === 'gift-card.unique-id-used') account.hold([{ table: 'cards', put: { ...account.state.cardByUniqueId(outcome.about)!, balance: 0 } }]); if (refused(outcome)) return no(leave(",
  ),
  mutant('gift-card.create.code-free-on-other-account', account, ...oneState),
  mutant('idempotency.create.checked-per-account', account, ...oneState),
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
    'reply: answered, changes,',
    'reply: { ...answered, id: context.newId() }, changes,',
  ),
  mutant(
    'gift-card.create.takes-notes',
    cards,
    'if (giftScheduledFor !== null) {',
    "if (wanted.notes !== null) return refuse('request.invalid'); if (giftScheduledFor !== null) {",
  ),
  mutant(
    'gift-card.get-by-code.returns-the-card',
    asking,
    'return found(finding.seenByCode(',
    'return found(context.state.newest(0, 1, false)[0] ?? finding.seenByCode(',
  ),
  mutant(
    'gift-card.get-by-id.returns-the-card',
    asking,
    'return found(finding.seenById(',
    'return found(context.state.newest(0, 1, false)[0] ?? finding.seenById(',
  ),
  mutant(
    'gift-card.response.has-named-fields',
    written,
    'this.#form(shown), card.id)',
    'this.#form(shown), card.id).replace(/,"googleWalletUrl":"[^"]*"/, "")',
  ),
  mutant(
    'gift-card.response.status-is-one-of-five',
    written,
    'this.#form(shown), card.id)',
    'this.#form(shown), card.id).replace(\'"status":"Redeemed"\', \'"status":"Spent"\')',
  ),
  mutant(
    'gift-card.void.by-id-voids',
    asking,
    'cards.makeVoid(finding.byShownId(',
    'cards.makeVoid(context.state.newest(0, 1, false)[0] ?? finding.byShownId(',
  ),
  mutant(
    'gift-card.void.unknown-code-is-404',
    asking,
    'cards.makeVoid(finding.byCode(',
    'cards.makeVoid(refused(finding.byCode(context.state, parameters.code as string)) ? context.state.newest(0, 1, false)[0]! : finding.byCode(',
  ),
  mutant(
    'gift-card.void.unknown-id-is-404',
    asking,
    'cards.makeVoid(finding.byShownId(',
    'cards.makeVoid(refused(finding.byShownId(parameters.id as string, context)) ? context.state.newest(0, 1, false)[0]! : finding.byShownId(',
  ),
  mutant(
    'gift-card.void.any-state',
    cards,
    'if (refused(card)) return card;',
    "if (refused(card)) return card; if (card.status === 'Scheduled') return refuse('request.invalid');",
  ),
  mutant(
    'idempotency.create.parallel-makes-one',
    state,
    'this.#byUniqueId.put(holding);',
    'setTimeout(() => this.#byUniqueId.put(holding!), 20);',
  ),
  mutant(
    'idempotency.create.unique-id-optional',
    asking,
    'uniqueId: named(body.uniqueId, behaviors),',
    "uniqueId: named(body.uniqueId, behaviors) ?? 'none',",
  ),
  mutant(
    'idempotency.create.refuses-repeat',
    problems,
    '`A gift card has already been created for the unique ID ${id}.`',
    'id.slice(id.length)',
  ),
  mutant(
    'idempotency.create.refuses-repeat',
    state,
    'this.#byUniqueId.put(holding);',
    '{ this.#byUniqueId = new ByName(({ card }) => card.uniqueId); this.#byUniqueId.put(holding); }',
  ),
  mutant(
    'idempotency.create.checked-per-account',
    cards,
    "uniqueId !== null && isUsed(uniqueId, 'card', context) ?",
    `uniqueId !== null && ${usedAnywhere('uniqueId')} ?`,
  ),
  mutant(
    'gift-card.create.code-free-on-other-account',
    cards,
    'if (code !== null && isTaken(code, context))',
    `if (code !== null && ${usedAnywhere('code')})`,
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
