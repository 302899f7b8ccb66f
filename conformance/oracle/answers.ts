import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { camelCase, cardNames, cardStatuses, clauseTexts } from '../core/contract.ts';
import { type Call, type Fields, fieldsOf, plainName } from './call.ts';
import type { Findings } from './findings.ts';

export interface AnswerForm {
  /** The clause about the answer to a successful call. */
  readonly clause: ClauseName;
  /** The body of the answer to a successful call. `any`: the specification does not show the body, so the body may be empty. */
  readonly body: 'card' | 'list' | 'true' | 'json' | 'any';
}

/** Checks a call on its own, without earlier exchanges: the key, the required fields, and the status and form of the answer. */
export function checkAlone(call: Call, form: AnswerForm | undefined, findings: Findings): void {
  const { operation, status, outcome, title } = call;
  checkKey(call, findings);
  checkRequired(call, findings);
  const robustness = robustnessClause(operation);
  if (robustness) findings.check(status < 500, robustness, `${title} answers ${status}.`);
  if (!form || outcome !== 'accepted') return;
  if (status !== 200 || form.clause.endsWith('.answers-200'))
    findings.check(status === 200, form.clause, `${title} answers ${status} instead of 200.`);
  if (status === 200 && call.answerBody !== 'unread') checkForm(call, form, findings);
}

function checkKey({ key, hasOtherKey, status, outcome, title }: Call, findings: Findings): void {
  if (hasOtherKey) return;
  if (key !== undefined && outcome === 'accepted') findings.addHeld('authentication.key-is-in-header');
  else if (key === undefined && (status === 401 || outcome === 'accepted'))
    findings.check(status === 401, 'authentication.missing-key-is-401', `${title} answers ${status} to a request without a key.`);
}

const isGifted = ({ sendAsGift, shouldSendNotification }: Fields) => sendAsGift === true && shouldSendNotification === true;

type Requirement = readonly [operation: string, field: string, clause: ClauseName, applies: (request: Fields) => boolean];

const requirements: readonly Requirement[] = [
  ['addAdjustment', 'actionedAtUtc', 'adjustment.requires-actioned-at', () => true],
  ['addAdjustment', 'uniqueAdjustmentId', 'adjustment.requires-unique-id', () => true],
  ['createGiftCard', 'recipientName', 'gift-card.create.gifted-needs-recipient-name', isGifted],
  ['createGiftCard', 'buyerName', 'gift-card.create.gifted-needs-buyer-name', isGifted],
];

function checkRequired({ operation, request, outcome, status, isAmbiguous }: Call, findings: Findings): void {
  if (!request || isAmbiguous) return;
  for (const [name, field, clause, applies] of requirements) {
    if (!operation.startsWith(name) || !applies(request) || hasField(request, field)) continue;
    // With another status, the service may refuse the request for another reason.
    if (outcome === 'accepted' || status === 400)
      findings.check(status === 400, clause, `The service accepts a request without ${field}.`);
  }
}

const hasField = (request: Fields, field: string): boolean =>
  (request[field] ?? undefined) !== undefined ||
  Object.keys(request).some((name) => name !== field && plainName(name) === plainName(field));

/** Returns the clause which states that the operation does not answer with 5xx. */
const robustnessClause = (operation: string): ClauseName | undefined =>
  robustnessClauses.find((name) => clauseTexts.get(name)?.operations?.includes(operation));
const robustnessClauses = [...clauseTexts.keys()].filter((name) => name.startsWith('robustness.'));

function checkForm(call: Call, { clause, body }: AnswerForm, findings: Findings): void {
  const { operation, title, answer, answerBody } = call;
  if (body !== 'any') {
    const kind = answerBody === 'text' ? 'a text' : 'an empty body';
    findings.check(answerBody === 'json', 'http.json-bodies', `${title} answers with ${kind} instead of JSON.`);
    if (answerBody !== 'json') return;
  }
  const { giftCards, totalCount } = fieldsOf(answer) ?? {};
  const isList = Array.isArray(giftCards) && typeof totalCount === 'number';
  if (body === 'card') checkCard(call, clause, findings);
  if (body === 'list') findings.check(isList, clause, 'The answer does not have the array giftCards and the number totalCount.');
  const otherThanTrue = 'The answer to an adjustment is not the JSON value true.';
  if (body === 'true') findings.check(answer === true, 'adjustment.answers-true', otherThanTrue);
  // The specification is ambiguous about the letter case of names in the answer to an event.
  if (operation !== 'createAutomationTriggerEvent') checkPropertyNames(call, findings);
}

function checkCard({ operation, title, answer }: Call, clause: ClauseName, findings: Findings): void {
  const card = fieldsOf(answer);
  const isCreate = operation === 'createGiftCard';
  if (isCreate || !card) {
    const due = isCreate ? 'gift-card.create.returns-the-card' : clause;
    findings.check(card !== undefined, due, `${title} does not answer with a card; the body is not a JSON object.`);
  }
  if (!card) return;
  const missing = cardNames.filter((name) => !(name in card));
  const isNumber = typeof card.balance === 'number';
  const what = missing.length > 0 ? `A card does not have ${missing.join(', ')}.` : 'The balance of a card is not a number.';
  findings.check(missing.length === 0 && isNumber, 'gift-card.response.has-named-fields', what);
  if (!('status' in card)) return;
  const other = `The status of a card is not one of ${cardStatuses.join(', ')}.`;
  findings.check(cardStatuses.includes(String(card.status)), 'gift-card.response.status-is-one-of-five', other);
}

/** Checks the names of an answer and of the records in its lists. Names deeper in an answer may be data of the client. */
function checkPropertyNames({ answer, title }: Call, findings: Findings): void {
  const lists = Array.isArray(answer) ? [answer] : Object.values(fieldsOf(answer) ?? {}).filter(Array.isArray);
  const records = [answer, ...lists.flat()].map((each) => fieldsOf(each) ?? {});
  const names = [...new Set(records.flatMap(Object.keys))].filter((name) => /^[A-Za-z]\w*$/.test(name));
  if (names.length === 0) return;
  const others = names.filter((name) => !camelCase.test(name));
  const what = `${title} answers with names that are not in camelCase: ${others.slice(0, 5).join(', ')}.`;
  findings.check(others.length === 0, 'http.camel-case-names', what);
}
