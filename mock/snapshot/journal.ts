import type { JournalState } from '../journal/journal.ts';
import type { Shape } from './shape.ts';

/** Not checked until the schema is generated from the types. */
export const journal: Shape<JournalState> = (value) => value as JournalState;
