import type { RuleName } from '../../openapi/generated/rules.ts';
import { camelCase, cardNames, cardStatuses, ruleTexts } from '../core/contract.ts';
import { type Fields, fieldsOf, type ObservedCall, plainName } from './call.ts';
import type { Findings } from './findings.ts';

export interface ResponseForm {
  /** The rule about the response to a successful call. */
  readonly rule: RuleName;
  /** The body of the response to a successful call. `any`: the specification does not show the body, so the body may be empty. */
  readonly body: 'card' | 'list' | 'true' | 'json' | 'any';
}

/** Checks a call on its own, without earlier exchanges: the key, the required fields, and the status and form of the response. */
export function checkAlone(call: ObservedCall, form: ResponseForm | undefined, findings: Findings): void {
  const { operation, status, outcome, title } = call;
  checkKey(call, findings);
  checkRequired(call, findings);
  const robustness = expectationOf(operation);
  if (robustness) findings.check(status < 500, robustness, `${title} returns ${status}.`);
  if (!form || outcome !== 'accepted') return;
  if (status !== 200 || form.rule.endsWith('.returns-200'))
    findings.check(status === 200, form.rule, `${title} returns ${status} instead of 200.`);
  if (status === 200 && call.responseBody !== 'unread') checkForm(call, form, findings);
}

function checkKey({ key, hasOtherKey, status, outcome, title }: ObservedCall, findings: Findings): void {
  if (hasOtherKey) return;
  if (key !== undefined && outcome === 'accepted') findings.addHeld('authentication.key-is-in-header');
  else if (key === undefined && (status === 401 || outcome === 'accepted'))
    findings.check(status === 401, 'authentication.missing-key-is-401', `${title} returns ${status} to a request without a key.`);
}

const isGifted = ({ sendAsGift, shouldSendNotification }: Fields) => sendAsGift === true && shouldSendNotification === true;

type Requirement = readonly [operation: string, field: string, rule: RuleName, applies: (request: Fields) => boolean];

const requirements: readonly Requirement[] = [
  ['addAdjustment', 'actionedAtUtc', 'adjustment.requires-actioned-at', () => true],
  ['addAdjustment', 'uniqueAdjustmentId', 'adjustment.requires-unique-id', () => true],
  ['createGiftCard', 'recipientName', 'gift-card.create.gifted-needs-recipient-name', isGifted],
  ['createGiftCard', 'buyerName', 'gift-card.create.gifted-needs-buyer-name', isGifted],
];

function checkRequired({ operation, request, outcome, status, isAmbiguous }: ObservedCall, findings: Findings): void {
  if (!request || isAmbiguous) return;
  for (const [name, field, rule, applies] of requirements) {
    if (!operation.startsWith(name) || !applies(request) || hasField(request, field)) continue;
    // With another status, the service may refuse the request for another reason.
    if (outcome === 'accepted' || status === 400)
      findings.check(status === 400, rule, `The service accepts a request without ${field}.`);
  }
}

const hasField = (request: Fields, field: string): boolean =>
  (request[field] ?? undefined) !== undefined ||
  Object.keys(request).some((name) => name !== field && plainName(name) === plainName(field));

/** Returns the expectation that the operation does not return 5xx. */
const expectationOf = (operation: string): RuleName | undefined =>
  expectations.find((name) => ruleTexts.get(name)?.operations?.includes(operation));
const expectations = [...ruleTexts.keys()].filter((name) => name.startsWith('robustness.'));

function checkForm(call: ObservedCall, { rule, body }: ResponseForm, findings: Findings): void {
  const { operation, title, response, responseBody } = call;
  if (body !== 'any') {
    const kind = responseBody === 'text' ? 'a text' : 'an empty body';
    findings.check(responseBody === 'json', 'http.json-bodies', `${title} returns ${kind} instead of JSON.`);
    if (responseBody !== 'json') return;
  }
  const { giftCards, totalCount } = fieldsOf(response) ?? {};
  const isList = Array.isArray(giftCards) && typeof totalCount === 'number';
  if (body === 'card') checkCard(call, rule, findings);
  if (body === 'list') findings.check(isList, rule, 'The response does not have the array giftCards and the number totalCount.');
  const otherThanTrue = 'The response to an adjustment is not the JSON value true.';
  if (body === 'true') findings.check(response === true, 'adjustment.returns-true', otherThanTrue);
  // The specification is ambiguous about the letter case of names in the response to an event.
  if (operation !== 'createAutomationTriggerEvent') checkPropertyNames(call, findings);
}

function checkCard({ operation, title, response }: ObservedCall, rule: RuleName, findings: Findings): void {
  const card = fieldsOf(response);
  const isCreate = operation === 'createGiftCard';
  if (isCreate || !card) {
    const due = isCreate ? 'gift-card.create.returns-the-card' : rule;
    findings.check(card !== undefined, due, `${title} does not return a card; the body is not a JSON object.`);
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

/** Checks the names of a response and of the records in its lists. Names deeper in a response may be data of the client. */
function checkPropertyNames({ response, title }: ObservedCall, findings: Findings): void {
  const lists = Array.isArray(response) ? [response] : Object.values(fieldsOf(response) ?? {}).filter(Array.isArray);
  const records = [response, ...lists.flat()].map((each) => fieldsOf(each) ?? {});
  const names = [...new Set(records.flatMap(Object.keys))].filter((name) => /^[A-Za-z]\w*$/.test(name));
  if (names.length === 0) return;
  const others = names.filter((name) => !camelCase.test(name));
  const what = `${title} returns names that are not in camelCase: ${others.slice(0, 5).join(', ')}.`;
  findings.check(others.length === 0, 'http.camel-case-names', what);
}
