import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Watched } from '../proxy/watched.ts';
import type { Spent } from '../safety/gate.ts';
import type { Mode } from '../safety/policy.ts';
import type { ShownLevel } from './contract.ts';
import type { Reason, Verdict } from './verdict.ts';

/** What a run found. Every report is a pure function of this, and results.json holds this and nothing else. */
export interface RunResult {
  suite: string;
  target: string;
  startedAt: string;
  finishedAt: string;
  /** Ended early from outside, so that this is a part only of what was asked for. */
  interrupted?: Interrupted;
  clauses: ClauseResult[];
  cards: { created: number; voided: number; left: string[] };
  /** Other records that the run made and could not prove gone. */
  recordsLeft: RecordLeft[];
  /** Why cards and records are left, a sentence for each reason. */
  leftBecause?: string[];
  /** What earlier runs have left and could not be taken away, a sentence each. */
  leftBefore?: string[];
  requests: number;
  /** The most requests that left within any one minute. */
  peakPerMinute: number;
  mode: Mode;
  /** What the whole run cost, cleaning up and what went before it included. */
  spent: Spent;
  /** What it was planned to cost, where it was planned. */
  planned?: PlannedCost;
  /** How often a request was held back because the budget was used up. */
  heldBack: number;
  configuration: Configuration;
  /** Operations that broke each time when they were to take away what the run had made, whatever else took it away then. */
  cleaningBroke?: CleaningBroke[];
  /** Of a facts file that was given: what it knows and the run did not see. */
  stale?: StaleFact[];
  /** Clauses that the baseline says to be violated, and that passed. */
  staleBaseline: ClauseName[];
  /** What broke while the run took away what it had made, or wrote down that it did; everything else was still taken away. */
  cleanupFault?: string;
  /** Of a proxy, which judges what others send. */
  watched?: Watched;
}

/** Clauses that had their turn, of those that were asked for; the others stand nowhere. */
export interface Interrupted {
  after: number;
  of: number;
}

export interface CleaningBroke {
  /** As the contract has it: DELETE /api/GiftCard/VoidById/{id}. */
  operation: string;
  statuses: number[];
}

/** A webhook by its URL, a coupon by its code. */
interface RecordLeft {
  what: string;
  value: string;
}

/** The face value is in the account's currency. */
export type PlannedCost = Pick<Spent, 'requests' | 'creates' | 'faceValue'>;

/** How the run was set up, as far as it bears on the verdicts; never a key. */
interface Configuration {
  /** The command that judges a clause once more when the clause's name is put behind it. */
  again: string;
  /** Entries of the profile that were given; their values may be secret. */
  profile: string[];
  /** From which odd input was made. */
  seed?: number;
  ratePerMinute?: number;
}

export interface ClauseResult {
  name: ClauseName;
  level: ShownLevel;
  from: string[];
  text: string;
  verdict: Verdict;
  /** Why not tested, from the closed list. */
  reason?: Reason;
  /** What stood in the way of a verdict. */
  detail?: string;
  /** Of an `error`: whether the target gave no answer or the suite broke. */
  fault?: 'transport' | 'suite';
  did: string[];
  expected?: string;
  got?: string;
  control?: string;
  usedFacts: string[];
  notJudged?: string;
  /** How the target answers the question of an open or ambiguous clause. */
  fact?: Fact;
  /** Of a `known-fail`: why the baseline puts up with it. */
  known?: string;
  ms: number;
  exchanges: Exchange[];
}

/** One of the clause's behaviors, or null for something that none of them foresaw; `told` says it in words. */
export interface Fact {
  reading: string | null;
  told: string;
  /** Rows by which the contract speaks as the target does, where no reading has it so. */
  wire?: unknown[];
  /** Beside what the facts file knows, where one was given. */
  since?: 'new' | 'same' | 'changed';
  /** What was known of it, where that has changed. */
  was?: string;
  /** What was known was chosen by hand, and holds on. */
  pinned?: true;
}

/** What a facts file knows of a clause and the run did not see: it was asked and did not show itself, or it was not asked and was seen long ago. */
export interface StaleFact {
  name: ClauseName;
  was: string;
  /** When it was seen last, where that is known. */
  at?: string;
  why: 'not-seen' | 'old';
}

export const count = (result: RunResult, verdict: Verdict): number =>
  result.clauses.filter((clause) => clause.verdict === verdict).length;
