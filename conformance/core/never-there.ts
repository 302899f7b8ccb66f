import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import { clauseTexts } from './contract.ts';
import { isOf, nameOf } from './endpoints.ts';
import { operations } from './operations.ts';
import type { ClauseResult } from './result.ts';

/** Clauses about absence itself. */
const aboutAbsence = new Set<ClauseName>(['errors.body-of-404']);

/** Statuses of an endpoint that does not exist. */
const isAbsence = ({ status }: Exchange) => status === 404 || status === 405 || status === 501;

/**
 * Removes observations at operations that may not exist: in this run they answered every request as if nothing was there. A question about several
 * operations keeps its observation if one of them exists.
 */
export function withoutAbsent(clauses: readonly ClauseResult[], asked: readonly Exchange[]): ClauseResult[] {
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
