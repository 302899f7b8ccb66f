import type { ClauseName } from '../../openapi/generated/clauses.ts';

/**
 * `violated`: a clause that is stated (or, at level robustness, expected) does not hold, and no other client can have caused it.
 * `possible`: it does not hold unless another client, the dashboard or an automation acted.
 * `client`: the request differs from the contract. `open`: the answer differs from the contract where the specification states nothing.
 */
export type FindingKind = 'violated' | 'possible' | 'client' | 'open';

export interface Finding {
  readonly kind: FindingKind;
  readonly clause: ClauseName | undefined;
  /** One or two sentences that name cards and exchanges by number and contain no values of the client. */
  readonly what: string;
  /** The numbers of the exchanges that show it, from 1; the last is the one that was checked. */
  readonly exchanges: readonly number[];
}

/** Collects what the checks find. */
export class Findings {
  /** Nobody else acts on the account: a possible violation is a certain one. */
  readonly onlyClient: boolean;
  /** How often each clause held. */
  readonly held = new Map<ClauseName, number>();
  #untaken: Finding[] = [];

  constructor(onlyClient: boolean) {
    this.onlyClient = onlyClient;
  }

  holds(clause: ClauseName): void {
    this.held.set(clause, (this.held.get(clause) ?? 0) + 1);
  }

  violated(clause: ClauseName, what: string, ...exchanges: number[]): void {
    this.#untaken.push({ kind: 'violated', clause, what, exchanges });
  }

  possible(clause: ClauseName, what: string, ...exchanges: number[]): void {
    this.#untaken.push({ kind: this.onlyClient ? 'violated' : 'possible', clause, what, exchanges });
  }

  client(what: string, exchange: number): void {
    this.#untaken.push({ kind: 'client', clause: undefined, what, exchanges: [exchange] });
  }

  open(what: string, exchange: number): void {
    this.#untaken.push({ kind: 'open', clause: undefined, what, exchanges: [exchange] });
  }

  /** Returns the findings since the last call. */
  take(): Finding[] {
    return this.#untaken.splice(0);
  }
}
