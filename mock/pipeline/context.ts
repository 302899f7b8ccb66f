import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account/account.ts';
import type { KeyHolder, Keys } from '../account/keys.ts';
import type { Contract, Input } from '../contract/contract.ts';
import type { Found, Operation } from '../contract/paths.ts';
import type { StruckRequest } from '../faults/faults.ts';
import type { Cause } from '../outbound/cause.ts';
import type { Answer, ServiceRequest } from './exchange.ts';
import type { RateWindows } from './rate-limit.ts';
import type { Refusal } from './refusal.ts';
import type { Seams } from './seams.ts';

/** What the way of a request needs of the sandbox around it. */
export interface Service {
  /** As it is spoken to those whose account is not known, with the behaviors behind it. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  readonly clock: { now(): number };
  readonly rates: RateWindows;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly keyHolders: Keys;
  readonly seams: Seams;
  /** Told of every defect of ours, which the caller sees as 500 and nothing more. */
  defect(error: unknown, request: ServiceRequest): void;
}

/** A request on its way, and what is clear of it so far. */
export interface Asked {
  readonly service: Service;
  readonly request: ServiceRequest;
  readonly identified: KeyHolder | Refusal;
  readonly holder: KeyHolder | undefined;
  /** Of the holder's account, or of the sandbox where nobody is known. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  /** The same where requests are read otherwise than by default. */
  readonly asking: Behaviors | undefined;
  readonly now: number;
  readonly found: Found | Refusal;
  /** Clear once the contract has read it. */
  input: Input | undefined;
}

/** An answer, with whose it was, how far the request came and the refusal behind it, for log and journal. */
export interface Handled {
  readonly answer: Answer;
  readonly holder: KeyHolder | undefined;
  readonly refusal: Refusal | undefined;
  readonly operation: Operation | undefined;
  /** Once the contract has read it. */
  readonly input: Input | undefined;
  /** Of what was carried out; a refusal causes nothing. */
  readonly cause: Cause | undefined;
  /** What was set at the control door to go wrong with this call. */
  readonly fault: StruckRequest | undefined;
}
