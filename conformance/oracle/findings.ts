import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { FindingKind } from '../core/result.ts';
import type { Account, KnownCard } from './account.ts';
import type { Call, Span } from './call.ts';

export interface Finding {
  readonly kind: FindingKind;
  readonly clause: ClauseName | undefined;
  /** One or two sentences. They name cards and exchanges by number, and contain no values of the client. */
  readonly what: string;
  /** The numbers of the exchanges that show the finding. The last number is the number of the checked exchange. */
  readonly exchanges: readonly number[];
}

/** A call to check, and the oracle's knowledge about the call's account. */
export interface Check {
  readonly call: Call;
  readonly account: Account;
  /** The code or ID in the request. Undefined if services may read the code or ID in different ways. */
  readonly name: string | undefined;
  /** The only known card that the request can mean. Undefined if the card is unknown or uncertain. */
  readonly card: KnownCard | undefined;
  /** The clause about the answer to a successful call. */
  readonly clause: ClauseName;
  readonly findings: Findings;
}

/** Collects the findings of the checks, and counts how often each clause held. */
export class Findings {
  readonly isOnlyClient: boolean;
  readonly timesHeld = new Map<ClauseName, number>();
  /** The number of the exchange under check. */
  checked = 0;
  #findings: Finding[] = [];

  constructor(isOnlyClient: boolean) {
    this.isOnlyClient = isOnlyClient;
  }

  addHeld(clause: ClauseName): void {
    this.timesHeld.set(clause, (this.timesHeld.get(clause) ?? 0) + 1);
  }

  /** Counts a clause that holds. Otherwise adds a violation that no other client can have caused. `earlier` are the earlier exchanges that show the violation. */
  check(holds: boolean, clause: ClauseName, what: string, ...earlier: Span[]): void {
    this.#add(holds, 'violated', clause, what, earlier);
  }

  /** Counts a clause that holds. Otherwise adds a violation that another client, the dashboard or an automation may explain. */
  checkPossible(holds: boolean, clause: ClauseName, what: string, ...earlier: Span[]): void {
    this.#add(holds, this.isOnlyClient ? 'violated' : 'possible', clause, what, earlier);
  }

  #add(holds: boolean, kind: FindingKind, clause: ClauseName, what: string, earlier: readonly Span[]): void {
    if (holds) this.addHeld(clause);
    else this.#findings.push({ kind, clause, what, exchanges: [...earlier.map(({ n }) => n), this.checked] });
  }

  /** Returns the findings since the last call. */
  take(): Finding[] {
    return this.#findings.splice(0);
  }
}
