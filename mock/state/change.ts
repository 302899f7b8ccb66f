import type { Tables } from './records.ts';

/** Adds a record, or replaces the record that has the same ID. */
export type Put = { [T in keyof Tables]: { readonly table: T; readonly put: Tables[T] } & Backdated }[keyof Tables];

interface Backdated {
  /** True if a card is added with its last update in the past. Cards that were updated later stay before the card in the list. */
  readonly isBackdated?: boolean;
}

/** Removes a record. Cards and adjustments are never removed. */
interface Removal {
  readonly table: 'webhooks' | 'coupons';
  readonly remove: string;
}

/** A change of the state, as a value. */
export type Change = Put | Removal;

/** All records of an account. Each table is in the order of insertion. */
export type Records = { readonly [T in keyof Tables]: readonly Tables[T][] } & {
  /** Positions in `cards`, in the order of the cards' last update, newest last. */
  readonly updated: readonly number[];
};
