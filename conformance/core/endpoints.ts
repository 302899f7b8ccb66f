import type { RuleName } from '../../openapi/generated/rules.ts';
import { type Exchange, isMissing } from '../http/exchange.ts';
import { ruleTexts } from './contract.ts';
import { isSuccess } from './expect.ts';
import { type EndpointOperation, serviceOperations } from './operations.ts';
import type { RuleResult, RunResult } from './result.ts';

/** An operation of the contract that never succeeded in a run. */
export interface Failing {
  readonly operation: string;
  readonly statuses: readonly number[];
  /** Number of rules that failed or could not be tested because of the operation. */
  readonly rules: number;
  /** Stated rules that could not be tested because of the operation. Excludes rules that the baseline lists. */
  readonly untested: readonly RuleName[];
}

/** Reports whether the exchange used the operation, with any key. */
const isRequestOf = ({ method, exactly }: EndpointOperation, { elsewhere, path, ...exchange }: Exchange) =>
  exchange.method === method && elsewhere === undefined && exactly.test(path.split('?')[0] ?? '');

/** Reports whether the exchange used the operation with the run's key. Requests with other keys do not count, because the service may have to refuse them. */
const isOf = (operation: EndpointOperation, exchange: Exchange) =>
  exchange.requestHeaders['x-api-key'] === '«key»' && isRequestOf(operation, exchange);

/** Returns the operation whose response caused the verdict. Returns undefined if the texts of the rule do not show such a response. */
export function causeAt({ exchanges, got, detail = '' }: RuleResult): { operation: string; isMissing: boolean } | undefined {
  const shown = [...(got || detail).matchAll(/(?:^|got |returned )(\d{3})\b/g)].at(-1)?.[1];
  const last = exchanges.findLast(({ status }) => shown === undefined || status === Number(shown));
  // If a failure does not show the status of the last request, the rule failed for another reason.
  if (!last || (got !== undefined && !new RegExp(`\\b${last.status}\\b`).test(got))) return undefined;
  const operation = serviceOperations.find((each) => isRequestOf(each, last));
  return operation && { operation: operation.name, isMissing: isMissing(last.status) };
}

/** Returns the operations that the target seems not to have: a server without the operation would give each of these responses. */
const missingIn = (exchanges: readonly Exchange[]): EndpointOperation[] =>
  serviceOperations.filter((operation) => {
    const all = exchanges.filter((exchange) => isRequestOf(operation, exchange));
    // A service may refuse other keys before it looks for the operation.
    const own = all.filter((exchange) => isOf(operation, exchange));
    return all.length > 0 && (own.length > 0 ? own : all).every(({ status }) => isMissing(status));
  });

/** Returns the names of the missing operations. Ignores the tests of expectations, because they send malformed input. */
export const missingOperations = ({ rules }: Pick<RunResult, 'rules'>): string[] =>
  missingIn(rules.flatMap(({ level, exchanges }) => (level === 'robustness' ? [] : exchanges))).map(({ name }) => name);

export const hasSucceeded = (name: string, { rules }: Pick<RunResult, 'rules'>): boolean =>
  rules.some(({ exchanges }) =>
    exchanges.some((one) => isSuccess(one) && serviceOperations.some((each) => each.name === name && isOf(each, one))),
  );

const unsuccessful = new Set(['fail', 'known-fail', 'blocked']);

/** Reports whether a stated rule is untested because the responses did not show a fact that the test needs. Open questions need no such fact. */
const lacksFact = ({ level, verdict, reason }: RuleResult) =>
  level === 'stated' && verdict === 'untested' && reason === 'fact-missing';

/** Returns the operations that rules need and that never succeeded. The operation that most rules need comes first. Ignores the tests of expectations, because they send malformed input. */
export function neverSucceeded({ rules }: Pick<RunResult, 'rules'>): Failing[] {
  const countable = rules.filter(({ level }) => level !== 'robustness');
  const stopped = countable.filter(
    (rule) => unsuccessful.has(rule.verdict) || rule.reason === 'control-failed' || lacksFact(rule),
  );
  const failing = serviceOperations.flatMap((operation): Failing[] => {
    const responses = countable.flatMap(({ exchanges }) => exchanges.filter((exchange) => isOf(operation, exchange)));
    const statuses = [...new Set(responses.map(({ status }) => status))].toSorted((a, b) => a - b);
    const dependent = stopped.filter((rule) => causeAt(rule)?.operation === operation.name);
    if (responses.length === 0 || dependent.length === 0 || responses.some(isSuccess)) return [];
    const untested = dependent.filter(lacksFact).map(({ name }) => name);
    return [{ operation: operation.name, statuses, rules: dependent.length, untested }];
  });
  return failing.toSorted((a, b) => b.rules - a.rules);
}

/** The contract's name of the field with the card's ID. The specification does not state this name, so a target may use another name. */
export const adjustmentCardField = 'AddAdjustmentByGiftCardIdRequest.giftCardId';

/** Advice for operations that may fail because the target uses another name for a field. */
export const hints: Readonly<Record<string, string>> = {
  'POST /api/GiftCardAdjustment/AddAdjustmentByGiftCardId': `if the target uses another name for the field with the card's ID, write this name into the file of --variant FILE: overrides: [{ rename: ${adjustmentCardField}, to: NAME }]`,
};

/** Removes observations of operations that may not exist. Every response of such an operation was like that of a missing endpoint. */
export function dropAbsent(rules: readonly RuleResult[], sent: readonly Exchange[]): RuleResult[] {
  const absent = missingIn(sent);
  return rules.map((rule) => {
    const { observation, ...others } = rule;
    // This question is about 404 responses, so a 404 does not show that its endpoint is missing.
    if (!observation || rule.name === 'errors.body-of-404') return rule;
    const about = ruleTexts.get(rule.name)?.operations ?? [];
    const own = serviceOperations.filter(
      (each) => about.includes(each.id) && rule.exchanges.some((exchange) => isOf(each, exchange)),
    );
    const [first] = own;
    if (!first || !own.every((each) => absent.includes(each))) return rule;
    const detail = `${first.name} returned only 404, 405 or 501 in this run, so the endpoint may not exist; run more rules of this endpoint in one run`;
    return { ...others, verdict: 'untested', reason: 'fact-missing', detail };
  });
}
