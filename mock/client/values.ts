import { isDate } from 'node:util/types';

/** A Date, or a text in ISO 8601. */
export type Time = string | Date;

/** Throws TypeError for an invalid Date and for other values. Inside Jest, `instanceof Date` is false for the dates of a test. */
export function timeText(at: Time): string {
  if (typeof at === 'string') return at;
  if (isDate(at) && !Number.isNaN(at.getTime())) return at.toISOString();
  throw new TypeError(`A time must be a text such as "2027-01-31T00:00:00Z" or a Date, got ${String(at)}.`);
}
