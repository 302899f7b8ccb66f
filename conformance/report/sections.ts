import type { ClauseResult } from '../core/result.ts';

/** The headings of the specification that clauses come from, in its order. */
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

interface Section<C> {
  readonly heading: string;
  readonly clauses: readonly C[];
}

/** A clause that several sections speak of stands in the first that it names. */
export const headingOf = ({ from }: Pick<ClauseResult, 'from'>): string => from[0]?.split(', ', 1)[0] ?? 'Elsewhere';

/** The clauses by section of the specification, in its order; those of a heading that nobody knows come last. */
export function bySection<C extends Pick<ClauseResult, 'from'>>(clauses: readonly C[]): Section<C>[] {
  const found = new Map<string, C[]>();
  for (const clause of clauses) found.set(headingOf(clause), [...(found.get(headingOf(clause)) ?? []), clause]);
  return [...new Set([...headings, ...found.keys()])].flatMap((heading) => {
    const of = found.get(heading);
    return of ? [{ heading, clauses: of }] : [];
  });
}
