import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levelOf } from '../core/contract.ts';

/**
 * What is to be said of an exchange, worst first. `violated`: a stated clause does not hold. `unexpected`: nor does one that is our own expectation.
 * `cannot-tell`: it would not hold if nobody else had acted. `client`: the request is not as the specification has it. `open`: the deployment answers what is
 * left open in a way of its own, which is no fault.
 */
export type Kind = (typeof kinds)[number];

export const kinds = ['violated', 'unexpected', 'cannot-tell', 'client', 'open'] as const;

export interface Finding {
  readonly kind: Kind;
  readonly clause: ClauseName | undefined;
  /** In one sentence or two, with cards and exchanges by their numbers. */
  readonly what: string;
  /** The exchanges that show it, the last of them the one that was being judged. */
  readonly exchanges: readonly number[];
}

/** Where those who judge say what they find. */
export interface Docket {
  /** Whether the user says that nobody else acts on the account. */
  readonly onlyClient: boolean;
  holds(clause: ClauseName): void;
  /** What no other client can have caused. */
  violates(clause: ClauseName, what: string, ...exchanges: number[]): void;
  /** What somebody else may have caused, such as another client, an automation, the dashboard, a clock. */
  contradicts(clause: ClauseName, what: string, ...exchanges: number[]): void;
  client(what: string, exchange: number): void;
  open(clause: ClauseName | undefined, what: string, exchange: number): void;
}

/** Counts what held and collects what did not. What is said of the client and of what is open is said once, however often it comes. */
export class Tally implements Docket {
  readonly onlyClient: boolean;
  readonly findings: Finding[] = [];
  /** How often each clause held. */
  readonly held = new Map<ClauseName, number>();
  readonly #say: (finding: Finding) => void;
  readonly #said = new Map<string, number>();

  constructor(onlyClient: boolean, say: (finding: Finding) => void) {
    this.onlyClient = onlyClient;
    this.#say = say;
  }

  holds(clause: ClauseName): void {
    this.held.set(clause, (this.held.get(clause) ?? 0) + 1);
  }

  violates(clause: ClauseName, what: string, ...exchanges: number[]): void {
    this.#add({ kind: levelOf(clause) === 'robustness' ? 'unexpected' : 'violated', clause, what, exchanges });
  }

  contradicts(clause: ClauseName, what: string, ...exchanges: number[]): void {
    if (this.onlyClient) this.violates(clause, what, ...exchanges);
    else this.#add({ kind: 'cannot-tell', clause, what, exchanges });
  }

  client(what: string, exchange: number): void {
    this.#once({ kind: 'client', clause: undefined, what, exchanges: [exchange] });
  }

  open(clause: ClauseName | undefined, what: string, exchange: number): void {
    this.#once({ kind: 'open', clause, what, exchanges: [exchange] });
  }

  /** How often that was found, which is listed once. */
  timesOf({ kind, clause, what }: Finding): number {
    return this.#said.get(`${kind} ${clause} ${what}`) ?? 1;
  }

  #once(finding: Finding): void {
    const key = `${finding.kind} ${finding.clause} ${finding.what}`;
    const times = this.#said.get(key) ?? 0;
    this.#said.set(key, times + 1);
    if (times === 0) this.#add(finding);
  }

  #add(finding: Finding): void {
    this.findings.push(finding);
    this.#say(finding);
  }
}
