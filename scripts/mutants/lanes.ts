/** How many are under way at a time: most of the time is spent waiting for deliveries that come or do not. */
const LANES = 6;

/** Works on all of them, a few at a time, and resolves with the results in the order of what was given. */
export async function inLanes<T, R>(all: readonly T[], work: (each: T) => Promise<R>, done: (result: R) => void): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.map((each, index) => ({ each, index }));
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await work(next.each);
      results[next.index] = result;
      done(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, all.length) }, lane));
  return results;
}
