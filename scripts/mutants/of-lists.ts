import { type Mutant, mutant } from './mutant.ts';

const finding = 'mock/domain/finding.ts';
const state = 'mock/state.ts';
const written = 'mock/written.ts';
const contract = 'mock/contract.ts';

export const listMutants: readonly Mutant[] = [
  mutant(
    'list.page-number-from-zero',
    finding,
    'const first = page.pageNumber * page.pageSize;',
    'const first = Math.max(0, page.pageNumber - 1) * page.pageSize;',
  ),
  mutant(
    'list.page-size-limits',
    finding,
    'state.newest(first, page.pageSize, page.includeAll)',
    'state.newest(first, page.pageSize + 1, page.includeAll)',
  ),
  mutant('list.since-is-strictly-after', 'mock/by-issue.ts', 'as Issued<T>).at > moment', 'as Issued<T>).at >= moment'),
  mutant(
    'list.since-goes-by-issue',
    finding,
    'state.issuedAfter(page.since, page.includeAll)',
    'state.issuedAfter(0, page.includeAll).filter((card) => card.updatedAt > (page.since ?? 0))',
  ),
  mutant('list.hides-deleted-cards', finding, 'page.pageSize, page.includeAll)', 'page.pageSize, true)'),
  mutant('list.include-all-adds-deleted', finding, 'page.pageSize, page.includeAll)', 'page.pageSize, false)'),
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
    'mock/asking/parameters.ts',
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
    finding,
    'page.pageSize, page.includeAll)',
    "page.pageSize, page.includeAll).filter(({ status }) => status !== 'Voided')",
  ),
  mutant(
    'list.includes-redeemed',
    finding,
    'page.pageSize, page.includeAll)',
    "page.pageSize, page.includeAll).filter(({ status }) => status !== 'Redeemed')",
  ),
  mutant(
    'list.includes-expired',
    finding,
    'page.pageSize, page.includeAll)',
    "page.pageSize, page.includeAll).filter(({ status }) => status !== 'Expired')",
  ),
];
