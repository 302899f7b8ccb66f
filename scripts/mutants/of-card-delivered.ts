import { type Mutant, mutant } from './mutant.ts';

const issue = 'mock/domain/issue.ts';
const adjustments = 'mock/domain/adjustments.ts';

export const cardDeliveredMutants: readonly Mutant[] = [
  mutant(
    'gift-card.create.initial-value-is-balance',
    issue,
    ' initialValue: wanted.initialValue,',
    ' initialValue: wanted.initialValue * 2,',
  ),
  mutant('gift-card.create.keeps-given-expiry', issue, 'behaviors) : wanted.expiresAt,', 'behaviors) : null,'),
  mutant(
    'gift-card.create.stores-recipient',
    issue,
    'recipientName: wanted.recipientName ?? null,',
    'recipientName: wanted.buyerName ?? null,',
  ),
  mutant(
    'gift-card.create.stores-buyer',
    issue,
    'buyerEmailAddress: wanted.buyerEmailAddress ?? null,',
    'buyerEmailAddress: null,',
  ),
  mutant(
    'gift-card.create.stores-gift-message',
    issue,
    'giftMessage: wanted.giftMessage ?? null,',
    'giftMessage: wanted.giftMessage?.slice(0, 20) ?? null,',
  ),
  mutant(
    'gift-card.create.stores-gift-message',
    issue,
    'giftMessage: wanted.giftMessage ?? null,',
    "giftMessage: wanted.giftMessage?.replace(/\\r?\\n/g, ' ') ?? null,",
  ),
  mutant('gift-card.create.marks-promotional', issue, 'isPromotional: wanted.isPromotional ?? false,', 'isPromotional: false,'),
  mutant(
    'gift-card.expiry-and-recipient.fixed-after-create',
    adjustments,
    '...card, // gift-card.expiry-and',
    '...card, expiresAt: now + 1e10, // gift-card.expiry-and',
  ),
  mutant(
    'adjustment.delivers-no-update',
    adjustments,
    "suppressed('giftcard/updated', adjusted, 'adjustment.delivers-no-update', 'the adjustment came through the API'),",
    "{ kind: 'delivery', topic: 'giftcard/updated', card: adjusted },",
  ),
  mutant(
    'adjustment.delivers-no-update',
    adjustments,
    "suppressed('giftcard/updated', adjusted, 'adjustment.delivers-no-update', 'the adjustment came through the API'),",
    "...(adjusted.balance === 0 ? [{ kind: 'delivery' as const, topic: 'giftcard/updated' as const, card: adjusted }] : []),",
  ),
];
