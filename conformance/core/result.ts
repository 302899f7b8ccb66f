import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Spent } from '../safety/gate.ts';
import type { ClauseResult } from './clause-result.ts';
import type { ShownLevel } from './contract.ts';
import type { Mode } from './settings.ts';
import type { Verdict } from './verdict.ts';

export type { ClauseResult, Observation } from './clause-result.ts';

/** What one command found. results.json holds this and nothing else, and every report is a pure function of it. */
export type Result = RunResult | FuzzResult | CompareResult | ProxyResult;

interface ResultHeader {
  /** Name and version of the suite. */
  suite: string;
  /** ISO 8601, as all times here. */
  startedAt: string;
  finishedAt: string;
}

/** What a command created on the target, and whether all of it was removed again. */
export interface Cleanup {
  cards: { created: number; voided: number; left: string[] };
  /** Other records that the command created and could not prove gone: a webhook with its URL, a coupon with its code. */
  recordsLeft: { what: string; value: string }[];
  /** Why cards and records are left: one sentence for each reason. */
  leftBecause: string[];
  /** What earlier runs left and this one could not remove: one sentence each. */
  leftBefore: string[];
  /** What failed while the command cleaned up or wrote its ledger. It still cleaned up everything else. */
  cleanupFault?: string;
}

/** What `run` found of each clause. */
export interface RunResult<Clause = ClauseResult> extends ResultHeader, Cleanup {
  kind: 'run';
  target: string;
  /** Ended early by a signal, after so many of the selected clauses. */
  interrupted?: { after: number; of: number };
  clauses: Clause[];
  requests: number;
  /** The largest number of requests sent within one minute. */
  peakPerMinute: number;
  mode: Mode;
  /** The cost of the whole run, cleanup included. */
  spent: Spent;
  planned?: PlannedCost;
  /** Requests not sent because the budget was used up. */
  heldBack: number;
  configuration: Configuration;
  /** Clauses that pass, and that the baseline lists as violated. */
  staleBaseline: ClauseName[];
}

/** The face value is in the account's currency. */
export type PlannedCost = Pick<Spent, 'requests' | 'creates' | 'faceValue'>;

/** The settings of a run that influence verdicts. Never contains a key. */
interface Configuration {
  /** The command that runs one clause again when the clause's name is appended. */
  again: string;
  /** Names of the profile entries that were given; their values may be secret. */
  profile: string[];
  /** The seed of generated input. */
  seed?: number;
  ratePerMinute?: number;
}

/** What `fuzz` found. */
export interface FuzzResult extends ResultHeader, Cleanup {
  kind: 'fuzz';
  target: string;
  seed: number;
  /** Test cases sent: single requests, or sequences of requests. */
  cases: number;
  /** Shorter cases that were sent to find the shortest failure. */
  shrinks: number;
  failures: FuzzFailure[];
  requests: number;
  /** Why it ended before all cases were sent. */
  endedEarly?: { because: 'unreachable' | 'not-sent' | 'defect' | 'interrupted'; detail: string };
}

export interface FuzzFailure {
  /** The clause that the target violates, if one states it. */
  clause?: ClauseName;
  did: string[];
  expected: string;
  got: string;
  /** The command that sends this case again. */
  again: string;
  exchanges: Exchange[];
}

/** What `compare` found. */
export interface CompareResult extends ResultHeader {
  kind: 'compare';
  again: string;
  a: Side;
  b: Side;
  /** Why it is unknown what changes on A from one run to the next; absent if A was run twice. */
  steadinessUnknown?: string;
  /** Clauses with a verdict on both sides, and how many of them are alike. */
  compared: number;
  alike: number;
  /** The most important first. */
  differences: Difference[];
  /** Clauses with a verdict on one side only. */
  uncompared: Uncompared[];
  /** Clauses with different outcomes in two runs on A. */
  unsteady: Unsteady[];
}

export interface Side {
  target: string;
  /** The result file, if the side was not run now. */
  file?: string;
  mode: Mode;
  runs: number;
  /** The cost of all runs, cleanup included. */
  spent: Spent;
  /** Sentences about what could not be removed. */
  leftBehind: string[];
  /** The exit code of each run. */
  exits: number[];
}

interface Compared {
  name: ClauseName;
  level: ShownLevel;
}

export interface Difference extends Compared {
  from: string[];
  text: string;
  /** One side violates the clause, both do in different ways, or they answer the question differently. */
  kind: 'violated' | 'violated-differently' | 'observation';
  a: Outcome;
  b: Outcome;
  /** The first step at which the exchanges differ, if one shows it. */
  step?: DifferingStep;
}

/** The outcome of a clause on one side. */
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
  /** What differs, with both values: "status: 200 on A, 400 on B". */
  differs: string[];
  /** Absent if the other side alone took this step. */
  a?: Exchange;
  b?: Exchange;
}

export interface Uncompared extends Compared {
  a: Outcome;
  b: Outcome;
  /** True if something went wrong; false if the target does not offer what the clause needs. */
  incomplete: boolean;
}

export interface Unsteady extends Compared {
  first: Outcome;
  second: Outcome;
}

/** What `proxy` saw. It sends nothing of its own. */
export interface ProxyResult extends ResultHeader {
  kind: 'proxy';
  target: string;
  /** The user said that no other client acts on the account. */
  onlyClient: boolean;
  /** All exchanges that passed. */
  requests: number;
  /** Requests without an answer of the target. */
  lost: number;
  /** Requests for paths outside the service. */
  notService: number;
  /** Exchanges whose bodies could not be read, so that only their status was checked. */
  unread: number;
  /** Exchanges that could not be checked because of a defect of the proxy. */
  faults: number;
  /** How often each clause held. */
  held: { clause: ClauseName; times: number }[];
  findings: ProxyFinding[];
  /** The exchanges that the findings name. */
  exchanges: NumberedExchange[];
}

/**
 * `violated`: the target violates the clause. `possible`: it does, unless another client acted. `client`: the request does not follow the contract.
 * `open`: what the target does where the specification leaves a choice.
 */
export type FindingKind = 'violated' | 'possible' | 'client' | 'open';

export interface ProxyFinding {
  kind: FindingKind;
  /** Absent for a request that does not follow the contract. */
  clause?: ClauseName;
  what: string;
  times: number;
  /** Numbers of the exchanges that show it; the last one was being checked. */
  exchanges: number[];
}

export interface NumberedExchange extends Exchange {
  n: number;
}

export const count = ({ clauses }: Pick<RunResult, 'clauses'>, verdict: Verdict): number =>
  clauses.filter((clause) => clause.verdict === verdict).length;
