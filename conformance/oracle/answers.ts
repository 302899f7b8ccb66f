import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { camelCase, cardNames, cardStatuses, clauseTexts } from '../core/contract.ts';
import { type Call, type Fields, fieldsOf, plainName } from './call.ts';
import type { Findings } from './findings.ts';

/** What the specification states about the answer of an operation. */
export interface AnswerForm {
  /** The clause that states the answer of a success. */
  readonly clause: ClauseName;
  /** The body of a success. `any`: the specification does not show it, and it may be empty. */
  readonly body: 'card' | 'list' | 'true' | 'json' | 'any';
}

/** Checks what does not depend on earlier exchanges: the key, required fields, and status and form of the answer. */
export function checkAlone(call: Call, form: AnswerForm | undefined, findings: Findings): void {
  const { operation, status, outcome, title } = call;
  checkKey(call, findings);
  checkRequired(call, findings);
  const robustness = robustnessClauses.get(operation);
  if (robustness) findings.check(status < 500, robustness, `${title} answers ${status}.`);
  if (!form || outcome !== 'accepted') return;
  if (status !== 200 || form.clause.endsWith('.answers-200'))
    findings.check(status === 200, form.clause, `${title} answers ${status} instead of 200.`);
  if (status === 200 && call.answerBody !== 'unread') checkForm(call, form, findings);
}

/** A request without a key gets 401. */
function checkKey({ key, hasOtherKey, status, outcome, title }: Call, findings: Findings): void {
  if (hasOtherKey) return;
  if (key !== undefined && outcome === 'accepted') findings.addHeld('authentication.key-is-in-header');
  else if (key === undefined && (status === 401 || outcome === 'accepted'))
    findings.check(status === 401, 'authentication.missing-key-is-401', `${title} without a key answers ${status}.`);
}

const isGifted = ({ sendAsGift, shouldSendNotification }: Fields) => sendAsGift === true && shouldSendNotification === true;

/** The start of the operation's name, the required field, its clause, and when it is required. */
const requirements: readonly [operation: string, field: string, clause: ClauseName, applies: (request: Fields) => boolean][] = [
  ['addAdjustment', 'actionedAtUtc', 'adjustment.requires-actioned-at', () => true],
  ['addAdjustment', 'uniqueAdjustmentId', 'adjustment.requires-unique-id', () => true],
  ['createGiftCard', 'recipientName', 'gift-card.create.gifted-needs-recipient-name', isGifted],
  ['createGiftCard', 'buyerName', 'gift-card.create.gifted-needs-buyer-name', isGifted],
];

/** The service rejects a request without a required field. */
function checkRequired({ operation, request, outcome, status, isAmbiguous }: Call, findings: Findings): void {
  if (!request || isAmbiguous) return;
  for (const [start, field, clause, applies] of requirements) {
    if (!operation.startsWith(start) || !applies(request) || hasField(request, field)) continue;
    // Another status may be for another reason.
    if (outcome === 'accepted' || status === 400)
      findings.check(status === 400, clause, `A request without ${field} was accepted.`);
  }
}

const hasField = (request: Fields, field: string): boolean =>
  (request[field] ?? undefined) !== undefined ||
  Object.keys(request).some((name) => name !== field && plainName(name) === plainName(field));

/** By operation, our expectation that it does not answer with 5xx. */
const robustnessClauses: ReadonlyMap<string, ClauseName> = new Map(
  [...clauseTexts].flatMap(([name, { operations = [] }]) =>
    name.startsWith('robustness.') ? operations.map((operation): [string, ClauseName] => [operation, name]) : [],
  ),
);

/** Checks the body of a success. */
function checkForm(call: Call, { clause, body }: AnswerForm, findings: Findings): void {
  const { operation, title, answer, answerBody } = call;
  if (body !== 'any') {
    const kind = answerBody === 'text' ? 'a text' : 'no body';
    findings.check(answerBody === 'json', 'http.json-bodies', `${title} answers with ${kind}.`);
    if (answerBody !== 'json') return;
  }
  const { giftCards, totalCount } = fieldsOf(answer) ?? {};
  const isList = Array.isArray(giftCards) && typeof totalCount === 'number';
  if (body === 'card') checkCard(call, clause, findings);
  if (body === 'list')
    findings.check(isList, clause, 'The list is not an object with the array giftCards and the number totalCount.');
  if (body === 'true') findings.check(answer === true, 'adjustment.answers-true', 'The answer to an adjustment is not true.');
  // The case of the names of cards in the answer to an event is ambiguous.
  if (operation !== 'createAutomationTriggerEvent') checkPropertyNames(call, findings);
}

function checkCard({ operation, answer }: Call, clause: ClauseName, findings: Findings): void {
  const card = fieldsOf(answer);
  const isCreate = operation === 'createGiftCard';
  if (isCreate || !card) {
    const due = isCreate ? 'gift-card.create.returns-the-card' : clause;
    findings.check(card !== undefined, due, 'The answer is not a JSON object, and so not a card.');
  }
  if (!card) return;
  const wrong = cardNames.filter((name) => !(name in card));
  const hasText = 'balance' in card && typeof card.balance !== 'number';
  const what = `A card does not have ${[...wrong, ...(hasText ? ['balance as a number'] : [])].join(', ')}.`;
  findings.check(wrong.length === 0 && !hasText, 'gift-card.response.has-named-fields', what);
  const isStatus = cardStatuses.includes(String(card.status));
  if ('status' in card)
    findings.check(isStatus, 'gift-card.response.status-is-one-of-five', 'The status of a card is not one of the five.');
}

/** Checks the names of an answer and of the records in its lists. Names inside of other values may be data of the client. */
function checkPropertyNames({ answer, title }: Call, findings: Findings): void {
  const lists = Array.isArray(answer) ? [answer] : Object.values(fieldsOf(answer) ?? {}).filter(Array.isArray);
  const records = [answer, ...lists.flat()].map((each) => fieldsOf(each) ?? {});
  const names = [...new Set(records.flatMap(Object.keys))].filter((name) => /^[A-Za-z]\w*$/.test(name));
  if (names.length === 0) return;
  const others = names.filter((name) => !camelCase.test(name));
  const what = `${title} answers with names that are not in camelCase: ${others.slice(0, 5).join(', ')}.`;
  findings.check(others.length === 0, 'http.camel-case-names', what);
}
