import type { Count, Timestamp } from '../state/value-types.ts';

/** The cause of a change or an effect: a request, a due event of the clock, or an action of the control API. */
export interface Cause {
  /** The number of the cause in its account, from 1. */
  readonly id: Count;
  readonly kind: 'request' | 'clock' | 'control';
  /** The operation, the kind of due event, or the control action. */
  readonly what: string;
  readonly at: Timestamp;
  readonly giftCardId?: string | undefined;
}
