import type { ClauseResult } from '../core/result.ts';

/** The headings of the specification, in its order. */
export const headings: readonly string[] = [
  'Gift Card Service API Specification',
  'What the service does',
  'Gift card: create request fields',
  'Gift card: response',
  'Adjustment',
  'Webhook',
  'Webhook delivery payload',
  'Other records',
  'States and transitions',
  'Endpoints',
  'List parameters',
  'Adjustment rules',
  'Automation event request',
  'Idempotency',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];

/** The first section that the clause names. */
export const headingOf = ({ from }: Pick<ClauseResult, 'from'>): string => from[0]?.split(', ', 1)[0] ?? 'Other';

/** Clauses by section, in the order of the specification; unknown sections come last. */
export function bySection<C extends Pick<ClauseResult, 'from'>>(clauses: readonly C[]): { heading: string; clauses: C[] }[] {
  const all = [...new Set([...headings, ...clauses.map(headingOf)])];
  return all.flatMap((heading) => {
    const own = clauses.filter((clause) => headingOf(clause) === heading);
    return own.length > 0 ? [{ heading, clauses: own }] : [];
  });
}
