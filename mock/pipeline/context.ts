import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { KeyHolder, Keys } from '../account/keys.ts';
import type { Contract, Input, ServiceOperation } from '../contract/contract.ts';
import type { Route } from '../contract/router.ts';
import type { StruckRequest } from '../faults/faults.ts';
import type { Cause } from '../outbound/cause.ts';
import type { Answer, ServiceRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';
import type { Seams } from './seams.ts';

/** What a request needs of the sandbox around it. */
export interface Service {
  /** For callers whose account is unknown. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  readonly clock: { now(): number };
  readonly keyHolders: Keys;
  readonly seams: Seams;
  /** Logs a defect of ours, which the caller sees as a bare 500. */
  defect(error: unknown, request: ServiceRequest): void;
}

/** A request on its path: who sends it, and what it means. */
export interface RequestContext {
  readonly request: ServiceRequest;
  readonly identified: KeyHolder | Refusal;
  readonly holder: KeyHolder | undefined;
  /** Of the holder's account, or of the sandbox if the caller is unknown. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  readonly now: number;
  /** Or the methods that the path has; none for an unknown path. */
  readonly route: Route<ServiceOperation> | readonly string[];
}

/** The answer to a request, and what the log and the journal tell about it. */
export interface HandledRequest {
  readonly answer: Answer;
  readonly holder: KeyHolder | undefined;
  readonly refusal: Refusal | undefined;
  readonly operation: ServiceOperation | undefined;
  /** Undefined for a request that was refused before it was parsed. */
  readonly input: Input | undefined;
  /** Of the changes; a refusal causes none. */
  readonly cause: Cause | undefined;
  /** The fault that the control API set for this request. */
  readonly fault: StruckRequest | undefined;
}
