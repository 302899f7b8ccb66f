import type { RuleName } from '../../openapi/generated/rules.ts';
import type { ShownLevel } from '../core/contract.ts';
import { type Ending, end } from '../core/exit.ts';
import type { ResultHeader } from '../core/result.ts';
import { formatCount } from '../core/text.ts';
import type { NumberedExchange } from '../http/exchange.ts';
import type { Spent } from '../safety/gate.ts';
import type { Mode } from '../safety/policy.ts';

export interface CompareResult extends ResultHeader {
  kind: 'compare';
  again: string;
  a: Side;
  b: Side;
  /** The reason why A was tested only once. The result then does not show which rules change between runs. */
  steadinessUnknown?: string;
  compared: number;
  alike: number;
  differences: Difference[];
  uncompared: Uncompared[];
  /** Rules with different outcomes in two runs on A. */
  unsteady: Compared[];
}

export interface Side {
  target: string;
  /** The result file, if the side was not run now. */
  file?: string;
  mode: Mode;
  runs: number;
  /** Number of cards that the runs created. */
  cards: number;
  spent: Spent;
  leftBehind: string[];
  exits: number[];
}

export interface Compared {
  name: RuleName;
  level: ShownLevel;
  a: ComparedOutcome;
  b: ComparedOutcome;
}

export interface Difference extends Compared {
  from: string[];
  text: string;
  /** One side violates the rule, both sides violate the rule differently, or the sides have different behaviors. */
  kind: 'violated' | 'violated-differently' | 'observation';
  /** Undefined if neither a response nor a delivery decided the verdicts. */
  step?: DecidingStep;
}

export interface ComparedOutcome {
  verdict: string;
  observation?: string;
  expected?: string;
  got?: string;
  detail?: string;
}

/** The step of a test whose responses decided the verdicts, or the delivery that decided. */
export interface DecidingStep {
  /** The description of the step, such as "void card#1", or the event of the delivery, such as "giftcard/voided of card#1". */
  what: string;
  /** Differences with both values, such as "status: 200 on A, 400 on B". */
  differs: string[];
  /** `n` is the number of the step or delivery on this side, from 1. Undefined if this side received no such delivery. */
  a?: NumberedExchange;
  b?: NumberedExchange;
}

/** A rule for which only one side has a verdict. */
export interface Uncompared extends Compared {
  /** False if the target does not offer what the rule needs. */
  incomplete: boolean;
}

/** Reports whether a difference fails the command. In stated rules, every difference does. In questions, only a violation on one side does. */
export const isImportant = ({ level, kind }: Pick<Difference, 'level' | 'kind'>): boolean =>
  level === 'stated' || (kind === 'violated' && level !== 'robustness');

export function endingOfComparison({ a, b, differences, uncompared, compared, alike }: CompareResult): Ending {
  const exits = [...a.exits, ...b.exits];
  if (exits.includes(5)) return end(5, 'Something may be left behind', 'see LEFT BEHIND');
  if (exits.includes(6)) return end(6, 'The suite itself failed', 'a run ended with exit code 6');
  if (exits.includes(3)) return end(3, 'A target stopped responding', 'some rules were not run, so they were not compared');
  if (exits.includes(130)) return end(130, 'Interrupted', 'some rules were not run, so they were not compared');
  const important = differences.filter(isImportant).length;
  if (important > 0) {
    const rules = formatCount(important, 'rule');
    return end(1, `A and B differ in ${rules}`, `${rules} with another outcome`);
  }
  if (compared === 0) return end(4, 'Nothing was compared', 'no rule has a verdict on both sides');
  const missing = uncompared.filter(({ incomplete }) => incomplete).length;
  if (missing > 0)
    return end(4, 'Incomplete: some rules could not be compared', `${formatCount(missing, 'rule')} untested on one side`);
  const others = differences.length > 0 ? `, ${formatCount(differences.length, 'other rule')} different` : '';
  return end(0, `No stated rule differs between A and B: ${formatCount(alike, 'rule')} alike${others}`);
}
