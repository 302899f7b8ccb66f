import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { asKnown, type Baseline } from '../core/baseline.ts';
import { checks } from '../core/clause.ts';
import { makeable } from '../core/prerequisites.ts';
import type { RunResult } from '../core/result.ts';
import { openSession, type Session } from '../core/session.ts';
import { type Target, withReceiver } from '../core/target.ts';
import { realTime } from '../http/rate.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { planRun } from '../safety/planner.ts';
import type { Policy } from '../safety/policy.ts';
import { agreed, interruptible, toldWaiting } from './asking.ts';
import type { Asked } from './command-line.ts';
import { judged, prepared } from './judging.ts';
import { tellLeft } from './left-told.ts';
import { planTold } from './plan.ts';
import { noProgress, progress } from './progress.ts';

interface WholeRun {
  /** In the order in which they are judged. */
  readonly names: readonly ClauseName[];
  readonly target: Target;
  readonly policy: Policy;
  readonly file: LedgerFolder;
  readonly seed?: number | undefined;
  /** The command that judges a clause once more, but for its name. */
  readonly again?: string;
  /** What is known not to hold, which is told as known on the way, too. */
  readonly baseline?: Baseline;
}

/**
 * One run from the plan to the end: it is agreed to, what an earlier one has left is taken away, the clauses are judged, and everything is taken away
 * again. Then `told` gets what was found and answers with the exit code. Throws UsageError before anything is sent where nobody agrees.
 */
export async function wholeRun(
  asked: Asked,
  { names, target, policy, file, seed, again, baseline = new Map() }: WholeRun,
  told: (result: RunResult, session: Session) => number | Promise<number>,
): Promise<number> {
  const { flags, io } = asked;
  const able = makeable(names, checks(), withReceiver(target), policy);
  file.ready();
  await agreed(asked, target.url, policy, planTold(planRun(able, policy), policy, target.ratePerMinute));
  const shown = flags.quiet ? noProgress : progress(names, io.stderr, realTime.now);
  const session = openSession(target, toldWaiting(shown.waits), policy);
  const { signal, done } = interruptible(io);
  try {
    const { leftBefore, trouble } = await prepared(asked, file, session);
    if (trouble !== undefined) {
      io.stderr.write(`${trouble}\n`);
      return leftBefore.length > 0 ? 5 : 3;
    }
    const result = await judged(asked, session, {
      names,
      able,
      file,
      signal,
      leftBefore,
      ...(seed === undefined ? {} : { seed }),
      ...(again === undefined ? {} : { again }),
      onResult: (clause) => shown.judged(asKnown(clause, baseline)),
    }).finally(shown.end);
    await tellLeft(asked, file, target, result);
    return await told(result, session);
  } finally {
    done();
    await session.client.close();
    file.close();
  }
}
