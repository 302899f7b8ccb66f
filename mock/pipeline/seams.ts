import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract/contract.ts';
import type { Context, Decision, Outcome } from '../domain/outcome.ts';
import type { Cause } from '../outbound/cause.ts';
import type { Post } from '../outbound/post.ts';
import type { Change } from '../state/change.ts';
import type { View } from '../state/view.ts';
import type { Answer, ServiceRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';

/** Hooks for scripts/mutants, which makes the mock violate a clause. A user's mock has no hooks. */
export interface Seams {
  /** Wraps the handling of a whole request. */
  exchange?<Handled extends { readonly answer: Answer; readonly operation: { readonly id: OperationId } | undefined }>(
    request: ServiceRequest,
    next: (request: ServiceRequest) => Handled,
  ): Handled;
  /** Wraps the decision of an operation. */
  decide?(operation: OperationId, input: Input, context: Context, next: Decide): Outcome<unknown> | Refusal;
  /** Replaces a decision before its commit. `cause` is a request, the clock or the control API. */
  commit?(decision: Decision, cause: Cause, state: View): Decision;
  /** Replaces changes, such as a webhook's failure count, before they are applied. */
  apply?(changes: readonly Change[], cause: Cause, state: View): readonly Change[];
  /** Replaces the function that posts a delivery. */
  post?(next: Post): Post;
}

type Decide = (input: Input, context: Context) => Outcome<unknown> | Refusal;
