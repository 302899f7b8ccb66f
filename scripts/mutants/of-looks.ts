import { type Mutant, mutant } from './mutant.ts';

const adjustments = 'mock/domain/adjustments.ts';
const adjusting = 'mock/operations/adjustments.ts';
const asking = 'mock/operations/gift-cards.ts';
const cards = 'mock/domain/gift-cards.ts';

const byId = 'return found(finding.seenById(parameters.id as string, context), context);';
const byIdOfVoided = (shown: string) =>
  `const seen = finding.seenById(parameters.id as string, context); return found(!refused(seen) && seen.status === 'Voided' ? { ...seen, ${shown} } : seen, context);`;
const listed = 'isWhole ? context.write(card)';
const listedVoided = (shown: string) => `isWhole ? context.write(card.status === 'Voided' ? { ...card, ${shown} } : card)`;
const told = 'giftCard: context.write(card)';
const toldVoided = (shown: string) => `giftCard: context.write(card.status === 'Voided' ? { ...card, ${shown} } : card)`;

/** What is true of a card in one look at it only, and ways out of a state that has none. */
export const lookMutants: readonly Mutant[] = [
  ...(['by-code', 'by-id'] as const).flatMap((way) =>
    [
      [asking, byId, byIdOfVoided("status: 'Active'")],
      [asking, listed, listedVoided("status: 'Active'")],
      [adjusting, told, toldVoided("status: 'Active'")],
    ].map(([file = '', find = '', replace = '']) => mutant(`gift-card.void.${way}-voids`, file, find, replace)),
  ),
  mutant('gift-card.void.zeroes-balance', asking, byId, byIdOfVoided('balance: seen.initialValue')),
  mutant('gift-card.void.zeroes-balance', asking, listed, listedVoided('balance: card.initialValue')),
  mutant('gift-card.void.zeroes-balance', adjusting, told, toldVoided('balance: card.initialValue')),
  mutant(
    'gift-card.void.is-final',
    adjustments,
    'return ended(card, behaviors) ??',
    "if (card.status === 'Voided' && amount < 0) return { ...card, status: 'Active' }; return ended(card, behaviors) ??",
  ),
  ...(['code', 'id'] as const).map((by) =>
    mutant(
      'gift-card.void.is-final',
      cards,
      'return { reply: card, changes: [], effects: [effect] };',
      `return { reply: card, changes: by === '${by}' ? [{ table: 'cards', put: { ...card, status: 'Active' } }] : [], effects: [effect] };`,
    ),
  ),
  // By the moment of issue, the oldest first.
  mutant(
    'list.last-updated-first',
    'mock/state/state.ts',
    'return this.#recency.newestOf(this.#byIssue.after(moment), includeDeleted).map(toCard);',
    'return this.#byIssue.after(moment).filter(({ card }) => includeDeleted || card.deletedAt === null).map(toCard);',
  ),
  // A new card stands behind the one that was updated before it.
  mutant(
    'list.last-updated-first',
    'mock/state/state.ts',
    'else this.#recency.touch(holding, card.deletedAt !== null);',
    'else { this.#recency.touch(holding, card.deletedAt !== null); const [, top] = before ? [] : this.#recency.page(0, 2, true); if (top) this.#recency.touch(top, top.card.deletedAt !== null); }',
  ),
  mutant(
    'adjustment.history.by-code-shows-card-and-entries',
    adjusting,
    told,
    "giftCard: context.write({ ...card, id: '00000000-0000-4000-8000-000000000000' })",
  ),
  mutant(
    'adjustment.history.by-id-shows-card-and-entries',
    adjusting,
    told,
    "giftCard: context.write({ ...card, code: 'OTHER-0001' })",
  ),
];
