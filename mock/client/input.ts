import type { operations } from '../control/generated/types.ts';
import type { Input } from '../control/operation-types.ts';

/** What an operation of the control API takes as its body, and what narrows its list. */
export type Body<Id extends keyof operations> = NonNullable<Input<Id>['body']>;
export type Query<Id extends keyof operations> = Partial<Input<Id>['query']>;

/** A moment in UTC: ISO 8601, or a Date. */
export type Moment = string | Date;

/** Throws TypeError for what is no moment, so that nothing is sent. */
export function text(at: Moment): string {
  if (typeof at === 'string') return at;
  if (at instanceof Date && !Number.isNaN(at.getTime())) return at.toISOString();
  throw new TypeError(`A moment is a text such as "2027-01-31T00:00:00Z" or a Date, not ${said(at)}.`);
}

/** A value as a sentence has it. */
export function said(value: unknown): string {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && !(value instanceof Date))
    ? JSON.stringify(value)
    : String(value);
}
