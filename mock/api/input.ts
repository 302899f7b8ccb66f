import type { Input } from '../control/action.ts';
import type { OperationId } from '../control/generated/validators.js';

/** What an operation of the control door takes as its body, and what narrows its list. */
export type Body<Id extends OperationId> = NonNullable<Input<Id>['body']>;
export type Query<Id extends OperationId> = Partial<Input<Id>['query']>;

/** A moment in UTC: ISO 8601, or a Date. */
export type Moment = string | Date;

export function text(at: Moment): string {
  return typeof at === 'string' ? at : at.toISOString();
}
