import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { camelCase, cardNames, cardStatuses } from '../core/contract.ts';
import { type Call, fieldsOf } from './call.ts';
import { expectations, robustnessClauses } from './expectations.ts';
import type { Findings } from './findings.ts';

/** A request without a key gets 401. */
export function checkKey({ span, key, hasOtherKey, status, outcome, title }: Call, findings: Findings): void {
  if (hasOtherKey) return;
  const clause = 'authentication.missing-key-is-401';
  if (key !== undefined && outcome === 'accepted') findings.addHeld('authentication.key-is-in-header');
  else if (key === undefined && (status === 401 || outcome === 'accepted'))
    findings.check(status === 401, clause, `${title} without a key answers ${status}.`, span.n);
}

/** Checks status and form of an answer. */
export function checkAnswer(call: Call, findings: Findings): void {
  const { span, operation, status, outcome, title, answerBody } = call;
  const expectation = expectations[operation];
  if (!expectation) return;
  const { clause, body } = expectation;
  const robustness = robustnessClauses.get(operation);
  if (robustness) findings.check(status < 500, robustness, `${title} answers ${status}.`, span.n);
  if (outcome !== 'accepted') return;
  if (status !== 200) {
    findings.addViolation(clause, `${title} answers ${status} instead of 200.`, span.n);
    return;
  }
  if (clause.endsWith('.answers-200')) findings.addHeld(clause);
  if (answerBody === 'unread') return;
  if (body !== 'any') {
    const kind = answerBody === 'text' ? 'a text' : 'no body';
    findings.check(answerBody === 'json', 'http.json-bodies', `${title} answers with ${kind}.`, span.n);
    if (answerBody !== 'json') return;
  }
  if (body === 'card') checkCard(call, clause, findings);
  if (body === 'list') checkListForm(call, clause, findings);
  if (body === 'true')
    findings.check(call.answer === true, 'adjustment.answers-true', 'The answer to an adjustment is not true.', span.n);
  checkPropertyNames(call, findings);
}

function checkListForm({ span, answer }: Call, clause: ClauseName, findings: Findings): void {
  const { giftCards, totalCount } = fieldsOf(answer) ?? {};
  findings.check(
    Array.isArray(giftCards) && typeof totalCount === 'number',
    clause,
    'The list is not an object with the array giftCards and the number totalCount.',
    span.n,
  );
}

function checkCard({ span, operation, answer }: Call, clause: ClauseName, findings: Findings): void {
  const card = fieldsOf(answer);
  const isCreate = operation === 'createGiftCard';
  if (isCreate && card) findings.addHeld('gift-card.create.returns-the-card');
  if (!card) {
    const due = isCreate ? 'gift-card.create.returns-the-card' : clause;
    findings.addViolation(due, 'The answer is not a JSON object, and so not a card.', span.n);
    return;
  }
  const wrong = [
    ...cardNames.filter((name) => !(name in card)),
    ...('balance' in card && typeof card.balance !== 'number' ? ['balance as a number'] : []),
  ];
  const what = `A card does not have ${wrong.join(', ')}.`;
  findings.check(wrong.length === 0, 'gift-card.response.has-named-fields', what, span.n);
  if ('status' in card)
    findings.check(
      cardStatuses.includes(String(card.status)),
      'gift-card.response.status-is-one-of-five',
      'The status of a card is not one of the five.',
      span.n,
    );
}

/** Ends with a usual word: other names in the answer to an event may be those of automations. */
const camelCaseWord = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*(Id|Name|Url|Utc|Cards?|Code|Key|Status|Balance|Address)$/;

/** Checks the names of an answer and of the records in its lists. Names inside of other values may be data of the client. */
function checkPropertyNames({ span, operation, answer, title }: Call, findings: Findings): void {
  const isEvent = operation === 'createAutomationTriggerEvent';
  const lists = Array.isArray(answer) ? [answer] : Object.values(fieldsOf(answer) ?? {}).filter(Array.isArray);
  // The case of the names of cards in the answer to an event is ambiguous.
  const records = [fieldsOf(answer), ...lists.flat().map(fieldsOf)].filter((each) => each && !(isEvent && 'balance' in each));
  const names = [...new Set(records.flatMap((each) => Object.keys(each ?? {})))].filter((name) => /^[A-Za-z]\w*$/.test(name));
  const others = names.filter((name) => (isEvent ? camelCaseWord.test(name) : !camelCase.test(name)));
  if (names.length === 0) return;
  const list = others.slice(0, 5).join(', ');
  findings.check(
    others.length === 0,
    isEvent ? 'automation.uses-snake-case' : 'http.camel-case-names',
    `${title} answers with names that are not in ${isEvent ? 'snake_case' : 'camelCase'}: ${list}.`,
    span.n,
  );
}
