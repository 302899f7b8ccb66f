import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ExitCode } from '../core/exit.ts';
import type { RunResult } from '../core/result.ts';
import { scaledBudget } from '../safety/policy.ts';
import { withConnection } from './connection.ts';
import { confirmRemoteRun } from './interaction.ts';
import { planOf, planText } from './plan.ts';
import type { TestTarget } from './target.ts';

export interface RunsToCompare {
  readonly a: RunResult;
  readonly b: RunResult;
  readonly secondOfA?: RunResult;
  /** Why there is no second run on A. */
  readonly steadinessUnknown?: string;
}

interface Settings {
  readonly seed: number | undefined;
  readonly yes: boolean | undefined;
}

/** Runs the clauses that both plans have on A, on B, and on A again. Resolves with the exit code if a target cannot be tested. */
export async function runBothTargets(
  a: TestTarget,
  b: TestTarget,
  names: readonly ClauseName[],
  { seed, yes }: Settings,
): Promise<RunsToCompare | ExitCode> {
  const shared = planOf(planOf(names, a).chosen, b).chosen;
  const twice =
    'The suite runs A twice, to find results that change between runs. The plan and the limits below are for one run.\n';
  await confirmRemoteRun(a, yes, twice + planText(planOf(shared, a), a));
  await confirmRemoteRun(b, yes, planText(planOf(shared, b), b));
  return withConnection(withLetter('A', a), (one, signal) =>
    withConnection(withLetter('B', b), async (other, signalOfB): Promise<RunsToCompare> => {
      const { chosen } = other.plan(one.plan(shared).chosen);
      const resultA = await one.run(chosen, signal, { seed });
      const resultB = await other.run(chosen, signalOfB, { seed });
      // The gate continues to count.
      const { gate } = one.session;
      gate.policy = scaledBudget(gate.policy, 2);
      const secondOfA = signal.aborted ? undefined : await one.run(chosen, signal, { seed });
      return { a: resultA, b: resultB, ...(signal.aborted || !secondOfA ? { steadinessUnknown: 'interrupted' } : { secondOfA }) };
    }),
  );
}

/** Messages about a target begin with its letter. */
function withLetter(letter: string, test: TestTarget): TestTarget {
  const { io } = test;
  return {
    ...test,
    io: {
      stdout: io.stdout,
      stderr: { write: (text) => io.stderr.write(text.replace(/^(?=.)/gm, `${letter}: `)) },
      once: (signal, listener) => io.once?.(signal, listener),
      off: (signal, listener) => io.off?.(signal, listener),
    },
  };
}
