import { standardDocument } from '../../../openapi/effective/behaviors.ts';
import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import type { OperationId } from '../../../openapi/generated/validators.js';
import { camelCase, cardNames, cardStatuses } from '../../core/spec-constants.ts';
import { spelledNamesIn } from '../../http/structure.ts';
import type { Docket } from '../finding.ts';
import { fieldsOf, type Read } from '../read.ts';
import { isUnread } from '../seen.ts';
import { ownerOf } from './owners.ts';

/** By operation, the clause that says that it answers; nothing is judged of what is shown nowhere. */
const answering: Readonly<Partial<Record<OperationId, ClauseName>>> = {
  createGiftCard: 'gift-card.create.answers-200',
  getGiftCardByCode: 'gift-card.get-by-code.returns-the-card',
  getGiftCardById: 'gift-card.get-by-id.returns-the-card',
  getGiftCardsByEmail: 'gift-card.get-by-email.finds-cards-sent-to-recipient',
  getGiftCardByAccountPlatformIdAndSourceId: 'gift-card.get-by-source.finds-channel-card',
  listGiftCards: 'list.wraps-cards-and-total',
  voidGiftCardByCode: 'gift-card.void.by-code-voids',
  voidGiftCardById: 'gift-card.void.by-id-voids',
  listAdjustmentsByGiftCardCode: 'adjustment.history.by-code-shows-card-and-entries',
  listAdjustmentsByGiftCardId: 'adjustment.history.by-id-shows-card-and-entries',
  addAdjustmentByGiftCardCode: 'adjustment.answers-200',
  addAdjustmentByGiftCardId: 'adjustment.answers-200',
  createAutomationTriggerEvent: 'automation.answers-cards-and-runs',
  getCompanyProfile: 'company.profile-answers',
  listWebhooks: 'webhook.list.of-account',
  createWebhook: 'webhook.create.answers-200',
  deleteWebhook: 'webhook.delete.removes',
};
const about200 = new Set<ClauseName>(['gift-card.create.answers-200', 'adjustment.answers-200', 'webhook.create.answers-200']);

/** Bodies that the specification does not show may be anything, or nothing. */
const shown = new Set<OperationId>([
  'createGiftCard',
  'getGiftCardByCode',
  'getGiftCardById',
  'listGiftCards',
  'listAdjustmentsByGiftCardCode',
  'listAdjustmentsByGiftCardId',
  'addAdjustmentByGiftCardCode',
  'addAdjustmentByGiftCardId',
  'getCompanyProfile',
  'listWebhooks',
]);

/** What is stated of the form of an answer; beside that, where the document has it otherwise, it is told as an answer to what is open. */
export function judgeAnswer(read: Read, docket: Docket): void {
  const { seen, operation, status, accepted } = read;
  const clause = answering[operation];
  if (clause === undefined || seen.nearly) return;
  judgeFault(read, docket);
  if (status >= 300 && status < 400) docket.open(undefined, `${seen.method} ${seen.path} answers ${status}.`, seen.n);
  if (!accepted) return;
  if (status !== 200) {
    docket.violates(clause, `${seen.method} ${seen.path} answers ${status} in place of 200.`, seen.n);
    return;
  }
  if (about200.has(clause)) docket.holds(clause);
  if (isUnread(seen.answer)) return;
  if (shown.has(operation)) {
    if (seen.answer.is !== 'json') {
      docket.violates(
        'http.json-bodies',
        `${seen.method} ${seen.path} answers with ${seen.answer.is === 'text' ? 'a text that is no JSON' : 'nothing'}.`,
        seen.n,
      );
      return;
    }
    docket.holds('http.json-bodies');
  }
  if (operation === 'createGiftCard' || operation === 'getGiftCardByCode' || operation === 'getGiftCardById')
    judgeCard(read, operation === 'createGiftCard' ? 'gift-card.create.returns-the-card' : clause, docket);
  else if (operation === 'listGiftCards') judgeList(read, docket);
  else if (operation.startsWith('addAdjustment')) {
    if (read.told === true) docket.holds('adjustment.answers-true');
    else docket.violates('adjustment.answers-true', 'An adjustment was answered with something else than true.', seen.n);
  }
  judgeOpen(read, docket);
}

function judgeCard({ seen, operation, told }: Read, clause: ClauseName, docket: Docket): void {
  const card = fieldsOf(told);
  if (!card) {
    docket.violates(clause, 'The answer is no JSON object, and so no card.', seen.n);
    return;
  }
  if (operation === 'createGiftCard') docket.holds(clause);
  const missing = cardNames.filter((name) => !(name in card));
  if (missing.length > 0) docket.violates('gift-card.response.has-named-fields', `A card has no ${missing.join(', ')}.`, seen.n);
  else docket.holds('gift-card.response.has-named-fields');
  if ('balance' in card && typeof card.balance !== 'number')
    docket.violates(
      'gift-card.response.has-named-fields',
      `The balance of a card is ${card.balance === null ? 'null' : `a ${typeof card.balance}`} and no number.`,
      seen.n,
    );
  if ('status' in card) {
    if (cardStatuses.includes(String(card.status))) docket.holds('gift-card.response.status-is-one-of-five');
    else docket.violates('gift-card.response.status-is-one-of-five', 'The status of a card is none of the five.', seen.n);
  }
  // What is called how within a field that is nobody's statement may be the client's own data.
  const others = spelledNamesIn(told).filter(
    (name) => name in card && !camelCase.test(name) && !/^(text-|[\d_$@]|[0-9a-f]{8}-)/.test(name),
  );
  if (others.length === 0) docket.holds('http.camel-case-names');
  else
    docket.violates('http.camel-case-names', `Names of a card are not in camelCase: ${others.slice(0, 5).join(', ')}.`, seen.n);
}

function judgeList({ seen, told }: Read, docket: Docket): void {
  const { giftCards, totalCount } = fieldsOf(told) ?? {};
  if (Array.isArray(giftCards) && typeof totalCount === 'number') docket.holds('list.wraps-cards-and-total');
  else
    docket.violates(
      'list.wraps-cards-and-total',
      'The list is no object with the array giftCards and the number totalCount.',
      seen.n,
    );
}

const robustness = new Map<string, ClauseName>(
  Object.entries(
    standardDocument['x-clauses'] as unknown as Readonly<Record<string, { readonly operations?: readonly string[] }>>,
  ).flatMap(([name, { operations = [] }]) =>
    name.startsWith('robustness.') ? operations.map((operation): [string, ClauseName] => [operation, name as ClauseName]) : [],
  ),
);

function judgeFault({ seen, operation, status }: Read, docket: Docket): void {
  const clause = robustness.get(operation);
  if (!clause || status === 0) return;
  if (status < 500) docket.holds(clause);
  else docket.violates(clause, `${seen.method} ${seen.path} answers ${status}.`, seen.n);
}

/** The document's schema, with what the facts say, is this project's choice where nothing is stated, so that what differs from it is told and no fault. */
function judgeOpen({ seen, operation, told, shape }: Read, docket: Docket): void {
  if (!shape || shape(told)) return;
  const [error] = shape.errors ?? [];
  if (!error) return;
  const { name, clause } = ownerOf(operation, error);
  docket.open(
    clause,
    `${seen.method} ${seen.path} answers in a form of its own${name === undefined ? '' : `: ${name} ${error.keyword === 'required' ? 'is not there' : (error.message ?? 'differs')}`}.`,
    seen.n,
  );
}
