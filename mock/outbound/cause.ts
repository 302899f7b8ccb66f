/** What an effect came from: a request to an operation, a moment of the clock, or somebody at the control door. */
export interface Cause {
  /** The how manieth of its account, from 1: what has the same number came from the same cause. */
  readonly id: number;
  readonly kind: 'request' | 'clock' | 'control';
  /** The operation, the kind of due moment, or the control action. */
  readonly what: string;
  readonly at: number;
}
