/** One request about one thing, as the client saw it. Times are in milliseconds. */
export interface Operation<State> {
  readonly began: number;
  /** Infinity if the client got no response: the request may take effect at any time, or never. */
  readonly ended: number;
  readonly text: string;
  /** Returns the state after the operation. Returns undefined if the response is not possible in this state. */
  apply(state: State): State | undefined;
}

/**
 * Returns undefined if some order of the operations explains all responses, with each operation between its begin and its end. Otherwise, returns the
 * operations that the longest explanation leaves open. This is the search by Wing and Gong.
 */
export function unexplained<State>(operations: readonly Operation<State>[], first: State): readonly string[] | undefined {
  const sorted = operations.toSorted((one, other) => one.began - other.began);
  const needed = sorted.filter(({ ended }) => ended !== Number.POSITIVE_INFINITY).length;
  const seen = new Set<string>();
  let best: readonly Operation<State>[] = sorted;

  const isExplained = (state: State, open: readonly Operation<State>[], done: number): boolean => {
    if (done === needed) return true;
    if (open.length < best.length) best = open;
    const position = `${JSON.stringify(state)} ${open.map((each) => sorted.indexOf(each)).join()}`;
    if (seen.has(position)) return false;
    seen.add(position);
    const firstEnd = Math.min(...open.map(({ ended }) => ended));
    return open.some((each) => {
      if (each.began > firstEnd) return false;
      const next = each.apply(state);
      const isKnown = each.ended !== Number.POSITIVE_INFINITY;
      return (
        next !== undefined &&
        isExplained(
          next,
          open.filter((other) => other !== each),
          done + (isKnown ? 1 : 0),
        )
      );
    });
  };
  return isExplained(first, sorted, 0) ? undefined : best.map(({ text }) => text);
}
