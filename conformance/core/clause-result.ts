import type { Override } from '../../openapi/effective/overrides.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ShownLevel } from './contract.ts';
import type { Reason, Verdict } from './verdict.ts';

export interface ClauseResult<Exchanges = Exchange[]> {
  name: ClauseName;
  level: ShownLevel;
  /** Section and item of the specification. */
  from: string[];
  text: string;
  verdict: Verdict;
  /** Why the clause is untested, from the closed list. */
  reason?: Reason;
  /** What prevented a verdict. */
  detail?: string;
  /** Of an `error`: whether the target gave no answer, or the suite broke. */
  fault?: 'transport' | 'suite';
  did: string[];
  /** Deliveries that the test waited for, and the webhooks at which they did not arrive. */
  deliveries?: string[];
  expected?: string;
  got?: string;
  /** Controls that passed, in order. */
  controls: string[];
  /** Observed answers to open questions on which the test relied. */
  assumptions: string[];
  notChecked?: string;
  /** How the target answers the question of an open or ambiguous clause. */
  observation?: Observation;
  /** Of a `known-fail`: the reason in the baseline. */
  known?: string;
  ms: number;
  exchanges: Exchanges;
}

export interface Observation {
  /** The option of the clause, or null if the target does something that is not an option. */
  option: string | null;
  /** The same in words. */
  text: string;
  /** Overrides of the contract that describe the target, if no option does. */
  overrides?: Override[];
  /** Compared with the variant file, if one was given. */
  since?: 'new' | 'same' | 'changed';
  /** What the variant file says, if the target does something else. */
  was?: string;
}
