import { type Mutant, mutant } from './mutant.ts';

const adjustments = 'mock/domain/adjustments.ts';
const adjusting = 'mock/operations/adjustments.ts';
const asking = 'mock/operations/gift-cards.ts';
const cards = 'mock/domain/gift-cards.ts';
const finding = 'mock/domain/finding.ts';
const issue = 'mock/domain/issue.ts';
const written = 'mock/contract/render/written.ts';

const active = "status: 'Active',";
const byCode = 'const card = state.cardByCode(code);';
const foundByCode = 'return found(finding.seenByCode(parameters.code as string, context), context);';
const byId = 'return addById(byShownId(id, context), adjustment, context);';
const field1 = 'customField1: wanted.customField1 ?? null';
const sent = 'state.cardsByRecipient(emailAddress)';
const isSent = '.filter((card) => isSentTo(emailAddress, card, context));';
const kept = '...card, // gift-card.expiry';

/** What a service does wrong only with cards, codes, texts and amounts that are unlike most. */
export const unusualMutants: readonly Mutant[] = [
  mutant(
    'gift-card.create.active-when-empty-or-expired',
    issue,
    active,
    "status: wanted.initialValue === 0 ? 'Redeemed' : 'Active',",
  ),
  mutant(
    'gift-card.create.active-when-empty-or-expired',
    issue,
    active,
    "status: (wanted.expiresAt ?? Infinity) <= now ? 'Expired' : 'Active',",
  ),
  ...(['recipient', 'buyer'] as const).map((whose) =>
    mutant(
      `gift-card.create.gifted-needs-${whose}-name`,
      cards,
      'if (sendAsGift && (shouldSend',
      'if (sendAsGift && giftScheduledFor === null && (shouldSend',
    ),
  ),
  mutant(
    'gift-card.create.keeps-given-expiry',
    issue,
    'behaviors) : wanted.expiresAt,',
    'behaviors) : Math.min(wanted.expiresAt ?? Infinity, defaultExpiry(now, settings, behaviors) ?? Infinity),',
  ),
  mutant(
    'gift-card.response.status-is-one-of-five',
    written,
    'this.#form(shown), card.id)',
    'this.#form(shown), card.id).replace(/("balance":-.*"status":")(\\w+)"/, \'$1Overdrawn"\')',
  ),
  mutant('gift-card.get-by-code.matches-exactly', finding, byCode, 'const card = state.cardByCode(code.trimStart());'),
  mutant(
    'gift-card.get-by-code.matches-exactly',
    finding,
    byCode,
    "const card = state.cardByCode(code) ?? state.cardByCode(code.replaceAll('-', ''));",
  ),
  mutant('gift-card.custom-fields.unchanged-for-good', issue, field1, `${field1.slice(0, -8)}?.normalize('NFC') ?? null`),
  mutant(
    'gift-card.custom-fields.unchanged-for-good',
    issue,
    field1,
    `${field1.slice(0, -8)}?.replace(/[\\u{10000}-\\u{10FFFF}]/gu, '?') ?? null`,
  ),
  mutant(
    'gift-card.custom-fields.unchanged-for-good',
    issue,
    'customField2: wanted.customField2 ?? null',
    "customField2: wanted.customField2?.replace(/\\s*\\n\\s*/g, ' ') ?? null",
  ),
  mutant(
    'gift-card.custom-fields.unchanged-for-good',
    issue,
    'customField3: wanted.customField3 ?? null',
    'customField3: wanted.customField3?.slice(0, 50) ?? null',
  ),
  mutant('gift-card.custom-fields.unchanged-for-good', adjustments, kept, '...card, customField3: null, // gift-card.expiry'),
  mutant(
    'gift-card.custom-fields.unchanged-for-good',
    cards,
    "{ ...card, status: 'Voided', balance: 0",
    "{ ...card, customField1: null, status: 'Voided', balance: 0",
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    asking,
    'cards.map((card) => context.write(card))',
    'cards.slice(0, 1).map((card) => context.write(card))',
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    finding,
    sent,
    "state.cardsByRecipient(emailAddress.replaceAll('+', ' '))",
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    finding,
    `${sent}${isSent}`,
    '[...(state as any).cards()].filter((card) => card.recipientEmailAddress?.endsWith(emailAddress) && isSentTo(card.recipientEmailAddress, card, context));',
  ),
  mutant(
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    finding,
    isSent,
    ".filter((card) => card.status !== 'Voided' && isSentTo(emailAddress, card, context));",
  ),
  mutant('gift-card.amounts-large', issue, ' balance: wanted.initialValue,', ' balance: Math.min(wanted.initialValue, 100000),'),
  // As if a comma that parts the thousands were the one before the decimals.
  mutant(
    'gift-card.amounts-large',
    adjustments,
    'const amount = wanted.amount ?? 0;\n  const balance',
    'const given = wanted.amount ?? 0;\n  const amount = Math.abs(given) >= 100000 ? Math.trunc(given / 100) : given;\n  const balance',
  ),
  mutant(
    'gift-card.amounts-large',
    adjusting,
    byId,
    byId.replace(
      'adjustment,',
      '{ ...adjustment, amount: Math.abs(adjustment.amount ?? 0) < 1000 ? adjustment.amount : Math.round((adjustment.amount ?? 0) / 100) * 100 },',
    ),
  ),
  mutant(
    'gift-card.amounts-large',
    asking,
    foundByCode,
    'const seen = finding.seenByCode(parameters.code as string, context); return found(!refused(seen) && seen.balance > 100000 ? { ...seen, balance: Math.round(Math.fround(seen.balance / 100) * 100) } : seen, context);',
  ),
];
