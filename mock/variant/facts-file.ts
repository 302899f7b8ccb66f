import type { Row } from '../../openapi/effective/rows.ts';
import type { Behaviors } from '../../openapi/generated/clauses.ts';

/** What is known of a deployment: which reading of a clause it has, and rows for what nobody foresaw. It stands alone, since the package hands it out. */
export interface FactsFile {
  readonly facts?: Partial<Behaviors>;
  readonly wire?: readonly Row[];
  /** Which deployment it is, when it was seen and by what; nothing follows from it. */
  readonly about?: { readonly target?: string; readonly at?: string; readonly by?: string };
  /** What was seen and is none of the behaviors, in words; nothing follows from it. */
  readonly unforeseen?: Readonly<Record<string, string>>;
  /** When and by what each was seen, and which of them somebody chose by hand, with the day; nothing follows from either. */
  readonly seen?: Readonly<Record<string, unknown>>;
  readonly pinned?: Readonly<Record<string, string>>;
}
