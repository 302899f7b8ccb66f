/** What an effect came from: a request to an operation, a moment of the clock, or somebody at the control door. */
export interface Cause {
  readonly kind: 'request' | 'clock' | 'control';
  /** The operation, the kind of due moment, or the control action. */
  readonly what: string;
  readonly at: number;
}
