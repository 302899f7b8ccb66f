import { Ajv2020 } from 'ajv/dist/2020.js';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { compilerOf, tablesOf } from '../../openapi/effective/definitions.ts';
import type { Reader } from '../../openapi/effective/reader.ts';
import { patchSchemas } from '../../openapi/effective/schemas.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { type OperationId, responses, type Validate } from '../../openapi/generated/validators.js';
import { camelCase, cardNames, cardStatuses, clauseTexts } from '../core/contract.ts';
import { type Call, fieldsOf } from './call.ts';
import type { Findings } from './findings.ts';

/** By operation, the clause that states the answer of its success. */
const clauses: Readonly<Partial<Record<OperationId, ClauseName>>> = {
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

/** The specification does not show the body of their answers, so that there may be none. */
const withoutBody = /^void|^deleteWebhook$|^createWebhook$|^getGiftCardsByEmail$|^getGiftCardByAccount|^createAutomation/;

/** By operation, our expectation that it does not answer with 5xx. */
const robustness = new Map<string, ClauseName>(
  [...clauseTexts].flatMap(([name, { operations = [] }]) =>
    name.startsWith('robustness.') ? operations.map((operation): [string, ClauseName] => [operation, name]) : [],
  ),
);

/** The form of an answer. Where nothing is stated, a difference from the contract is reported as open. */
export function checkAnswer(call: Call, reader: Reader, findings: Findings): void {
  const { span, operation, status, outcome, title, answerBody, answer } = call;
  const clause = clauses[operation];
  if (!clause) return;
  const noFault = robustness.get(operation);
  if (noFault && status >= 500) findings.violated(noFault, `${title} answers ${status}.`, span.n);
  else if (noFault) findings.holds(noFault);
  if (outcome !== 'accepted') return;
  if (status !== 200) {
    findings.violated(clause, `${title} answers ${status} instead of 200.`, span.n);
    return;
  }
  if (clause.endsWith('.answers-200')) findings.holds(clause);
  if (answerBody === 'unread') return;
  if (!withoutBody.test(operation)) {
    if (answerBody !== 'json') {
      findings.violated('http.json-bodies', `${title} answers with ${answerBody === 'text' ? 'a text' : 'no body'}.`, span.n);
      return;
    }
    findings.holds('http.json-bodies');
  }
  if (operation === 'createGiftCard') checkCard(call, 'gift-card.create.returns-the-card', findings);
  else if (/^getGiftCardBy(Code|Id)$/.test(operation)) checkCard(call, clause, findings);
  else if (operation === 'listGiftCards') {
    const { giftCards, totalCount } = fieldsOf(answer) ?? {};
    if (Array.isArray(giftCards) && typeof totalCount === 'number') findings.holds(clause);
    else findings.violated(clause, 'The list is not an object with the array giftCards and the number totalCount.', span.n);
  } else if (clause === 'adjustment.answers-200') {
    if (answer === true) findings.holds('adjustment.answers-true');
    else findings.violated('adjustment.answers-true', 'The answer to an adjustment is not true.', span.n);
  }
  checkNames(call, findings);
  checkSchema(call, reader, findings);
}

function checkCard({ span, operation, answer }: Call, clause: ClauseName, findings: Findings): void {
  const card = fieldsOf(answer);
  if (!card) {
    findings.violated(clause, 'The answer is not a JSON object, and so not a card.', span.n);
    return;
  }
  if (operation === 'createGiftCard') findings.holds(clause);
  const wrong = [
    ...cardNames.filter((name) => !(name in card)),
    ...('balance' in card && typeof card.balance !== 'number' ? ['balance as a number'] : []),
  ];
  if (wrong.length === 0) findings.holds('gift-card.response.has-named-fields');
  else findings.violated('gift-card.response.has-named-fields', `A card does not have ${wrong.join(', ')}.`, span.n);
  if (!('status' in card)) return;
  if (cardStatuses.includes(String(card.status))) findings.holds('gift-card.response.status-is-one-of-five');
  else findings.violated('gift-card.response.status-is-one-of-five', 'The status of a card is not one of the five.', span.n);
}

/** Ends with a usual word: other names in the answer to an event may be those of automations. */
const camelCaseWord = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*(Id|Name|Url|Utc|Cards?|Code|Key|Status|Balance|Address)$/;

/** Names of an answer and of the records in its lists; names inside of other values may be data of the client. */
function checkNames({ span, operation, answer, title }: Call, findings: Findings): void {
  const isEvent = operation === 'createAutomationTriggerEvent';
  const lists = Array.isArray(answer) ? [answer] : Object.values(fieldsOf(answer) ?? {}).filter(Array.isArray);
  // In which case the cards in the answer to an event are written is ambiguous.
  const records = [fieldsOf(answer), ...lists.flat().map(fieldsOf)].filter((each) => each && !(isEvent && 'balance' in each));
  const names = [...new Set(records.flatMap((each) => Object.keys(each ?? {})))].filter((name) => /^[A-Za-z]\w*$/.test(name));
  const others = names.filter((name) => (isEvent ? camelCaseWord.test(name) : !camelCase.test(name)));
  const clause = isEvent ? 'automation.uses-snake-case' : 'http.camel-case-names';
  if (others.length > 0)
    findings.violated(
      clause,
      `${title} answers with names that are not in ${isEvent ? 'snake_case' : 'camelCase'}: ${others.slice(0, 5).join(', ')}.`,
      span.n,
    );
  else if (names.length > 0) findings.holds(clause);
}

function checkSchema({ span, operation, answer, title }: Call, reader: Reader, findings: Findings): void {
  const validate = validatorsOf(reader)(operation);
  if (!validate || validate(answer)) return;
  const [error] = validate.errors ?? [];
  // Names in the path may be data of the client.
  const place = error?.instancePath.split('/').findLast((step) => /^[a-z]/i.test(step)) ?? 'the body';
  findings.open(`${title} answers in another form than the contract: ${place} ${error?.message ?? ''}.`, span.n);
}

type ValidatorOf = (operation: OperationId) => Validate | undefined;
const validators = new WeakMap<Reader, ValidatorOf>();

/** Validators of answers as the reader returns them: under the contract's names, with the types of the variant. */
function validatorsOf(reader: Reader): ValidatorOf {
  const known = validators.get(reader) ?? makeValidators(reader);
  validators.set(reader, known);
  return known;
}

function makeValidators({ plan }: Reader): ValidatorOf {
  // An override of the whole body is in the place of the contract's schema.
  const isReplaced = (operation: OperationId) => plan.answers.get(operation)?.body !== undefined;
  if (plan.patches.size + plan.needed.size === 0)
    return (operation) => (isReplaced(operation) ? undefined : responses[operation]);
  const { 'x-clauses': _, ...wire } = standardDocument;
  const document = structuredClone(wire);
  patchSchemas(document, plan);
  const { responses: answers, schemas } = tablesOf(document);
  const compiled = compilerOf({ responses: answers, schemas }, Ajv2020, false);
  return (operation) =>
    isReplaced(operation) || answers[operation] === undefined ? undefined : compiled('responses', operation);
}
