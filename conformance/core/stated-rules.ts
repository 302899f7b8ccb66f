import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Finding, Oracle } from '../oracle/oracle.ts';
import { levelOf } from './contract.ts';
import type { ClauseResult } from './result.ts';
import type { Target } from './target.ts';

/**
 * Checks every exchange of a run against the oracle, in addition to the tests. Returns a function that ends this and fails the clauses that an exchange
 * violates. Others may act on the account of the target, so only what they cannot have caused counts.
 */
export function checkStatedRules(client: Client, target: Target): (results: readonly ClauseResult[]) => ClauseResult[] {
  const oracle = new Oracle({ reader: new Reader(standardDocument, target.overrides ?? []) });
  const findings: Finding[] = [];
  const shown: (Exchange | undefined)[] = [];
  client.observer = {
    begin: () => oracle.begin(),
    observe(exchange, masked) {
      shown.push(masked);
      findings.push(...oracle.observe(exchange));
    },
  };
  return (results) => {
    client.observer = undefined;
    findings.push(...oracle.end());
    return results.map((result) => {
      const finding = findings.find(({ kind, clause }) => kind === 'violated' && clause === result.name);
      return finding && result.verdict !== 'fail' && levelOf(result.name) === 'stated'
        ? failClause(result, finding, shown)
        : result;
    });
  };
}

function failClause(result: ClauseResult, { what, exchanges }: Finding, shown: readonly (Exchange | undefined)[]): ClauseResult {
  const { reason: _, detail: __, fault: ___, observation: ____, ...rest } = result;
  const evidence = exchanges.flatMap((n) => shown[n - 1] ?? []);
  return {
    ...rest,
    verdict: 'fail',
    did: evidence.map(({ method, path, status }) => `${method} ${path} → ${status}`),
    expected: result.text,
    got: what,
    exchanges: evidence,
  };
}
