import { type Mutant, mutant } from './mutant.ts';

const adjustments = 'mock/domain/adjustments.ts';
const asking = 'mock/operations/gift-cards.ts';
const cards = 'mock/domain/gift-cards.ts';
const values = 'mock/domain/unique-values.ts';

const finding = 'mock/domain/finding.ts';
const list = 'mock/domain/list.ts';

const first = 'const first = page.pageNumber * page.pageSize;';
const byRecipient = 'state.cardsByRecipient(emailAddress).filter((card) => isSentTo(emailAddress, card, context))';
const ended = 'return ended({ status, headers, body, bytes }, undefined, cause);';
const refusal = 'return refused(adjustable) ? leaving(adjustable, adjustment, context) : add(adjustable, adjustment, context);';
const isRepeat = "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))";
const original = 'context.state.adjustmentByUniqueId(uniqueAdjustmentId)';
const onlyWhere = (condition: string) => isRepeat.replace(/\)$/, ` && ${condition})`);
const cardOfValue = 'const card = state.cardByUniqueId(value, letterCase);';
const voidById = "return shown(cards.makeVoid(finding.byShownId(parameters.id as string, context), context, 'id'), context);";
const voidAgain = "if (card.status === 'Voided') return voidAgain(card, context, by);";
const ofAdjustment = "if (kind === 'adjustment') return";

/** Breaks that show with some amounts, times, states and values only. */
export const narrowMutants: readonly Mutant[] = [
  // A redemption may be booked twice; a retry with another time; a refund with the value of a redemption.
  mutant('idempotency.adjustment.refuses-repeat', adjustments, isRepeat, onlyWhere(`(${original}?.amount ?? 0) >= 0`)),
  mutant(
    'idempotency.adjustment.repeat-with-other-content-refused',
    adjustments,
    isRepeat,
    onlyWhere(
      `((a: any, b: any) => a === undefined || b === undefined || Math.floor(a / 864e5) === Math.floor(b / 864e5))(${original}?.actionedAt, arguments[1].actionedAt)`,
    ),
  ),
  mutant(
    'idempotency.adjustment.repeat-with-other-content-refused',
    adjustments,
    isRepeat,
    onlyWhere(`!((amount ?? 0) > 0 && (${original}?.amount ?? 0) < 0)`),
  ),
  // Values are cut, so that two which begin alike count as one.
  mutant(
    'idempotency.adjustment.refuses-repeat',
    values,
    ofAdjustment,
    `if (kind === 'adjustment') { const cut = ((globalThis as any).cutValues ??= new Set()); const key = context.settings.currency + value.slice(0, 20); if (cut.has(key)) return true; cut.add(key); return false; } ${ofAdjustment}`,
  ),
  mutant(
    'idempotency.create.parallel-makes-one',
    values,
    cardOfValue,
    'const card = [...(state as any).cards()].find((each: any) => each.uniqueId?.slice(0, 20) === value.slice(0, 20));',
  ),
  // Amounts by the hundred, cut off instead of rounded.
  mutant(
    'gift-card.create.starts-with-given-balance',
    asking,
    "const balance = amount('balance', given,",
    "const balance = amount('balance', Math.floor(given * 100) / 100,",
  ),
  mutant(
    'automation.amount-overrides',
    'mock/operations/automation-events.ts',
    "amount('amount', body.amount, context.settings.currency)",
    "amount('amount', Math.floor(body.amount * 100) / 100, context.settings.currency)",
  ),
  mutant(
    'adjustment.by-code.may-go-negative',
    adjustments,
    'const balance = card.balance + amount;',
    'const balance = Math.max(card.balance + amount, -100);',
  ),
  // By ID, a card is not voided in every state.
  mutant(
    'gift-card.void.any-state',
    asking,
    voidById,
    `const wanted = finding.byShownId(parameters.id as string, context); if (!refused(wanted) && wanted.status === 'Redeemed') return refuse('request.invalid', 'nothing on it'); ${voidById}`,
  ),
  mutant(
    'gift-card.void.any-state',
    cards,
    voidAgain,
    `${voidAgain} if (by === 'id' && card.balance < 0) { const ended = voiding(card, { through: 'api', line: 'x' }, context); return { ...ended, changes: ended.changes.map((each: any) => each.table === 'cards' ? { ...each, put: { ...each.put, balance: card.balance } } : each) }; }`,
  ),
  // `since` in another time zone, or as a day.
  ...['page.since + 3_600_000', 'Math.floor(page.since / 86_400_000) * 86_400_000 + 86_400_000'].map((since) =>
    mutant('list.since-goes-by-issue', list, 'issuedAfter(state, page.since,', `issuedAfter(state, ${since},`),
  ),
  mutant(
    'list.last-updated-first',
    'mock/state/state.ts',
    'return this.#recency.page(position, length, includeDeleted).map(toCard);',
    'if (!includeDeleted) return this.#recency.page(position, length, false).map(toCard); const all = this.#recency.page(0, 1e9, true).map(toCard); return all.sort((one, other) => other.createdAt - one.createdAt).slice(position, position + length);',
  ),
  mutant('list.page-size-default', list, first, 'const first = page.pageNumber * (page.pageSize === 10 ? 50 : page.pageSize);'),
  mutant(
    'list.page-size-maximum',
    list,
    first,
    `if (page.pageSize > 25 && page.pageSize < 50) page = { ...page, pageSize: 25 }; ${first}`,
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    finding,
    byRecipient,
    `[...new Set([...${byRecipient}, ...[...(state as any).cards()].filter((each: any) => each.buyerEmailAddress === emailAddress)])]`,
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    finding,
    byRecipient,
    byRecipient.replace('.filter(', ".filter((card) => card.balance > 0 || card.status === 'Voided').filter("),
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    finding,
    byRecipient,
    "[...(state as any).cards()].filter((each: any) => each.recipientEmailAddress && new RegExp('^' + emailAddress.replaceAll('.', '[.]').replaceAll('+', '[+]').replaceAll('_', '.') + '$').test(each.recipientEmailAddress))",
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    asking,
    'cards.map((card) => context.write(card))',
    'cards.map((card) => context.write({ ...card, balance: card.initialValue }))',
  ),
  mutant(
    'gift-card.response.status-is-one-of-five',
    'mock/pipeline/handle.ts',
    ended,
    ended.replace(
      'body,',
      `body: id === 'listGiftCards' ? String(body).replaceAll('"status":"Active"', '"status":"active"') : body,`,
    ),
  ),
  ...(['includeAll', 'since !== null'] as const).map((asked, index) =>
    mutant(
      'authentication.lists-own-records-only',
      list,
      first,
      `const states = ((globalThis as any).listedStates${index} ??= new Set()); states.add(state); ${first} if (page.${asked}) { const others = [...states].filter((each) => each !== state).flatMap((each: any) => [...each.cards()]).filter(({ code }) => code.startsWith('GCS')); return { cards: [...others, ...listed.part(first, page.pageSize)].slice(0, page.pageSize), totalCount: listed.count }; }`,
    ),
  ),
  mutant(
    'gift-card.create.refuses-taken-code',
    cards,
    'if (!holder) return false;',
    'if (!holder || (arguments[1] as any).now - holder.createdAt < 20) return false;',
  ),
  ...[1, 2, 3].map((number) =>
    mutant(
      'gift-card.custom-fields.unchanged-for-good',
      'mock/domain/issue.ts',
      `customField${number}: wanted.customField${number} ?? null`,
      `customField${number}: wanted.customField${number}?.slice(0, ${number === 1 ? 50 : 100}) ?? null`,
    ),
  ),
  mutant(
    'http.camel-case-names',
    'mock/pipeline/handle.ts',
    ended,
    ended.replace('body,', `body: id === 'listWebhooks' ? String(body).replaceAll('"url"', '"Url"') : body,`),
  ),
  mutant(
    'errors.refusal-changes-nothing',
    adjustments,
    refusal,
    `if (refused(adjustable) && adjustable.code === 'adjustment.voucher') return refuse(adjustable.code, adjustable.about, record(card as any, adjustment, context).changes.filter((each: any) => each.table === 'adjustments') as any); ${refusal}`,
  ),
];
