import { type Mutant, mutant } from './mutant.ts';

const body = 'mock/contract/parse/body.ts';
const company = 'mock/operations/company.ts';
const contract = 'mock/contract/contract.ts';
const paths = 'mock/contract/paths.ts';
const handle = 'mock/pipeline/handle.ts';
const limits = 'mock/pipeline/rate-limit.ts';
const order = 'mock/pipeline/precedence.ts';

const answered = 'return ended({ status, headers, body, bytes }, undefined, cause);';
const target = 'const pathname = mark < 0 ? target : target.slice(0, mark);';
const asked = '(mark < 0 ? target : target.slice(0, mark))';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
/** Breaks of what holds for every exchange, of refusals, of the business profile and of the rate. */
export const askMutants: readonly Mutant[] = [
  mutant(
    'http.json-bodies',
    handle,
    answered,
    "return ended({ status, headers, body: id === 'listGiftCards' ? `<cards>${body}</cards>` : body }, undefined, cause);",
  ),
  mutant(
    'http.json-bodies',
    handle,
    answered,
    "return ended({ status, headers, body: id === 'getCompanyProfile' ? 'currency=USD' : body }, undefined, cause);",
  ),
  mutant(
    'http.camel-case-names',
    handle,
    answered,
    'return ended({ status, headers, body: String(body).replaceAll(\'"viewBalanceUrl"\', \'"view_balance_url"\') }, undefined, cause);',
  ),
  mutant(
    'http.camel-case-names',
    handle,
    answered,
    'return ended({ status, headers, body: String(body).replace(\'"totalCount"\', \'"TotalCount"\') }, undefined, cause);',
  ),
  mutant('http.paths-under-api', paths, target, `const pathname = ${asked}.replace(/^\\/(?!api\\/)/, '/api/');`),
  mutant('http.paths-carry-no-version', paths, target, `const pathname = ${asked}.replace('/api/v1/', '/api/');`),
  mutant('http.paths-carry-no-version', paths, target, `const pathname = ${asked}.replace(/^\\/v\\d+/, '');`),
  mutant('errors.malformed-input-is-no-server-fault', body, "return 'it is not JSON';", "throw new Error('it is not JSON');"),
  mutant(
    'errors.malformed-input-is-no-server-fault',
    contract,
    "return invalid(complaints(validParameters, 'the request'), asking);",
    "throw new Error('no such parameters');",
  ),
  mutant(
    'errors.refusal-changes-nothing',
    'mock/domain/adjustments.ts',
    "return refuse('adjustment.unique-id-used', uniqueAdjustmentId);",
    "return refuse('adjustment.unique-id-used', uniqueAdjustmentId, refused(card) ? [] : [{ table: 'cards', put: { ...card, notes: 'again' } }]);",
  ),
  mutant(
    'errors.refusal-changes-nothing',
    'mock/domain/gift-cards.ts',
    "return refuse('gift-card.code-taken', code);",
    "return refuse('gift-card.code-taken', code, [{ table: 'cards', put: { ...context.state.cardByCode(code, 'exact'), customField1: 'taken' } }]);",
  ),
  mutant('company.profile-answers', company, ': settings.timeZone;', ": '';"),
  mutant('company.profile-currency-is-of-cards', company, ': settings.currency;', ": 'EUR';"),
  // Right for the first account, and for no other.
  mutant('company.profile-currency-is-of-cards', company, ': settings.currency;', ": 'USD';"),
  mutant(
    'limits.rate-admits',
    limits,
    'this.limit = limit ?? Number.POSITIVE_INFINITY;',
    'limit = limit === null ? null : 199; this.limit = limit ?? Number.POSITIVE_INFINITY;',
  ),
  mutant('limits.rate-refuses-excess', limits, 'return this.#moments.length === this.limit &&', 'return false &&'),
  mutant(
    'limits.rate-refuses-excess',
    limits,
    'this.limit = limit ?? Number.POSITIVE_INFINITY;',
    'limit = limit === null ? null : 201; this.limit = limit ?? Number.POSITIVE_INFINITY;',
  ),
  mutant(
    'limits.rate-covers-every-endpoint',
    order,
    "if (!holder && behaviors['limits.keyless-requests-count'] === 'no') return undefined;",
    "if (!holder || asked.request.method === 'DELETE') return undefined;",
  ),
  mutant(
    'limits.rate-covers-every-endpoint',
    order,
    "if (!holder && behaviors['limits.keyless-requests-count'] === 'no') return undefined;",
    "if (!holder || asked.request.target === '/api/GiftCard/Create') return undefined;",
  ),
  mutant('limits.rate-recovers', limits, 'const MINUTE = 60_000;', 'const MINUTE = 90_000;'),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
