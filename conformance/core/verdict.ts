import type { Allowance } from '../safety/policy.ts';

/** What a run can say of one clause. */
export type Verdict = 'pass' | 'fail' | 'observed' | 'untested' | 'blocked' | 'error' | 'known-fail';

/** Why a clause was not tested. The list is closed, so that reports of different runs can be compared. */
export type Reason =
  | 'mode'
  | 'fact-missing'
  | 'budget'
  | `not-allowed:${Allowance | 'inputs'}`
  | 'no-receiver'
  | 'no-second-key'
  | 'needs-control'
  | 'fixture-missing'
  | 'control-failed'
  | 'all-answers-alike'
  | 'rate-limited'
  | 'untestable';

/** The target did what the clause forbids, or did not do what it asks for. */
export class Violation extends Error {
  readonly expected: string;
  readonly got: string;
  constructor(expected: string, got: string) {
    super(`expected ${expected}; got ${got}`);
    this.name = 'Violation';
    this.expected = expected;
    this.got = got;
  }
}

/** The target has not got what was asked (404, 405), or broke over it (5xx), where something else was due: of what is no statement that shows nothing. */
export class NotAnswered extends Violation {}

/** The clause could not be judged, and why. */
export class Untested extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, detail: string) {
    super(detail);
    this.name = 'Untested';
    this.reason = reason;
  }
}

/** The policy of the run did not let a request leave, so that surely nothing came of it. */
export class NotSent extends Untested {}

/** Somebody broke it off before anything was sent. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

/** What the clause needs to have happened first did not happen. The message names it. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** No answer came: refused connection, broken connection, time-out. Neither pass nor fail of a clause. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** The target closed the connection that it had taken. */
  readonly cut: boolean;

  constructor(message: string, cut = false) {
    super(message);
    this.cut = cut;
  }
}
