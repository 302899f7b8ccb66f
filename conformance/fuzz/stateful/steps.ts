/**
 * One step of a walk, as data and nothing else, so that it shrinks, and is made again from a seed. Cards and adjustments are named by a number that counts round
 * those that there are; amounts are in the smallest unit of the account's currency, or say how far they are from what is on the card.
 */
export type Step =
  | { readonly does: 'create'; readonly amount: number }
  | { readonly does: 'top-up'; readonly card: number; readonly by: By; readonly amount: number }
  | { readonly does: 'redeem'; readonly card: number; readonly by: By; readonly amount: number }
  /** The whole balance, one unit less, or one more. */
  | { readonly does: 'redeem-whole'; readonly card: number; readonly by: By; readonly more: -1 | 0 | 1 }
  /** An adjustment with a unique value that was used. */
  | { readonly does: 'adjust-again'; readonly card: number; readonly by: By; readonly earlier: number; readonly amount: number }
  /** A card with a code or a unique value that a card has. */
  | { readonly does: 'create-again'; readonly card: number; readonly with: 'code' | 'uniqueId' }
  | { readonly does: 'void'; readonly card: number; readonly by: By }
  | { readonly does: 'get'; readonly card: number; readonly by: By }
  | { readonly does: 'history'; readonly card: number; readonly by: By }
  | { readonly does: 'list' }
  | { readonly does: 'list-since'; readonly card: number }
  | { readonly does: 'list-pages'; readonly size: number }
  /** With a key of another account, or with one that nobody has. */
  | {
      readonly does: 'with-key';
      readonly key: 'second' | 'wrong';
      readonly what: Meddling;
      readonly card: number;
      readonly by: By;
    };

export type By = 'code' | 'ID';
export type Meddling = 'get' | 'top-up' | 'void' | 'history';

/** A page of a history may hold no more than fifty entries, so that no card gets more adjustments than that. */
export const mostSteps = 40;
