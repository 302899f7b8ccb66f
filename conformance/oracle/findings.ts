import type { RuleName } from '../../openapi/generated/rules.ts';
import type { KnownAccount, KnownCard } from './account.ts';
import type { ObservedCall, Span } from './call.ts';

/** `possible`: violated, unless another client changed the account. `client`: the request differs from the contract. `open`: the response differs where the specification states nothing. */
export type FindingKind = 'violated' | 'possible' | 'client' | 'open';

export interface Finding {
  readonly kind: FindingKind;
  readonly rule: RuleName | undefined;
  /** One or two sentences. They name cards and exchanges by number, and contain no values of the client. */
  readonly what: string;
  /** The numbers of the exchanges that show the finding. The last number is the number of the checked exchange. */
  readonly exchanges: readonly number[];
}

/** A call to check, and the oracle's knowledge about the call's account. */
export interface OracleCheck {
  readonly call: ObservedCall;
  readonly account: KnownAccount;
  /** The code or ID in the request. Undefined if services may read the code or ID in different ways. */
  readonly name: string | undefined;
  /** The only known card that the request can mean. Undefined if the card is unknown or uncertain. */
  readonly card: KnownCard | undefined;
  /** The rule about the response to a successful call. */
  readonly rule: RuleName;
  readonly findings: Findings;
}

/** Collects the findings of the checks, and counts how often each rule held. */
export class Findings {
  readonly isOnlyClient: boolean;
  readonly timesHeld = new Map<RuleName, number>();
  /** The number of the exchange under check. */
  checked = 0;
  #findings: Finding[] = [];

  constructor(isOnlyClient: boolean) {
    this.isOnlyClient = isOnlyClient;
  }

  addHeld(rule: RuleName): void {
    this.timesHeld.set(rule, (this.timesHeld.get(rule) ?? 0) + 1);
  }

  /** Counts a rule that holds. Otherwise adds a violation that no other client can have caused. `earlier` are the earlier exchanges that show the violation. */
  check(holds: boolean, rule: RuleName, what: string, ...earlier: Span[]): void {
    this.#add(holds, 'violated', rule, what, earlier);
  }

  /** Counts a rule that holds. Otherwise adds a violation that another client, the merchant or an automation may explain. */
  checkPossible(holds: boolean, rule: RuleName, what: string, ...earlier: Span[]): void {
    this.#add(holds, this.isOnlyClient ? 'violated' : 'possible', rule, what, earlier);
  }

  #add(holds: boolean, kind: FindingKind, rule: RuleName, what: string, earlier: readonly Span[]): void {
    if (holds) this.addHeld(rule);
    else this.#findings.push({ kind, rule, what, exchanges: [...earlier.map(({ n }) => n), this.checked] });
  }

  /** Returns the findings since the last call. */
  take(): Finding[] {
    return this.#findings.splice(0);
  }
}
