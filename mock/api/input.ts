import type { operations } from '../control/generated/types.ts';
import type { Input } from '../control/handed.ts';

/** What an operation of the control door takes as its body, and what narrows its list. */
export type Body<Id extends keyof operations> = NonNullable<Input<Id>['body']>;
export type Query<Id extends keyof operations> = Partial<Input<Id>['query']>;

/** A moment in UTC: ISO 8601, or a Date. */
export type Moment = string | Date;

export function text(at: Moment): string {
  return typeof at === 'string' ? at : at.toISOString();
}
