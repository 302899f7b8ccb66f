import type { ExitCode } from '../../conformance/core/exit.ts';
import type { RunResult } from '../../conformance/core/result.ts';
import { doubledBudget } from '../../conformance/safety/policy.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { withConnection } from './connection.ts';
import type { PolicyValues } from './flags.ts';
import { confirmRemoteRun } from './interaction.ts';
import { planOfTarget, planText } from './plan.ts';
import type { TestTarget } from './target.ts';

export interface RunsToCompare {
  readonly a: readonly [RunResult, second?: RunResult];
  readonly b: RunResult;
  /** The reason why A was tested only once. Undefined if A was tested twice. */
  readonly steadinessUnknown?: string | undefined;
}

/** Runs the rules that both plans contain: on A, on B, and again on A. If a target cannot be tested, resolves with the exit code. */
export async function runBothTargets(
  a: TestTarget,
  b: TestTarget,
  names: readonly RuleName[],
  flags: PolicyValues,
): Promise<RunsToCompare | ExitCode> {
  const half = withHalfBudget(a, flags);
  const first = half ?? a;
  const shared = planOfTarget(planOfTarget(names, first).chosen, b).chosen;
  const twice =
    'The suite tests A twice, to find results that change between runs. The plan and the limits below are for one run.\n';
  await confirmRemoteRun(first, (half ? twice : '') + planText(planOfTarget(shared, first), first));
  await confirmRemoteRun(b, planText(planOfTarget(shared, b), b));
  return withConnection(withLetter('A', first), (one, signal) =>
    withConnection(withLetter('B', b), async (other, signalOfB): Promise<RunsToCompare> => {
      const { chosen } = other.plan(one.plan(shared).chosen);
      const resultA = await one.run(chosen, signal);
      const resultB = await other.run(chosen, signalOfB);
      if (!half) return { a: [resultA], b: resultB, steadinessUnknown: 'the budget of A is too small for a second run' };
      const { gate } = one.session;
      gate.policy = doubledBudget(gate.policy);
      const second = signal.aborted ? undefined : await one.run(chosen, signal);
      if (!second || signal.aborted) return { a: [resultA], b: resultB, steadinessUnknown: 'interrupted' };
      return { a: [resultA, second], b: resultB };
    }),
  );
}

/** Halves the budgets that the user gave, because such a budget covers both runs on A. Returns undefined if half a budget is too small. */
function withHalfBudget(test: TestTarget, flags: PolicyValues): TestTarget | undefined {
  const { policy } = test;
  const halfOf = (flag: keyof PolicyValues, most: number) => (flags[flag] === undefined ? most : most / 2);
  const half = {
    ...policy,
    maxCreates: Math.floor(halfOf('max-creates', policy.maxCreates)),
    maxRequests: Math.floor(halfOf('max-requests', policy.maxRequests)),
    maxFaceValue: halfOf('max-face-value', policy.maxFaceValue),
  };
  const isTooSmall = half.maxRequests === 0 || (half.maxCreates === 0 && policy.maxCreates > 0);
  return isTooSmall ? undefined : { ...test, policy: half };
}

/** Prefixes each message about a target with the target's letter. */
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
