import type { RuleName } from '../../openapi/generated/rules.ts';
import { type Ending, end, endingOfCleanup } from '../core/exit.ts';
import type { Cleanup, ResultHeader } from '../core/result.ts';
import { formatCount } from '../core/text.ts';
import type { Exchange } from '../http/exchange.ts';

export interface FuzzResult extends ResultHeader, Cleanup {
  kind: 'fuzz';
  target: string;
  seed: number;
  /** Number of cases. A case is a malformed request or a sequence of requests. */
  cases: number;
  /** Number of cases that were sent to find the shortest failure. */
  shrinks: number;
  failures: FuzzFailure[];
  requests: number;
  endedEarly?: { because: 'unreachable' | 'not-sent' | 'defect' | 'interrupted'; detail: string };
}

export interface FuzzFailure {
  rule?: RuleName;
  did: string[];
  expected: string;
  got: string;
  again: string;
  exchanges: Exchange[];
}

const codesOfEarlyEnd = { unreachable: 3, 'not-sent': 4, defect: 6, interrupted: 130 } as const;

export function endingOfFuzz(result: FuzzResult): Ending {
  const { failures, endedEarly, cases } = result;
  const cleanup = endingOfCleanup(result);
  if (cleanup) return cleanup;
  const sent = formatCount(cases, 'case');
  if (failures.length > 0)
    return end(1, `${formatCount(failures.length, 'failure')} after ${sent}`, 'at least one response violates the specification');
  if (endedEarly) return end(codesOfEarlyEnd[endedEarly.because], `Ended early after ${sent}`, endedEarly.detail);
  if (cases === 0) return end(4, 'No case was sent', 'use --path only with the --seed that was printed with it');
  return end(0, `Nothing is violated in ${sent}`);
}
