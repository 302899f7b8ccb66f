import { elapsed, nextTurn } from './clock.ts';

/** The milliseconds after which long work lets the event loop answer other requests. */
const SLICE = 10;

/** Returns a function that reports whether a slice of time has passed since this call. */
export function sliceOfTime(): () => boolean {
  const end = elapsed() + SLICE;
  return () => elapsed() >= end;
}

/** Repeats a step until the step returns false. Returns undefined if that takes less than a slice of time. */
export function inSlices(step: () => boolean): Promise<void> | undefined {
  const isOver = sliceOfTime();
  while (step()) if (isOver()) return nextTurn().then(() => inSlices(step));
  return undefined;
}
