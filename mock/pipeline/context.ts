import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { KeyHolder, Keys } from '../account/keys.ts';
import type { Contract, ServiceOperation } from '../contract/contract.ts';
import type { Route } from '../contract/router.ts';
import type { ServiceRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';
import type { Seams } from './seams.ts';

/** What `handle` needs of the sandbox. */
export interface Service {
  /** For requests without a valid key. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  readonly clock: { now(): number };
  readonly keyHolders: Keys;
  readonly seams: Seams;
  /** Logs a defect of the mock; the client gets a bare 500. */
  defect(error: unknown, request: ServiceRequest): void;
}

/** A request, with everything that is known before its first check. */
export interface RequestContext {
  readonly request: ServiceRequest;
  /** The owner of the key in the request, or why the key is not valid. */
  readonly identified: KeyHolder | Refusal;
  /** The contract, behaviors and time of the key's account; those of the sandbox if the key is not valid. */
  readonly contract: Contract;
  readonly behaviors: Behaviors;
  readonly now: number;
  /** The operation; or the methods of the path, none if the path is unknown. */
  readonly route: Route<ServiceOperation> | readonly string[];
}
