import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { KeyHolder, Keys } from '../account/keys.ts';
import type { Contract, ServiceOperation } from '../contract/contract.ts';
import type { Route } from '../contract/router.ts';
import type { ServiceRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';

/** The parts of the sandbox that `handle` needs. */
export interface Service {
  /** Contract, behaviors and clock are used for a request without a valid key. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  readonly clock: { now(): number };
  readonly keyHolders: Keys;
  /** Logs a defect of the mock. The client gets a 500 without details. */
  defect(error: unknown, request: ServiceRequest): void;
}

/** A request, and the values that are known before its first check. */
export interface RequestContext {
  readonly request: ServiceRequest;
  /** The owner of the request's key, or the refusal of the key. */
  readonly identified: KeyHolder | Refusal;
  /** Contract, behaviors and time belong to the key's account, or to the sandbox if the key is not valid. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  readonly now: number;
  /** The route. If no operation matches, the methods of the path; an unknown path has no methods. */
  readonly route: Route<ServiceOperation> | readonly string[];
}
