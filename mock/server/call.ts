import type { Guard } from '../control/guard.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { DatedResponse } from './http.ts';

/** A request, and what another replica needs to handle it in the same way. */
export interface ForwardedCall {
  readonly request: ServiceRequest;
  /** The clients that may use the control API. Undefined for a request to the service. */
  readonly guard: Guard | undefined;
}

export type Handle = (call: ForwardedCall) => DatedResponse | Promise<DatedResponse>;
