import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levelOf } from '../core/contract.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Kind } from './finding.ts';

/** What a proxy saw pass, beside the verdicts of a result; it sends nothing of its own. */
export interface Watched {
  /** The user said that nobody else acts on the account, so that nothing is left that cannot be told. */
  onlyClient: boolean;
  /** How often each clause held. */
  held: Held[];
  /** In the order in which they were made. */
  findings: WatchedFinding[];
  /** Those of the exchanges that show findings, by number; of many findings of a clause the first ones. */
  exchanges: WatchedExchange[];
  /** Requests that got no answer of the target. */
  lost: number;
  /** Requests that are none of the service. */
  beside: number;
  /** Exchanges of the service with a body that was too large or too deep, or packed in a way that is not known here, or that could not be judged, so that they were judged by their status alone. */
  unread?: number;
  /** The names, places and wrappers of a facts file that was given. */
  facts?: WatchedRow[];
}

export interface Held {
  clause: ClauseName;
  times: number;
}

export interface WatchedFinding {
  kind: Kind;
  /** None of a request that is not as the specification has it. */
  clause?: string;
  /** A sentence or two, with cards and exchanges by their numbers. */
  what: string;
  /** How often that was found. */
  times: number;
  /** The exchanges that show it, by number, the last of them the one that was judged. */
  exchanges: number[];
}

export interface WatchedExchange extends Exchange {
  n: number;
}

/** A row by which the deployment was read. */
export interface WatchedRow {
  /** Whether it is about the name or the place of something, or about what an answer stands in. */
  kind: 'name' | 'wrapper';
  /** Such as "GiftCard.initialValue under openingValue". */
  row: string;
  /** The clause and its reading, or wire. */
  from: string;
  /** The first exchange that it was met by. */
  met?: number;
  /** The first exchange that showed it under the name of the contract, or not wrapped so. */
  otherwise?: number;
}

/** Violated clauses; of everything else, the findings. */
export function countOf({ findings }: Watched, kind: Kind): number {
  const those = findings.filter((finding) => finding.kind === kind);
  return kind === 'violated' ? new Set(those.map(({ clause }) => clause)).size : those.length;
}

/** Clauses that held each time, as far as anybody can tell. */
export function heldOf({ clauses, watched }: RunResult): ClauseResult[] {
  const held = new Set(watched?.held.map(({ clause }) => clause));
  return clauses.filter(({ name, verdict }) => verdict !== 'fail' && held.has(name));
}

/** 0 a stated clause was held and none violated · 1 one was violated · 3 the target gave no whole answer at all · 4 nothing that is stated could be judged. */
export function exitOf(watched: Watched, exchanges: number): number {
  if (countOf(watched, 'violated') > 0) return 1;
  if (exchanges > 0 && watched.lost === exchanges) return 3;
  return watched.held.some(({ clause }) => levelOf(clause) === 'stated') ? 0 : 4;
}
