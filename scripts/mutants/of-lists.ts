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
  mutant(
    'list.wraps-cards-and-total',
    written,
    'Object.entries(value)',
    "Object.entries(value).map(([key, inner]) => [key.replace('totalCount', 'total'), inner] as const)",
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
];
