import type { Row } from '../../openapi/effective/rows.ts';
import type { Behaviors } from '../../openapi/generated/clauses.ts';

/** What a variant file says: options of open questions, and overrides of names, places, statuses and bodies. */
export interface Variant {
  readonly behaviors: Partial<Behaviors>;
  readonly overrides: readonly Row[];
}
