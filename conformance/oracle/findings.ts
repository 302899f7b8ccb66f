import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { FindingKind } from '../core/result.ts';

/** What one or several exchanges show. */
export interface Finding {
  readonly kind: FindingKind;
  readonly clause: ClauseName | undefined;
  /** One or two sentences that name cards and exchanges by number and contain no values of the client. */
  readonly what: string;
  /** The numbers of the exchanges that show it, from 1. The last one is the exchange that was checked. */
  readonly exchanges: readonly number[];
}

/** Collects the findings of the checks, and counts how often each clause held. */
export class Findings {
  /** No other client acts on the account, so that a possible violation is a certain one. */
  readonly isOnlyClient: boolean;
  readonly timesHeld = new Map<ClauseName, number>();
  #findings: Finding[] = [];

  constructor(isOnlyClient: boolean) {
    this.isOnlyClient = isOnlyClient;
  }

  addHeld(clause: ClauseName): void {
    this.timesHeld.set(clause, (this.timesHeld.get(clause) ?? 0) + 1);
  }

  /** Adds a violation that no other client can have caused. */
  addViolation(clause: ClauseName, what: string, ...exchanges: number[]): void {
    this.#findings.push({ kind: 'violated', clause, what, exchanges });
  }

  /** Adds a violation that another client, the dashboard or an automation may explain. */
  addPossible(clause: ClauseName, what: string, ...exchanges: number[]): void {
    this.#findings.push({ kind: this.isOnlyClient ? 'violated' : 'possible', clause, what, exchanges });
  }

  /** Counts the clause if it holds; otherwise adds a violation. */
  check(holds: boolean, clause: ClauseName, what: string, ...exchanges: number[]): void {
    if (holds) this.addHeld(clause);
    else this.addViolation(clause, what, ...exchanges);
  }

  /** Counts the clause if it holds; otherwise adds a possible violation. */
  checkPossible(holds: boolean, clause: ClauseName, what: string, ...exchanges: number[]): void {
    if (holds) this.addHeld(clause);
    else this.addPossible(clause, what, ...exchanges);
  }

  /** Returns the findings since the last call. */
  take(): Finding[] {
    return this.#findings.splice(0);
  }
}
