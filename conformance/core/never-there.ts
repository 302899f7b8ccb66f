import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import { clauseTexts } from './contract.ts';
import { isOf, nameOf } from './endpoints.ts';
import { operations } from './operations.ts';
import type { ClauseResult } from './result.ts';

/** What is asked is how absence is answered, and looking alone may show it. */
const aboutAbsence = new Set<ClauseName>(['errors.body-of-404']);

/** What an address answers where nothing is. */
const isAbsence = ({ status }: Exchange) => status === 404 || status === 405 || status === 501;

/**
 * The clauses without what was observed at operations that may not be there: all that the run asked of them was answered as if nothing was. Of a
 * question that is about several, one that was there is enough.
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
    const detail = `${nameOf(first)} answered nothing but ${statuses} in this run, so that it may not be there; ask more of it in one run`;
    return { ...others, verdict: 'untested', reason: 'fact-missing', detail };
  });
}
