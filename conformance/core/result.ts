import type { Override } from '../../openapi/effective/overrides.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Spent } from '../safety/gate.ts';
import type { Mode, Needs, Reason } from '../safety/policy.ts';
import type { ShownLevel } from './contract.ts';
import type { Verdict } from './verdict.ts';

export interface ResultHeader {
  /** Name and version of the suite. */
  suite: string;
  /** Time in ISO 8601. */
  startedAt: string;
  finishedAt: string;
}

export interface Cleanup {
  cards: { created: number; voided: number; left: string[] };
  /** Webhooks that may still exist, and their URLs. */
  recordsLeft: { what: string; value: string }[];
  /** A sentence for each reason why cards and records are left. */
  leftBecause: string[];
  /** A sentence for each record of earlier runs that the command could not remove. */
  leftBefore: string[];
  /** Number of cards that the command may leave (--leave-cards). */
  leaveCards?: number | undefined;
  /** An error that occurred during cleanup or while the ledger was written. The other cleanup steps were still carried out. */
  cleanupFault?: string | undefined;
}

export interface RunResult<Rule = RuleResult> extends ResultHeader, Cleanup {
  kind: 'run';
  target: string;
  /**
   * Set if the run ended early. `of` is the number of selected rules, and `after` is the number of rules that had run. If the target stopped
   * responding, `since` is the first request without a response. Otherwise, a signal ended the run.
   */
  interrupted?: { after: number; of: number; since?: string | undefined } | undefined;
  rules: Rule[];
  requests: number;
  peakPerMinute: number;
  mode: Mode;
  /** The reason for the mode and its remedy, if the user chose no mode and the target may be the user's own. */
  modeBecause?: string | undefined;
  /** The cost of the run and of its cleanup. */
  spent: Spent;
  planned?: Needs | undefined;
  /** Set if failed robustness expectations fail the run, too. */
  failOn?: 'robustness';
  /** Rules with requests that were not sent because the budget was used up. */
  heldBack: RuleName[];
  configuration: Configuration;
  /** Entries of the baseline that the target no longer needs. */
  staleBaseline: string[];
  /** The reason why the baseline that the user wanted was not written, and its exit code. */
  noBaseline?: { code: 4 | 6; because: string } | undefined;
  /** Entries of the baseline for which the user must still write a reason. */
  withoutReason?: string[];
}

interface Configuration {
  /** The report appends the name of a rule to this command. The command then runs only this rule again. */
  again: string;
  /** Names of the profile entries that were given. The values may be secret. */
  profile: string[];
  seed?: number;
  ratePerMinute?: number | undefined;
}

export interface RuleResult<Exchanges = Exchange[]> {
  name: RuleName;
  level: ShownLevel;
  /** Sections and items of the specification. */
  from: string[];
  text: string;
  verdict: Verdict;
  reason?: Reason;
  /** The reason for the verdict, in words. */
  detail?: string;
  /** Only for the verdict `error`. transport: the target gave no response · suite: the suite has a defect. */
  fault?: 'transport' | 'suite';
  did: string[];
  /** Sentences about the deliveries that the test waited for, received or missing. */
  deliveries?: string[];
  expected?: string;
  got?: string;
  /** The index of the exchange whose response decided the verdict. The test read this response last. */
  decidedBy?: number;
  /** The deliveries that decided the verdict, if the test read them last. */
  received?: Exchange[];
  controls: string[];
  /** Behaviors that the run observed and that the test relies on. */
  assumptions: string[];
  notChecked?: string;
  observation?: Observation;
  /** The reason that the baseline gives for the rule. */
  known?: string;
  ms: number;
  exchanges: Exchanges;
}

/** The target's behavior for a question. */
export interface Observation {
  /** The option of the question, or null if no option covers the behavior. */
  option: string | null;
  text: string;
  /** Overrides that describe the target if the option alone does not. */
  overrides?: Override[];
  /** How the observation compares with the variant file. */
  since?: 'new' | 'same' | 'changed';
  /** The option in the variant file, if the target now behaves differently. */
  was?: string;
}

/** The sentence about a target that sends a delivery only after the response to another. */
export const sendsSerially = 'no delivery arrived while a webhook was slow to respond, so the target sends one after another';

export const count = ({ rules }: Pick<RunResult, 'rules'>, verdict: Verdict): number =>
  rules.filter((rule) => rule.verdict === verdict).length;
