import type { Exchange } from '../http/exchange.ts';

export type Verdict = 'pass' | 'fail' | 'observed' | 'untested' | 'blocked' | 'error' | 'known-fail';

/** A delivery that had not arrived when its deadline was over. */
export interface MissingDelivery {
  /** The topic, the card and the webhook. */
  readonly what: string;
  /** When the event had happened, in milliseconds of `performance.now()`. */
  readonly since: number;
  /** Milliseconds from the event to the arrival. Undefined as long as the delivery has not arrived. */
  delay(): number | undefined;
}

/** Returns the detail of a rule that is untested because of a late delivery. Times are in milliseconds. */
export function lateDetail(what: string, delay: number, deadline: number): string {
  const [seconds, limit] = [delay, deadline].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
  const flag = `--delivery-timeout ${Math.ceil((1.5 * delay) / 1_000)}`;
  return `${what} arrived after ${seconds}; the deadline was ${limit}; use ${flag}`;
}

export class Violation extends Error {
  override readonly name = 'Violation';
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}; got ${got}`);
    this.expected = expected;
    this.got = got;
  }
}

/** The target returned 404, 405 or 5xx in place of the expected status. Such a response proves nothing about a question. */
export class NoObservation extends Violation {}

/** The target refused a request that the suite considers valid. If the target accepted no similar request, the refusal proves nothing, because required fields and limits are open. */
export class Refused extends Violation {
  readonly exchange: Exchange;

  constructor(expected: string, got: string, exchange: Exchange) {
    super(expected, got);
    this.exchange = exchange;
  }
}

/** A preparatory step failed, so the rule could not be tested. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}
