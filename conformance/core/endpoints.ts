import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import { clauseTexts } from './contract.ts';
import { type Operation, operations } from './operations.ts';
import type { ClauseResult, CleaningBroke, RunResult } from './result.ts';

/** An operation of the contract that never succeeded in a run. */
export interface Failing {
  /** As in the contract: GET /api/GiftCard/GetById/{id}. */
  readonly operation: string;
  /** The statuses that it answered, without repetition. */
  readonly statuses: readonly number[];
  /** Number of clauses that used it and failed, or could not be tested. */
  readonly clauses: number;
  /** It answered only 5xx, and the baseline does not list it. */
  readonly broken: boolean;
  /** Stated clauses that could not be tested because of it, and that the baseline does not list. */
  readonly untested: readonly ClauseName[];
}

/** Whether the exchange used the operation with the key of the run. Without that key a refusal is the right answer. */
export const isOf = ({ method, exactly }: Operation, { elsewhere, path, requestHeaders, ...exchange }: Exchange) =>
  exchange.method === method &&
  elsewhere === undefined &&
  requestHeaders['x-api-key'] === '«key»' &&
  exactly.test(path.split('?')[0] ?? '');

export const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The operation that the exchange used, as in the contract; undefined for another key or another server. */
export function operationOf(exchange: Exchange): string | undefined {
  const found = operations.find((operation) => isOf(operation, exchange));
  return found && nameOf(found);
}

const statusesOf = (answers: readonly Exchange[]) => [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);

/** Operations that answered only 5xx in these exchanges. */
export function findBroken(exchanges: readonly Exchange[]): CleaningBroke[] {
  return operations.flatMap((operation) => {
    const statuses = statusesOf(exchanges.filter((exchange) => isOf(operation, exchange)));
    return statuses.length > 0 && statuses.every((status) => status >= 500) ? [{ operation: nameOf(operation), statuses }] : [];
  });
}

/** Robustness tests send malformed input, so their answers do not show that an endpoint is broken. */
const meaningful = ({ clauses }: Pick<RunResult, 'clauses'>) => clauses.filter(({ level }) => level !== 'robustness');

const unsuccessful = new Set(['fail', 'known-fail', 'blocked']);

/** The endpoint, or the name of a property, was not found. */
const isMissing = ({ verdict, reason }: ClauseResult) => verdict === 'untested' && reason === 'fact-missing';

/** Operations that never succeeded and on which clauses depend, most clauses first. */
export function neverAnswered(result: Pick<RunResult, 'clauses' | 'cleaningBroke'>): Failing[] {
  const clauses = meaningful(result);
  const failing = operations.flatMap((operation): Failing[] => {
    const touching = clauses.filter(({ exchanges }) => exchanges.some((exchange) => isOf(operation, exchange)));
    const answers = touching.flatMap(({ exchanges }) => exchanges.filter((exchange) => isOf(operation, exchange)));
    const cleaning = (result.cleaningBroke ?? []).filter((each) => each.operation === nameOf(operation));
    const statuses = [...new Set([...statusesOf(answers), ...cleaning.flatMap((each) => each.statuses)])];
    if (statuses.length === 0 || statuses.some((status) => status >= 200 && status < 300)) return [];
    const dependent = touching.filter((clause) => unsuccessful.has(clause.verdict) || isMissing(clause));
    const known = dependent.length > 0 && dependent.every(({ verdict }) => verdict === 'known-fail');
    const broken = !known && statuses.every((status) => status >= 500);
    // Refusals alone are right answers to requests for unknown records.
    if (dependent.length === 0 && !broken) return [];
    const untested = dependent.flatMap((clause) => (clause.level === 'stated' && isMissing(clause) ? [clause.name] : []));
    return [{ operation: nameOf(operation), statuses, clauses: dependent.length, broken, untested }];
  });
  return failing.toSorted((a, b) => b.clauses - a.clauses);
}

/** The contract's body field that names the card in an adjustment by ID. Its name on the target is open. */
export const adjustmentCardField = 'AddAdjustmentByGiftCardIdRequest.giftCardId';

/** What a user can do if an operation does not accept requests as in the contract. */
export const hints: Readonly<Record<string, string>> = {
  'POST /api/GiftCardAdjustment/AddAdjustmentByGiftCardId': `if it has another name, give it with --variant FILE: overrides: [{ rename: ${adjustmentCardField}, to: NAME }]`,
};

/** Clauses about absence itself. */
const aboutAbsence = new Set<ClauseName>(['errors.body-of-404']);

/** Statuses of an endpoint that does not exist. */
const isAbsence = ({ status }: Exchange) => status === 404 || status === 405 || status === 501;

/**
 * Removes observations at operations that may not exist: in this run they answered every request as if nothing was there. A question about several
 * operations keeps its observation if one of them exists.
 */
export function dropAbsent(clauses: readonly ClauseResult[], asked: readonly Exchange[]): ClauseResult[] {
  const absent = new Map(
    operations.flatMap((operation) => {
      const answers = asked.filter((exchange) => isOf(operation, exchange));
      return answers.length > 0 && answers.every(isAbsence) ? [[operation, answers] as const] : [];
    }),
  );
  if (absent.size === 0) return [...clauses];
  return clauses.map((clause) => {
    if (aboutAbsence.has(clause.name)) return clause;
    const about = new Set(clause.observation && clauseTexts.get(clause.name)?.operations);
    const own = operations.filter((each) => about.has(each.id) && clause.exchanges.some((exchange) => isOf(each, exchange)));
    const [first] = own;
    if (!first || !own.every((each) => absent.has(each))) return clause;
    const { observation: _, ...others } = clause;
    const statuses = [...new Set(absent.get(first)?.map(({ status }) => status))].join(' or ');
    const detail = `${nameOf(first)} answered only ${statuses} in this run, so it may not exist; run more of its clauses together`;
    return { ...others, verdict: 'untested', reason: 'fact-missing', detail };
  });
}
