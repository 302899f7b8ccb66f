import type { RuleResult } from './result.ts';
import type { Run } from './trial.ts';
import { lateDetail } from './verdict.ts';

/** A missing delivery gets this number of deadlines before the run ends. */
const CHANCES = 3;

/** Waits at the end of a run until a missing delivery arrives, or until it is too late for all of them. */
export async function waitForLateDeliveries({ missing, receiver }: Run): Promise<void> {
  const all = [...missing.values()].flat();
  if (!receiver || all.length === 0) return;
  const end = Math.max(...all.map(({ since }) => since)) + CHANCES * receiver.deadline;
  await receiver.until(() => all.some((each) => each.delay() !== undefined), Math.max(0, end - performance.now()));
}

/** Returns the results at the end of a run. A rule that failed because of a delivery is untested if the delivery arrived after all. */
export function withLateDeliveries(results: readonly RuleResult[], { missing, receiver }: Run): RuleResult[] {
  return results.map((result) => {
    const late = missing.get(result.name)?.find((each) => each.delay() !== undefined);
    if (!late || !receiver) return result;
    const { expected: _, got: __, ...others } = result;
    const detail = lateDetail(late.what, late.delay() ?? 0, receiver.deadline);
    return { ...others, verdict: 'untested', reason: 'late', detail };
  });
}
