import type { Row } from '../../openapi/effective/rows.ts';
import type { Readings } from '../../openapi/generated/clauses.ts';

/** What is known of a deployment: which reading of a clause it has, and rows for what nobody foresaw. It stands alone, since the package hands it out. */
export interface FactsFile {
  readonly facts?: Partial<Readings>;
  readonly wire?: readonly Row[];
}
