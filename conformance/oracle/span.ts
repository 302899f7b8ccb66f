/** When something happened, as far as who stands between can know. */
export interface Span {
  readonly n: number;
  readonly began: number;
  readonly ended: number;
  readonly at: number;
  readonly ms: number;
  readonly clock?: number;
}

/** The one was answered before the other was sent. */
export const isBefore = (one: Span, other: Span): boolean => one.ended < other.began;

/** Neither was over when the other began, so that nobody knows which of them the service did first. */
export const overlap = (one: Span, other: Span): boolean => !isBefore(one, other) && !isBefore(other, one);

/** Milliseconds that surely lay between them, by the clock of the proxy. */
export const gap = (one: Span, other: Span): number => other.at - (one.at + one.ms);

/** In milliseconds. */
export const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** What got no answer may still have come about so many milliseconds later. */
export const LATE = MINUTE;

/** How long a unique value is remembered is open, but a day is the shortest time that anybody names; by the target's clock, which may have been moved. */
export const withinDay = (one: Span, other: Span): boolean => {
  const [from, to] = one.clock !== undefined && other.clock !== undefined ? [one.clock, other.clock] : [one.at, other.at];
  return to - from < 23 * HOUR;
};
