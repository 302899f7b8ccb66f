import type { RuleName } from '../../openapi/generated/rules.ts';
import { levelOf } from '../core/contract.ts';
import { type Ending, end } from '../core/exit.ts';
import type { ResultHeader } from '../core/result.ts';
import { formatCount } from '../core/text.ts';
import type { NumberedExchange } from '../http/exchange.ts';
import type { FindingKind } from '../oracle/findings.ts';

export interface ProxyResult extends ResultHeader {
  kind: 'proxy';
  target: string;
  /** True if the user stated that no other client changes the account. */
  onlyClient: boolean;
  requests: number;
  lost: number;
  notService: number;
  /** Number of exchanges with unreadable bodies. Only their status was checked. */
  unread: number;
  /** Number of exchanges that could not be checked because of a defect of the proxy. */
  faults: number;
  held: { rule: RuleName; times: number }[];
  findings: ProxyFinding[];
  exchanges: NumberedExchange[];
}

export interface ProxyFinding {
  kind: FindingKind;
  /** Undefined for the kinds `client` and `open`. */
  rule?: RuleName;
  what: string;
  times: number;
  /** Numbers of the exchanges that show the finding. The checked exchange comes last. */
  exchanges: number[];
}

/** Reports whether a finding fails the command. A violated expectation does not, because the specification does not state it. */
export const isViolation = ({ kind, rule }: Pick<ProxyFinding, 'kind'> & { rule?: RuleName | undefined }): boolean =>
  kind === 'violated' && rule !== undefined && levelOf(rule) !== 'robustness';

export function endingOfProxy({ findings, held, requests, lost, notService, faults }: ProxyResult): Ending {
  const exchanges = (number: number) => formatCount(number, 'exchange');
  if (faults > 0)
    return end(6, 'The proxy itself failed', `${exchanges(faults)} could not be checked because of a defect of the proxy`);
  const violated = new Set(findings.filter(isViolation).map(({ rule }) => rule)).size;
  if (violated > 0) return end(1, `${formatCount(violated, 'rule')} violated`, 'see VIOLATED');
  if (requests > 0 && lost === requests) return end(3, 'The target never responded', `${exchanges(requests)} without a response`);
  const stated = held.filter(({ rule }) => levelOf(rule) === 'stated').length;
  if (stated > 0) return end(0, `Nothing is violated: ${formatCount(stated, 'stated rule')} held`);
  const because = `no exchange shows a stated rule; the path does not start with /api/ in ${notService} of ${exchanges(requests)}`;
  return end(4, 'No stated rule was tested', because);
}
