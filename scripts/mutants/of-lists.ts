import { type Mutant, mutant } from './mutant.ts';

const list = 'mock/domain/list.ts';
const state = 'mock/state/state.ts';
const written = 'mock/contract/render/written.ts';
const contract = 'mock/contract/contract.ts';
const adjustments = 'mock/domain/adjustments.ts';
const cards = 'mock/domain/gift-cards.ts';

export const listMutants: readonly Mutant[] = [
  mutant(
    'list.page-number-from-zero',
    list,
    'const first = page.pageNumber * page.pageSize;',
    'const first = Math.max(0, page.pageNumber - 1) * page.pageSize;',
  ),
  mutant('list.page-size-limits', list, 'listed.part(first, page.pageSize)', 'listed.part(first, page.pageSize + 1)'),
  mutant('list.since-is-strictly-after', 'mock/state/by-issue.ts', 'as T) > moment', 'as T) >= moment'),
  mutant(
    'list.since-goes-by-issue',
    list,
    'state.issuedAfter(since, withDeleted)',
    'state.issuedAfter(0, withDeleted).filter((card) => card.updatedAt > since)',
  ),
  mutant('list.hides-deleted-cards', list, '? all(state, page.includeAll,', '? all(state, true,'),
  mutant('list.include-all-adds-deleted', list, '? all(state, page.includeAll,', '? all(state, false,'),
  mutant(
    'list.last-updated-first',
    state,
    'this.#recency.touch(holding, card.deletedAt !== null);',
    'if (!before) this.#recency.touch(holding, card.deletedAt !== null);',
  ),
  mutant(
    'list.wraps-cards-and-total',
    written,
    'Object.entries(value)',
    "Object.entries(value).map(([key, inner]) => [key.replace('totalCount', 'total'), inner] as const)",
  ),
  mutant(
    'list.page-size-default',
    'mock/contract/parse/parameters.ts',
    '= parameter.schema.default;',
    "= name === 'pageSize' ? 20 : parameter.schema.default;",
  ),
  mutant(
    'list.page-size-maximum',
    contract,
    'if (!validParameters(values)) return',
    'if (!validParameters(values) && !(Number(values.pageSize) > 50)) return',
  ),
  mutant(
    'list.includes-voided',
    list,
    'listed.part(first, page.pageSize)',
    "listed.part(first, page.pageSize).filter(({ status }) => status !== 'Voided')",
  ),
  mutant(
    'list.includes-redeemed',
    list,
    'listed.part(first, page.pageSize)',
    "listed.part(first, page.pageSize).filter(({ status }) => status !== 'Redeemed')",
  ),
  mutant(
    'list.includes-expired',
    list,
    'listed.part(first, page.pageSize)',
    "listed.part(first, page.pageSize).filter(({ status }) => status !== 'Expired')",
  ),
  mutant(
    'list.page-number-from-zero',
    list,
    'const first = page.pageNumber * page.pageSize;',
    'const first = page.pageNumber * page.pageSize + (page.pageNumber > 1 ? 1 : 0);',
  ),
  mutant('list.page-number-from-zero', list, 'cards.slice(first, first + length)', 'cards.slice(0, length)'),
  mutant(
    'list.page-size-maximum',
    list,
    'const first = page.pageNumber * page.pageSize;',
    'if (page.includeAll) page = { ...page, pageSize: Math.max(page.pageSize, 60) }; const first = page.pageNumber * page.pageSize;',
  ),
  mutant(
    'list.page-size-maximum',
    list,
    'const first = page.pageNumber * page.pageSize;',
    'if (page.pageSize === 50 && page.pageNumber > 0) page = { ...page, pageSize: 49 }; const first = page.pageNumber * page.pageSize;',
  ),
  mutant('list.last-updated-first', cards, "{ table: 'cards', put: voided },", "{ table: 'cards', put: voided, quiet: true },"),
  mutant(
    'list.last-updated-first',
    adjustments,
    "{ table: 'cards', put: adjusted },",
    "{ table: 'cards', put: adjusted, ...(amount < 0 ? { quiet: true } : {}) } as Change,",
  ),
  mutant(
    'list.last-updated-first',
    state,
    'return this.#recency.newestOf(this.#byIssue.after(moment), includeDeleted).map(toCard);',
    'return this.#byIssue.after(moment).filter(({ card }) => includeDeleted || card.deletedAt === null).map(toCard).reverse();',
  ),
  mutant(
    'list.includes-voided',
    list,
    'const issued = state.issuedAfter(since, withDeleted);',
    "const issued = state.issuedAfter(since, withDeleted).filter(({ status }) => status !== 'Voided');",
  ),
  mutant(
    'list.include-all-adds-deleted',
    list,
    'issuedAfter(state, page.since, page.includeAll, behaviors)',
    'issuedAfter(state, page.since, false, behaviors)',
  ),
  mutant('list.since-goes-by-issue', list, 'page.since === null ?', 'page.since === null || page.since > Date.now() ?'),
  mutant('list.since-goes-by-issue', list, 'page.since === null ?', 'page.since === null || page.pageNumber > 0 ?'),
];
