import type { Override } from '../../openapi/effective/overrides.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Spent } from '../safety/gate.ts';
import type { ShownLevel } from './contract.ts';
import type { Mode } from './settings.ts';
import type { Reason, Verdict } from './verdict.ts';

/** The findings of a command. results.json contains nothing else, and every report is a pure function of a result. */
export type Result = RunResult | FuzzResult | CompareResult | ProxyResult;

interface ResultHeader {
  /** Name and version of the suite. */
  suite: string;
  /** ISO 8601. */
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
  /** A failure while the command cleaned up or wrote the ledger. Everything else was cleaned up. */
  cleanupFault?: string;
}

export interface RunResult<Clause = ClauseResult> extends ResultHeader, Cleanup {
  kind: 'run';
  target: string;
  /** A signal ended the run after this number of the selected clauses. */
  interrupted?: { after: number; of: number };
  clauses: Clause[];
  requests: number;
  peakPerMinute: number;
  mode: Mode;
  /** The cost of the run and of its cleanup. */
  spent: Spent;
  planned?: PlannedCost;
  /** Requests not sent because the budget was used up. */
  heldBack: number;
  configuration: Configuration;
  /** Clauses that pass and that the baseline lists as violated. */
  staleBaseline: ClauseName[];
}

/** The face value is in the account's currency. */
export type PlannedCost = Pick<Spent, 'requests' | 'creates' | 'faceValue'>;

interface Configuration {
  /** The command that runs one clause again when the clause's name is appended. */
  again: string;
  /** Names of the profile entries that were given. The values may be secret. */
  profile: string[];
  seed?: number;
  ratePerMinute?: number;
}

export interface ClauseResult<Exchanges = Exchange[]> {
  name: ClauseName;
  level: ShownLevel;
  /** Section and item of the specification. */
  from: string[];
  text: string;
  verdict: Verdict;
  reason?: Reason;
  /** The reason why there is no verdict, in words. */
  detail?: string;
  /** The target gave no answer, or the suite has a defect. */
  fault?: 'transport' | 'suite';
  did: string[];
  /** Deliveries that the test waited for, and the webhooks that did not receive them. */
  deliveries?: string[];
  expected?: string;
  got?: string;
  controls: string[];
  /** Observed answers to open questions on which the test relied. */
  assumptions: string[];
  notChecked?: string;
  observation?: Observation;
  /** The reason in the baseline. */
  known?: string;
  ms: number;
  exchanges: Exchanges;
}

/** The target's answer to the question of an open or ambiguous clause. */
export interface Observation {
  /** The option of the clause, or null if the target does something else. */
  option: string | null;
  text: string;
  /** Overrides of the contract that describe the target, if no option does. */
  overrides?: Override[];
  /** The comparison with the variant file. */
  since?: 'new' | 'same' | 'changed';
  /** The statement of the variant file, if the target does something else. */
  was?: string;
}

export interface FuzzResult extends ResultHeader, Cleanup {
  kind: 'fuzz';
  target: string;
  seed: number;
  /** Number of single requests or of sequences. */
  cases: number;
  /** Number of cases that were sent to find the shortest failure. */
  shrinks: number;
  failures: FuzzFailure[];
  requests: number;
  endedEarly?: { because: 'unreachable' | 'not-sent' | 'defect' | 'interrupted'; detail: string };
}

export interface FuzzFailure {
  clause?: ClauseName;
  did: string[];
  expected: string;
  got: string;
  again: string;
  exchanges: Exchange[];
}

export interface CompareResult extends ResultHeader {
  kind: 'compare';
  again: string;
  a: Side;
  b: Side;
  /** The reason why A was run only once. Clauses that change from run to run are then unknown. */
  steadinessUnknown?: string;
  compared: number;
  alike: number;
  differences: Difference[];
  uncompared: Uncompared[];
  /** Clauses with different outcomes in two runs on A. */
  unsteady: Compared[];
}

export interface Side {
  target: string;
  /** The result file of a side that was not run now. */
  file?: string;
  mode: Mode;
  runs: number;
  spent: Spent;
  leftBehind: string[];
  exits: number[];
}

export interface Compared {
  name: ClauseName;
  level: ShownLevel;
  a: Outcome;
  b: Outcome;
}

export interface Difference extends Compared {
  from: string[];
  text: string;
  /** One side violates the clause, both sides violate the clause differently, or the sides answer a question differently. */
  kind: 'violated' | 'violated-differently' | 'observation';
  /** The first step with different exchanges, if there is one. */
  step?: DifferingStep;
}

export interface Outcome {
  verdict: string;
  observation?: string;
  expected?: string;
  got?: string;
  detail?: string;
}

export interface DifferingStep {
  /** From 1. */
  number: number;
  /** Both values: "status: 200 on A, 400 on B". */
  differs: string[];
  a?: Exchange;
  b?: Exchange;
}

/** A clause with a verdict on one side only. */
export interface Uncompared extends Compared {
  /** False if the target does not offer what the clause needs. */
  incomplete: boolean;
}

export interface ProxyResult extends ResultHeader {
  kind: 'proxy';
  target: string;
  /** True if the user said that no other client acts on the account. */
  onlyClient: boolean;
  requests: number;
  lost: number;
  notService: number;
  /** Number of exchanges with unreadable bodies. Only their status was checked. */
  unread: number;
  /** Number of exchanges that could not be checked because of a defect of the proxy. */
  faults: number;
  held: { clause: ClauseName; times: number }[];
  findings: ProxyFinding[];
  exchanges: NumberedExchange[];
}

/** `possible`: violated unless another client acted. `client`: the request does not follow the contract. `open`: the specification leaves a choice. */
export type FindingKind = 'violated' | 'possible' | 'client' | 'open';

export interface ProxyFinding {
  kind: FindingKind;
  /** Absent for a request that does not follow the contract. */
  clause?: ClauseName;
  what: string;
  times: number;
  /** Numbers of the exchanges that show the finding. The last number is of the checked exchange. */
  exchanges: number[];
}

interface NumberedExchange extends Exchange {
  n: number;
}

export const count = ({ clauses }: Pick<RunResult, 'clauses'>, verdict: Verdict): number =>
  clauses.filter((clause) => clause.verdict === verdict).length;
