import type { Tables } from './records.ts';

/** A kind of row in the store. Most rows are records of an account, or entries of its logs. */
export type RowKind =
  | keyof Tables
  | 'head'
  | 'probe'
  | 'progress'
  | 'scheduler'
  | 'outbox'
  | 'deliveries'
  | 'pushes'
  | 'suppressed'
  | 'journal'
  | 'responses';

/**
 * Persists a row, and replaces the row with the same key. A row without a key is new. If `value` is undefined, removes the row. If `value`
 * is a function, the store calls it when it writes the row. The store itself reads the values of `head` and `progress`.
 */
export type Persist = (kind: RowKind, key: string | number | undefined, value: unknown) => void;
