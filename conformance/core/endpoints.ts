import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Operation, operations } from './operations.ts';
import type { ClauseResult, CleaningBroke, RunResult } from './result.ts';

/** An operation that a run asked, and that never answered it with success. */
export interface Failing {
  /** As the contract has it: GET /api/GiftCard/GetById/{id}. */
  readonly named: string;
  /** What it answered instead, each once. */
  readonly statuses: readonly number[];
  /** Clauses that touched it and failed, or could not be judged. */
  readonly clauses: number;
  /** It broke each time, whatever it was asked, and no baseline knows of it. */
  readonly broken: boolean;
  /** Stated clauses that nothing could be seen of for it, and of which no baseline knows. */
  readonly unjudged: readonly ClauseName[];
}

/** Asked with the run's own key: without one, or with another, a refusal is what is due. */
export const isOf = ({ method, exactly }: Operation, { elsewhere, path, requestHeaders, ...exchange }: Exchange) =>
  exchange.method === method &&
  elsewhere === undefined &&
  requestHeaders['x-api-key'] === '«key»' &&
  exactly.test(path.split('?')[0] ?? '');

export const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The operation that was asked, as the contract has it; none of what is asked on purpose without the key, or elsewhere. */
export function operationOf(exchange: Exchange): string | undefined {
  const found = operations.find((operation) => isOf(operation, exchange));
  return found && nameOf(found);
}

const statusesOf = (answers: readonly Exchange[]) => [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);

/** The operations that broke whenever they were asked among these. */
export function brokenAmong(exchanges: readonly Exchange[]): CleaningBroke[] {
  return operations.flatMap((operation) => {
    const statuses = statusesOf(exchanges.filter((exchange) => isOf(operation, exchange)));
    return statuses.length > 0 && statuses.every((status) => status >= 500) ? [{ operation: nameOf(operation), statuses }] : [];
  });
}

/** What is only our expectation is tried with what nobody should send, and shows no endpoint to be broken. */
const sound = ({ clauses }: Pick<RunResult, 'clauses'>) => clauses.filter(({ level }) => level !== 'robustness');

const unsuccessful = new Set(['fail', 'known-fail', 'blocked']);

/** How it is to be asked was not found out, or it is not there. */
const isMissing = ({ verdict, reason }: ClauseResult) => verdict === 'untested' && reason === 'fact-missing';

/** The operations that answered none of the run's requests with success, and on which clauses hang; the one with most of them first. */
export function neverAnswered(result: Pick<RunResult, 'clauses' | 'cleaningBroke'>): Failing[] {
  const clauses = sound(result);
  const failing = operations.flatMap((operation): Failing[] => {
    const touching = clauses.filter(({ exchanges }) => exchanges.some((exchange) => isOf(operation, exchange)));
    const answers = touching.flatMap(({ exchanges }) => exchanges.filter((exchange) => isOf(operation, exchange)));
    const cleaning = (result.cleaningBroke ?? []).filter((each) => each.operation === nameOf(operation));
    const statuses = [...new Set([...statusesOf(answers), ...cleaning.flatMap((each) => each.statuses)])];
    if (statuses.length === 0 || statuses.some((status) => status >= 200 && status < 300)) return [];
    const hanging = touching.filter((clause) => unsuccessful.has(clause.verdict) || isMissing(clause));
    const known = hanging.length > 0 && hanging.every(({ verdict }) => verdict === 'known-fail');
    const broken = !known && statuses.every((status) => status >= 500);
    // One that was asked for what is not there, or without a key, and refused it, did well.
    if (hanging.length === 0 && !broken) return [];
    const unjudged = hanging.flatMap((clause) => (clause.level === 'stated' && isMissing(clause) ? [clause.name] : []));
    return [{ named: nameOf(operation), statuses, clauses: hanging.length, broken, unjudged }];
  });
  return failing.toSorted((a, b) => b.clauses - a.clauses);
}
