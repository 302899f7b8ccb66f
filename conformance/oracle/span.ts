/** When an exchange took place, as far as the observer can know. */
export interface Span {
  /** The number of the exchange, from 1. */
  readonly n: number;
  /** Positions in the order in which all requests began and all answers ended. */
  readonly began: number;
  readonly ended: number;
  /** When the request was sent, in milliseconds since 1970, and how long the answer took, in milliseconds. */
  readonly at: number;
  readonly ms: number;
  /** The service's own clock (its Date header), in milliseconds since 1970. */
  readonly clock: number | undefined;
}

/** The first exchange was answered before the other request was sent. */
export const isBefore = (one: Span, other: Span): boolean => one.ended < other.began;

/** The service may have handled either of them first. */
export const overlaps = (one: Span, other: Span): boolean => !isBefore(one, other) && !isBefore(other, one);

/** Milliseconds between the answer to one exchange and the request of the other. */
export const pause = (one: Span, other: Span): number => other.at - (one.at + one.ms);

/** In milliseconds. */
export const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];

/** A request without an answer may still take effect so many milliseconds later. */
export const LATE = MINUTE;

/** How long a service remembers unique values is open, and so is an account's default expiry. Both are assumed to be a day at least, by the service's clock. */
export function isWithinDay(one: Span, other: Span): boolean {
  const [from, to] = one.clock !== undefined && other.clock !== undefined ? [one.clock, other.clock] : [one.at, other.at];
  return to - from < DAY - 60 * MINUTE;
}
