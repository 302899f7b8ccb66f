import type { Behaviors } from '../../../openapi/generated/clauses.ts';

/** http.date-without-time: a date alone is the beginning of that day in UTC, where a reading takes it. */
export function withMidnight(text: string, asking: Behaviors): string {
  return asking['http.date-without-time'] === 'midnight' && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}
