import type { Input, ServiceOperation } from '../contract/contract.ts';
import type { MatchedRequest } from '../faults/faults.ts';
import type { ChangeSummary } from '../journal/change-summary.ts';
import type { Cause } from '../outbound/cause.ts';
import type { ServiceResponse } from './exchange.ts';
import type { Refusal } from './refusal.ts';

/** The response to a request, and the values that the log and the journal record. */
export interface HandledRequest {
  readonly response: ServiceResponse;
  /** The time on the account's clock. */
  readonly at: number;
  /** Undefined if the request has no valid key. */
  readonly accountId: string | undefined;
  readonly refusal: Refusal | undefined;
  readonly operation: ServiceOperation | undefined;
  /** Undefined if the request was refused before parsing. */
  readonly input: Input | undefined;
  /** The cause of the request's changes, if it makes any. Undefined for most refusals. */
  readonly cause: Cause | undefined;
  /** The changes in short form. */
  readonly touched: readonly ChangeSummary[];
  readonly fault: MatchedRequest | undefined;
}
